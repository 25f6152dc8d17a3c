# python3 payout.py 200            quotes 200 USD in naira
# python3 payout.py 200 1399.448   pays, if the customer agreed to 1399.448 and it still holds
import json, os, re, sys, threading
from datetime import datetime, timezone
from decimal import Decimal
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener


def refuse(reason):
    print("do not pay:", " ".join(reason.split()), flush=True)
    os._exit(1)


def is_decimal(text):
    return re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) and Decimal(text) > 0


amount = sys.argv[1] if len(sys.argv) > 1 else ""
agreed = sys.argv[2] if len(sys.argv) > 2 else None
if not (is_decimal(amount) and is_decimal("1" if agreed is None else agreed)):
    refuse("usage: python3 payout.py AMOUNT_IN_USD [AGREED_RATE]")
max_age, tolerance = 300, Decimal("0.5")  # seconds, percent
query = {"from": "USD", "to": "NGN", "amount": amount, "basis": "customer"}
query |= {"max_age": max_age, "min_confidence": "medium"}
if agreed is not None:
    query |= {"expect": agreed, "tolerance": tolerance}

url = (os.environ.get("RATES_URL") or "http://localhost:3000").rstrip("/")
key = os.environ.get("RATES_KEY")


class NoRedirects(HTTPRedirectHandler):
    """Another host would get the key, and name the rate."""

    def redirect_request(self, *_):
        return None


# The timeout of open begins anew with each part that arrives.
limit = threading.Timer(10, refuse, ["no answer within 10 s"])
limit.daemon = True
limit.start()
try:
    request = Request(f"{url}/v1/convert?{urlencode(query)}", headers={"x-api-key": key} if key else {})
    try:
        response = build_opener(NoRedirects).open(request, timeout=10)
    except HTTPError as refusal:
        response = refusal
    status, text = response.getcode(), response.read()
except (OSError, HTTPException, ValueError) as error:
    refuse(f"no answer: {error}")

try:
    body = json.loads(text, parse_float=Decimal)
except (ValueError, RecursionError):
    refuse(f"the answer is no JSON (status {status})")


def member(parent, name):
    return parent.get(name) if isinstance(parent, dict) else None


if status != 200:
    parts = (member(body, name) for name in ("code", "detail"))
    refuse(": ".join(part for part in parts if isinstance(part, str)) or f"status {status}")

data, meta = member(body, "data"), member(body, "meta")
rate, result, asked = (member(data, name) for name in ("rate", "result", "amount"))
if not all(type(figure) in (int, Decimal) and 0 < figure < 1e300 for figure in (rate, result, asked)):
    refuse("the answer has no rate for an amount")
is_ours = (member(data, "from"), member(data, "to"), float(asked)) == ("USD", "NGN", float(amount))
if not is_ours or abs(result - rate * asked) > result * Decimal("1e-6"):
    refuse("the answer is for another question")
if agreed is not None and abs(rate - Decimal(agreed)) > Decimal(agreed) * tolerance / 100:
    refuse("the rate has moved")
simulated = "(sandbox)" in str(member(meta, "source"))
if simulated and agreed is not None:
    refuse("the rate is simulated")
try:
    updated = datetime.fromisoformat(member(meta, "updated").replace("Z", "+00:00"))
    age = abs((datetime.now(timezone.utc) - updated).total_seconds())
except (AttributeError, TypeError, ValueError):
    age = max_age + 1
if age > max_age and not simulated:
    refuse(f"the time of the rate is not within {max_age} s of now")
if agreed is None:
    print(f"quote: {rate}{' (simulated)' if simulated else ''}")
else:
    print(f"pay: {result:.2f} NGN at {rate}")
