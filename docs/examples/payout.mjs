// node payout.mjs 200            quotes 200 USD in naira
// node payout.mjs 200 1399.448   pays, if the customer agreed to 1399.448 and it still holds
const refuse = (reason) => {
  console.log(`do not pay: ${reason}`)
  process.exit(1)
}

const [amount, agreed] = process.argv.slice(2)
if (!(Number(amount) > 0)) refuse("usage: node payout.mjs AMOUNT_IN_USD [AGREED_RATE]")
const query = new URLSearchParams({ from: "USD", to: "NGN", amount, basis: "customer" })
query.set("max_age", "300")
query.set("min_confidence", "medium")
if (agreed !== undefined) {
  query.set("expect", agreed)
  query.set("tolerance", "0.5")
}

const { RATES_KEY: key, RATES_URL: url = "http://localhost:3000" } = process.env
let status, text
try {
  const headers = key === undefined ? {} : { "x-api-key": key }
  const response = await fetch(`${url}/v1/convert?${query}`, { headers, signal: AbortSignal.timeout(10_000) })
  status = response.status
  text = await response.text()
} catch (error) {
  refuse(error.name === "TimeoutError" ? "no answer within 10 s" : `no answer: ${error.cause?.code ?? error.message}`)
}

let body
try {
  body = JSON.parse(text)
} catch {
  refuse(`the answer is no JSON (status ${status})`)
}
if (status !== 200) refuse(body?.code ? `${body.code}: ${body.detail}` : `status ${status}`)
const { rate, result } = body?.data ?? {}
if (!(rate > 0 && result > 0)) refuse("the answer has no rate")
const isSimulated = String(body.meta?.source).includes("(sandbox)")
if (agreed === undefined) console.log(`quote: ${rate}${isSimulated ? " (simulated)" : ""}`)
else if (isSimulated) refuse("the rate is simulated")
else console.log(`pay: ${result.toFixed(2)} NGN at ${rate}`)
