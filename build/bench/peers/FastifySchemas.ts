// JSON schemas of the Fastify peer: what comes in is validated by them, what goes out is serialised by them.
import { AMOUNT } from "./Contract.ts"

const text = { type: "string" }
const number = { type: "number" }
const figure = { type: "number", nullable: true }
const optionalText = { type: "string", nullable: true }

const object = (properties: Readonly<Record<string, object>>) => ({ type: "object", properties })
const array = (items: object) => ({ type: "array", items })

const envelope = (data: object) => object({ data, meta: object({ source: text, updated: text, tier: text }) })

const row = {
  id: text,
  symbol: text,
  name: text,
  rank: figure,
  price: figure,
  market_cap: figure,
  volume_24h: figure,
  circulating_supply: figure,
  total_supply: figure,
  max_supply: figure,
  change_1h: figure,
  change_24h: figure,
  change_7d: figure,
  updated: text
}

export const price = envelope(object({ id: text, symbol: text, fiat: text, price: number, change_24h: figure }))

export const coin = envelope(
  object({
    ...row,
    high_24h: figure,
    low_24h: figure,
    ath: figure,
    ath_date: optionalText,
    image: optionalText,
    platforms: { type: "object", nullable: true, additionalProperties: text },
    quotes: array(object({ source: text, price: figure, updated: text }))
  })
)

export const coins = envelope(object({ coins: array(object(row)), page: number, limit: number }))

export const conversion = envelope(
  object({
    from: text,
    to: text,
    amount: number,
    rate: number,
    result: number,
    legs: array(object({ from: text, to: text, rate: number, source: text, updated: text }))
  })
)

/** A fiat is read in either case. */
export const priceParams = (fiats: ReadonlyArray<string>) =>
  object({ id: text, fiat: { type: "string", enum: fiats.flatMap((fiat) => [fiat, fiat.toLowerCase()]) } })

export const pageQuery = object({
  limit: { type: "integer", minimum: 1, maximum: 250, default: 100 },
  page: { type: "integer", minimum: 1, default: 1 }
})

export const convertQuery = {
  ...object({ from: text, to: text, amount: { type: "string", pattern: AMOUNT, default: "1" } }),
  required: ["from", "to"]
}
