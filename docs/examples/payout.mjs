// node payout.mjs 200            quotes 200 USD in naira
// node payout.mjs 200 1399.448   pays, if the customer agreed to 1399.448 and it still holds
const refuse = (reason) => {
  console.log(`do not pay: ${reason.replace(/\s+/g, " ")}`)
  process.exit(1)
}

const [amount, agreed] = process.argv.slice(2)
const isDecimal = (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) > 0
if (!isDecimal(amount) || !isDecimal(agreed ?? "1")) refuse("usage: node payout.mjs AMOUNT_IN_USD [AGREED_RATE]")
const [maxAge, tolerance] = [300, 0.5] // seconds, percent
const query = new URLSearchParams({ from: "USD", to: "NGN", amount, basis: "customer" })
query.set("max_age", maxAge)
query.set("min_confidence", "medium")
if (agreed !== undefined) {
  query.set("expect", agreed)
  query.set("tolerance", tolerance)
}

const url = (process.env.RATES_URL || "http://localhost:3000").replace(/\/+$/, "")
const key = process.env.RATES_KEY
let status, text
try {
  const headers = key ? { "x-api-key": key } : {}
  const response = await fetch(`${url}/v1/convert?${query}`, {
    headers,
    redirect: "manual", // Another host would get the key, and name the rate.
    signal: AbortSignal.timeout(10_000)
  })
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
if (status !== 200) {
  const parts = [body?.code, body?.detail].filter((part) => typeof part === "string")
  refuse(parts.join(": ") || `status ${status}`)
}

const { from, to, amount: asked, rate, result } = body?.data ?? {}
const { source, updated } = body?.meta ?? {}
const isPositive = (figure) => typeof figure === "number" && figure > 0
if (![rate, result, asked].every(isPositive)) refuse("the answer has no rate for an amount")
const isOurs = from === "USD" && to === "NGN" && asked === Number(amount)
if (!isOurs || !(Math.abs(result - rate * asked) <= result * 1e-6)) refuse("the answer is for another question")
if (agreed !== undefined && !(Math.abs(rate - agreed) <= (agreed * tolerance) / 100)) refuse("the rate has moved")
const isSimulated = String(source).includes("(sandbox)")
if (isSimulated && agreed !== undefined) refuse("the rate is simulated")
const isRecent = Math.abs(Date.now() - Date.parse(updated)) <= maxAge * 1000
if (!isSimulated && !isRecent) refuse(`the time of the rate is not within ${maxAge} s of now`)
if (agreed === undefined) console.log(`quote: ${rate}${isSimulated ? " (simulated)" : ""}`)
else console.log(`pay: ${result.toFixed(2)} NGN at ${rate}`)
