// What a client that is generated for Go reads from the service whose address is given.
package main

import (
	"client"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
)

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	api, ctx := client.NewAPIClient(configuration), context.Background()
	naira, _, err := api.NairaApi.GetNaira(ctx).Execute()
	if err != nil {
		log.Fatal(err)
	}
	coins, _, err := api.MarketApi.ListCoins(ctx).Limit(1).Execute()
	if err != nil {
		log.Fatal(err)
	}
	_, _, err = api.MarketApi.GetPrice(ctx, "btc", "ngn").Execute()
	var problem client.UnknownCoinOrNoPriceOrNoData
	if err := json.Unmarshal(err.(client.GenericOpenAPIError).Body(), &problem); err != nil {
		log.Fatal(err)
	}
	official := "null"
	if rate, _ := naira.Data.GetOfficialOk(); rate != nil {
		official = fmt.Sprint(*rate)
	}
	fmt.Println("mid", naira.Data.GetMid(), "official", official, "first", coins.Data.Coins[0].Id, "code", problem.Code)
}
