"""What a client that is generated for Python reads from the service whose address is given."""

import json
import sys

import openapi_client as client

api = client.ApiClient(client.Configuration(host=sys.argv[1]))
market = client.MarketApi(api)
naira = client.NairaApi(api).get_naira().data
first = market.list_coins(limit=1).data.coins[0].id
try:
    market.get_price("btc", "ngn")
except client.ApiException as error:
    code = json.loads(error.body)["code"]
    official = "null" if naira.official is None else naira.official
    print("mid", naira.mid, "official", official, "first", first, "code", code)
