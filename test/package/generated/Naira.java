// What a client that is generated for Java reads from the service whose address is given.
import java.net.URI;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.MarketApi;
import org.openapitools.client.api.NairaApi;
import org.openapitools.client.model.UnknownCoinOrNoPriceOrNoData;

class Naira {
  public static void main(String[] given) throws Exception {
    var address = URI.create(given[0]);
    var api = new ApiClient().setScheme(address.getScheme()).setHost(address.getHost()).setPort(address.getPort());
    var market = new MarketApi(api);
    var naira = new NairaApi(api).getNaira(null, null, null, null, null, null).getData();
    var first = market.listCoins(1, null, null, null).getData().getCoins().get(0).getId();
    try {
      market.getPrice("btc", "ngn", null, null, null, null, null, null);
    } catch (ApiException error) {
      var problem = api.getObjectMapper().readValue(error.getResponseBody(), UnknownCoinOrNoPriceOrNoData.class);
      System.out.println("mid " + naira.getMid() + " official " + naira.getOfficial() + " first " + first
          + " code " + problem.getCode().getValue());
    }
  }
}
