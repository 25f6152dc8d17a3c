// Answers of a server that `watch` polls.
export const row = {
  fiat: "NGN",
  pair: "USDT/NGN",
  buy: 1510,
  sell: 1490,
  mid: 1500,
  spread: 1,
  official: 1400,
  official_date: "2026-11-20",
  premium: 7,
  confidence: "low",
  reason: null,
  method: "p2p/3",
  source: "A + B",
  updated: "2026-11-20T12:00:00.000Z"
}
export const coin = {
  id: "bitcoin",
  symbol: "BTC",
  name: "Bitcoin",
  updated: "2026-11-20T12:00:00.000Z",
  price: { USD: 70_000, NGN: null },
  change_24h: { USD: -3, NGN: null }
}
const meta = { source: "A + B", updated: "2026-11-20T12:00:00.000Z", tier: "free" }

export const answered = (data: object, headers: Record<string, string> = {}) =>
  Response.json({ data, meta }, { headers })

export const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json(
    { type: `/problems/${code}`, title: "No", status, detail: "It is so.", instance: "x", code },
    { status, headers: { "content-type": "application/problem+json", ...headers } }
  )

/** The answer where a coin of this id is not known. */
export const withoutCoin = (id: string) => {
  const suggestions = [{ id: "bitcoin", symbol: "BTC", name: "Bitcoin" }]
  return answered({ prices: [], missing: [{ id, code: "unknown_coin", suggestions }] })
}
