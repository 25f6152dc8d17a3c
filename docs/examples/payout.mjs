// node payout.mjs 200            quotes 200 USD in naira
// node payout.mjs 200 1399.448   pays, if the customer agreed to 1399.448 and it still holds
const [amount, agreed] = process.argv.slice(2)
const guards = { max_age: "300", min_confidence: "medium" }
const query = new URLSearchParams({ from: "USD", to: "NGN", amount, basis: "customer", ...guards })
if (agreed !== undefined) {
  query.set("expect", agreed)
  query.set("tolerance", "0.5")
}
const response = await fetch(`${process.env.RATES_URL ?? "http://localhost:3000"}/v1/convert?${query}`)
const body = await response.json()
if (response.status !== 200) {
  console.log(`do not pay: ${body.code}: ${body.detail}`)
  process.exit(1)
}
const { rate, result } = body.data
console.log(agreed === undefined ? `quote: ${rate}` : `pay: ${result.toFixed(2)} NGN at ${rate}`)
