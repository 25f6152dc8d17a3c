// The statement of a day: what an amount was worth by the official rate and on the street, from rates that were recorded. A coin and
// USDT count with their close in USD of that day in UTC, so both rates differ in the currency alone. Nothing is rounded that is not published.
import { BigDecimal, DateTime, Result } from "effect"
import { type Asset, nameOf } from "./Asset.ts"
import { USDT } from "./CoinId.ts"
import { backward, forward, type Hop, multiplierOf, path, type Quote, type Rate, rateAlong } from "./Conversion.ts"
import { derived, difference, percentAbove } from "./Decimal.ts"
import type { Confidence, VenueQuote } from "./P2pRate.ts"
import { hasStreetRate } from "./StreetCurrencies.ts"

/** What a statement is made of. `price`: the close of a coin in USD. The others are of the market's fiat, `official` of any. */
export type PartName = "official" | "fixing" | "close" | "average" | "price"

/** A recorded rate: 1 `base` cost `rate` units of `quote`. Without a rate there is a reason. */
export interface StatementPart extends Pick<Quote, "base" | "quote"> {
  readonly name: PartName
  readonly rate: number | null
  readonly reason: string | null
  /** The sources. */
  readonly sources: ReadonlyArray<string>
  /** Epoch milliseconds: when it was observed, and when it was corrected. */
  readonly observedAt: number | null
  readonly revisedAt: number | null
  /** How it was estimated. */
  readonly method: string | null
  readonly confidence: Confidence | null
  readonly kind: VenueQuote["kind"] | null
  /** The UTC days to ask for, and the time or the hours within them. */
  readonly first: number
  readonly last: number
  /** Whether it can change only by a correction. */
  readonly isFinal: boolean
}

/** A rate of a statement in units of `to` per 1 `from`, or why there is none. */
export type Stated = Result.Result<Rate, string>

export interface Rates {
  readonly official: Stated
  readonly fixing: Stated
  readonly close: Stated
  readonly average: Stated
}

/** What the street cost above the official rate, by its fixing: in units of `to`, and in percent. */
export interface Excess {
  readonly perUnit: number
  readonly ofAmount: BigDecimal.BigDecimal
  readonly percent: number
}

/** The least share of a day's hours that an average needs. */
const LEAST_SHARE = 0.75

/** Whether so many of a day's hours make an average. */
export const isEnough = (observed: number, hours: number): boolean => observed >= LEAST_SHARE * hours

const quoteOf = ({ base, name, observedAt, quote, rate, sources }: StatementPart): Quote | undefined =>
  rate === null || observedAt === null
    ? undefined
    : {
        base,
        quote,
        rate,
        // Official rates and closes are published with the digits of their source.
        computed: name !== "official" && name !== "price",
        source: sources.join(" + "),
        updated: DateTime.makeUnsafe(observedAt)
      }

/** The rates between two assets by the parts of a statement. `fiat`: that of the market. */
export const ratesOf = (from: Asset, to: Asset, fiat: string, parts: ReadonlyArray<StatementPart>): Rates => {
  const quoteIn = (name: PartName, of: string): Quote | undefined =>
    parts.flatMap((part) => (part.name === name && (part.base === of || part.quote === of) ? [quoteOf(part)] : []))[0]

  /** The hops to USD; a market prices its fiat if it is given. */
  const toUsd = (asset: Asset, market: Quote | undefined): ReadonlyArray<Hop> | undefined => {
    const name = nameOf(asset)
    if (name === "USD") return []
    if (name === fiat && market !== undefined) {
      const usdt = quoteIn("price", USDT)
      return usdt && [backward(market), forward(usdt)]
    }
    const quote = quoteIn(asset._tag === "Coin" ? "price" : "official", name)
    return quote && [asset._tag === "Coin" ? forward(quote) : backward(quote)]
  }

  const along = (market: Quote | undefined): Stated => {
    const [there, back] = [toUsd(from, market), toUsd(to, market)]
    const [first, ...rest] = there === undefined || back === undefined ? [] : path(there, back)
    return first === undefined ? Result.fail("no_price") : Result.succeed(rateAlong([first, ...rest]))
  }

  /** Whether people pay a street rate for a fiat, of which only the official one is among the parts. */
  const isMisquoted = (asset: Asset): boolean =>
    asset._tag === "Fiat" && asset.code !== fiat && hasStreetRate(asset.code)

  const byMarket = (name: PartName): Stated => {
    const part = parts.find((part) => part.name === name)
    const quote = part && quoteOf(part)
    if (quote === undefined) return Result.fail(part?.reason ?? "not_observed")
    return isMisquoted(from) || isMisquoted(to) ? Result.fail("street_not_followed") : along(quote)
  }
  const missing = parts.find(({ name, quote, rate }) => name === "official" && quote === fiat && rate === null)
  return {
    official: missing === undefined ? along(undefined) : Result.fail(missing.reason ?? "not_published"),
    fixing: byMarket("fixing"),
    close: byMarket("close"),
    average: byMarket("average")
  }
}

/** An amount at a rate. */
export const worth = ({ rate }: Pick<Rate, "rate">, amount: BigDecimal.BigDecimal): BigDecimal.BigDecimal =>
  multiplierOf(rate)(amount)

/** By how much the fixing is above the official rate; negative below it. */
export const excessOf = (
  { fixing, official }: Pick<Rates, "fixing" | "official">,
  amount: BigDecimal.BigDecimal
): Result.Result<Excess, string> => {
  if (Result.isFailure(official)) return Result.fail("no_official_rate")
  if (Result.isFailure(fixing)) return Result.fail("no_fixing")
  const [street, published] = [fixing.success, official.success]
  return Result.succeed({
    perUnit: derived(difference(street.rate, published.rate)),
    ofAmount: BigDecimal.subtract(worth(street, amount), worth(published, amount)),
    percent: derived(percentAbove(street.rate, published.rate))
  })
}
