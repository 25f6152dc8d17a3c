// What the tests over HTTP share: the contract's shapes (exact: a member more or less fails), and how numbers stand in a body.
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type Answer, type Init, get } from "../RunningService.ts"

/** The nine fiats of the contract. */
export const fiats = ["usd", "ngn", "eur", "gbp", "inr", "zar", "aed", "cad", "jpy"] as const

/** RFC 3339 with `Z`. */
export const Instant = Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/))

/** `YYYY-MM-DD`. */
export const Day = Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\d$/))

const Figure = Schema.NullOr(Schema.Finite)
const Upper = Schema.String.check(Schema.isPattern(/^[^\p{Ll}]+$/u))

/** The member that stamps an answer. */
export const Meta = Schema.Struct({
  source: Schema.NonEmptyString,
  updated: Instant,
  tier: Schema.Literals(["free", "developer", "business"])
})

const row = {
  id: Schema.String,
  symbol: Upper,
  name: Schema.String,
  rank: Figure,
  price: Figure,
  market_cap: Figure,
  volume_24h: Figure,
  circulating_supply: Figure,
  total_supply: Figure,
  max_supply: Figure,
  change_1h: Figure,
  change_24h: Figure,
  change_7d: Figure,
  updated: Instant,
  source: Schema.String
}

/** `/v1/coins`. */
export const Coins = Schema.Struct({ coins: Schema.Array(Schema.Struct(row)), page: Schema.Int, limit: Schema.Int })

/** `/v1/coins/{id}`. */
export const Coin = Schema.Struct({
  ...row,
  high_24h: Figure,
  low_24h: Figure,
  ath: Figure,
  ath_date: Schema.NullOr(Instant),
  image: Schema.NullOr(Schema.String),
  platforms: Schema.NullOr(Schema.Record(Schema.String, Schema.String)),
  venues: Schema.NullOr(Schema.Array(Schema.String)),
  dispersion: Figure,
  low: Figure,
  high: Figure,
  confidence: Schema.NullOr(Schema.Literals(["high", "medium", "low"])),
  quotes: Schema.Array(
    Schema.Struct({
      source: Schema.String,
      kind: Schema.Literals(["exchange", "aggregator"]),
      price: Figure,
      updated: Instant
    })
  )
})

/** `/v1/global`. */
export const Global = Schema.Struct({
  market_cap: Schema.Finite,
  volume_24h: Figure,
  market_cap_change_24h: Figure,
  btc_dominance: Figure,
  eth_dominance: Figure,
  active_coins: Figure
})

/** `/v1/price/{id}/{fiat}`. */
export const Price = Schema.Struct({
  id: Schema.String,
  symbol: Upper,
  fiat: Schema.Literals(["USD", "NGN", "EUR", "GBP", "INR", "ZAR", "AED", "CAD", "JPY"]),
  price: Schema.Finite,
  change_24h: Figure
})

const rate = {
  pair: Schema.String,
  buy: Figure,
  sell: Figure,
  mid: Figure,
  spread: Figure,
  official: Figure,
  official_date: Schema.NullOr(Day),
  premium: Figure,
  confidence: Schema.Literals(["high", "medium", "low"]),
  reason: Schema.NullOr(Schema.String)
}

/** `/v1/naira`. */
export const Naira = Schema.Struct({
  ...rate,
  pair: Schema.Literal("USDT/NGN"),
  official_source: Schema.NullOr(Schema.String),
  venues: Schema.Array(
    Schema.Struct({
      venue: Schema.String,
      kind: Schema.Literals(["p2p", "order_book"]),
      buy: Figure,
      sell: Figure,
      mid: Figure,
      ads_used: Schema.NullOr(Schema.Int),
      ads_rejected: Schema.Record(Schema.String, Schema.Int),
      updated: Schema.NullOr(Instant),
      reason: Schema.NullOr(Schema.String)
    })
  ),
  quote: Schema.optionalKey(
    Schema.Struct({
      side: Schema.Literals(["buy", "sell"]),
      amount: Schema.Finite,
      rate: Figure,
      filled: Schema.Finite,
      ads: Schema.Int,
      merchants: Schema.Int,
      distance: Figure,
      reason: Schema.NullOr(Schema.String)
    })
  )
})

