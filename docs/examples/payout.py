# python3 payout.py 200            quotes 200 USD in naira
# python3 payout.py 200 1399.448   pays, if the customer agreed to 1399.448 and it still holds
import json, os, sys
from decimal import Decimal
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

amount, *agreed = sys.argv[1:]
query = {"from": "USD", "to": "NGN", "amount": amount, "basis": "customer"}
query |= {"max_age": 300, "min_confidence": "medium"}
if agreed:
    query |= {"expect": agreed[0], "tolerance": "0.5"}
base = os.environ.get("RATES_URL", "http://localhost:3000")
try:
    with urlopen(f"{base}/v1/convert?{urlencode(query)}", timeout=30) as response:
        data = json.load(response, parse_float=Decimal)["data"]
except HTTPError as refusal:
    problem = json.load(refusal)
    sys.exit(print(f"do not pay: {problem['code']}: {problem['detail']}") or 1)
print(f"pay: {data['result']:.2f} NGN at {data['rate']}" if agreed else f"quote: {data['rate']}")
