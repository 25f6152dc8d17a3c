# python3 payout.py 200            quotes 200 USD in naira
# python3 payout.py 200 1399.448   pays, if the customer agreed to 1399.448 and it still holds
import json, os, sys, threading
from decimal import Decimal
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen


def refuse(reason):
    print(f"do not pay: {reason}", flush=True)
    os._exit(1)


amount, agreed = (sys.argv[1:] + [None, None])[:2]
try:
    assert float(amount) > 0
except (AssertionError, TypeError, ValueError):
    refuse("usage: python3 payout.py AMOUNT_IN_USD [AGREED_RATE]")
query = {"from": "USD", "to": "NGN", "amount": amount, "basis": "customer"}
query |= {"max_age": 300, "min_confidence": "medium"}
if agreed:
    query |= {"expect": agreed, "tolerance": "0.5"}

url = os.environ.get("RATES_URL", "http://localhost:3000")
key = os.environ.get("RATES_KEY")
request = Request(f"{url}/v1/convert?{urlencode(query)}", headers={"x-api-key": key} if key else {})
# The timeout of urlopen begins anew with each part that arrives.
limit = threading.Timer(10, refuse, ["no answer within 10 s"])
limit.daemon = True
limit.start()
try:
    with urlopen(request, timeout=10) as response:
        status, text = response.status, response.read()
except HTTPError as refusal:
    status, text = refusal.code, refusal.read()
except (OSError, HTTPException) as error:
    refuse(f"no answer: {error}")

try:
    body = json.loads(text, parse_float=Decimal)
except ValueError:
    refuse(f"the answer is no JSON (status {status})")
body = body if isinstance(body, dict) else {}
if status != 200:
    refuse(f"{body['code']}: {body.get('detail')}" if "code" in body else f"status {status}")
rate, result = (body.get("data", {}).get(name) for name in ("rate", "result"))
if not (rate and result and rate > 0 and result > 0):
    refuse("the answer has no rate")
simulated = "(sandbox)" in str(body.get("meta"))
if not agreed:
    print(f"quote: {rate}{' (simulated)' if simulated else ''}")
elif simulated:
    refuse("the rate is simulated")
else:
    print(f"pay: {result:.2f} NGN at {rate}")