/** `/v1/p2p/{fiat}`. */
export const P2pMarket = Schema.Struct({ ...Naira.fields, pair: Schema.String })

/** `/v1/p2p`. */
export const P2pMarkets = Schema.Struct({
  markets: Schema.Array(Schema.Struct({ ...rate, fiat: Upper, updated: Schema.NullOr(Instant) }))
})

/** `/v1/fx`. */
export const Fx = Schema.Struct({
  base: Schema.Literal("USD"),
  rates: Schema.Record(Schema.String, Schema.Finite),
  observed: Schema.Record(Schema.String, Day)
})

/** `/v1/convert`. */
export const Conversion = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  amount: Schema.Finite,
  rate: Schema.Finite,
  result: Schema.Finite,
  legs: Schema.Array(
    Schema.Struct({
      from: Schema.String,
      to: Schema.String,
      rate: Schema.Finite,
      source: Schema.NonEmptyString,
      updated: Instant,
      basis: Schema.optionalKey(Schema.Literals(["p2p", "customer", "official"])),
      confidence: Schema.optionalKey(Schema.Literals(["high", "medium", "low"])),
      ads: Schema.optionalKey(Schema.Int)
    })
  )
})

/** An RFC 9457 problem. */
export const Problem = Schema.Struct({
  type: Schema.String,
  title: Schema.NonEmptyString,
  status: Schema.Int,
  detail: Schema.NonEmptyString,
  instance: Schema.NonEmptyString,
  code: Schema.String,
  errors: Schema.optionalKey(Schema.Array(Schema.Struct({ parameter: Schema.String, detail: Schema.String }))),
  suggestions: Schema.optionalKey(
    Schema.Array(Schema.Struct({ id: Schema.String, symbol: Schema.String, name: Schema.String }))
  ),
  coverage: Schema.optionalKey(Schema.Unknown)
})

const exact = { onExcessProperty: "error", errors: "all" } as const

/** An answer, which has to have this status. */
export const answerAt = Effect.fnUntraced(function* (path: string, status = 200, init?: Init) {
  const answer = yield* get(path, init)
  assert.strictEqual(answer.status, status, `${path}: ${answer.text.slice(0, 300)}`)
  return answer
})

/** Its JSON, whose members the test names. */
export const jsonAt = (path: string, status?: number) =>
  Effect.map(answerAt(path, status), ({ text }) => JSON.parse(text))

/** The data and the stamp of an answer, which has to be a 200 of exactly this shape. */
export const read = Effect.fnUntraced(function* <S extends Schema.Constraint & { readonly DecodingServices: never }>(
  path: string,
  data: S,
  init?: Init
) {
  const answer = yield* answerAt(path, 200, init)
  const body = yield* Schema.decodeUnknownEffect(Schema.Struct({ data, meta: Meta }))(JSON.parse(answer.text), exact)
  return { ...body, answer }
})

/** The problem that an answer is, checked against the answer's status. */
export const problemOf = Effect.fnUntraced(function* (answer: Answer) {
  assert.strictEqual(answer.headers["content-type"], "application/problem+json", answer.text)
  const problem = yield* Schema.decodeUnknownEffect(Problem)(JSON.parse(answer.text), exact)
  assert.strictEqual(problem.status, answer.status)
  assert.strictEqual(problem.type, `/problems/${problem.code}`)
  return problem
})

/** Asks for a path that has to be refused with this status and code. */
export const refused = Effect.fnUntraced(function* (path: string, status: number, code: string, init?: Init) {
  const problem = yield* problemOf(yield* answerAt(path, status, init))
  assert.strictEqual(problem.code, code, path)
  return problem
})

/** A path of `/v1/convert`. */
export const conversion = (from: string, to: string, amount?: string): string =>
  `/v1/convert?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}${amount === undefined ? "" : `&amount=${encodeURIComponent(amount)}`}`

/** Every number of a JSON text, as it is written. */
export const numbersIn = (json: string): ReadonlyArray<string> =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').match(/[-+.\w]*\d[-+.\w]*/g) ?? []

/** A number of a JSON object, as it is written. */
export const written = (json: string, member: string): string | undefined =>
  new RegExp(`"${member}":([^,}\\]]+)`).exec(json)?.[1]

/** Digits from the first that is not 0 to the last that is not 0. */
export const digitsOf = (number: string): number =>
  number.replaceAll(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "").length
