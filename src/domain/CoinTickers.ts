// The pairs of a coin that exchanges list, with what each has to do with the coin's price.
import { LEAST_EXCHANGES, type Voice, weightsOf } from "./Consensus.ts"
import { figureOf, isNew, LEAST_TURNOVER, type Pair } from "./Pair.ts"
import { type Identities, keyOf } from "./PairIdentity.ts"
import { fiatMeasures, stablecoins, type Tickers } from "./SpotMarket.ts"

/** Why a pair is not used for the coin's price. */
export const REASONS = [
  "stale",
  "no_price",
  "no_dollar_rate",
  "low_turnover",
  "prices_fiat",
  "too_few_exchanges"
] as const

export interface CoinTicker extends Pick<Pair, "base" | "quote" | "bid" | "ask" | "last" | "observedAt"> {
  readonly exchange: string
  /** The exchange's name for the pair. */
  readonly pair: string
  /** USD for one coin. */
  readonly price: number | null
  /** How many coins one unit of the base is. */
  readonly unit: number
  /** USD in 24 hours. */
  readonly turnover: number | null
  /** The share of the weight, percent. `null` for a pair that is not used, and for stablecoins, whose price other pairs make too. */
  readonly weight: number | null
  readonly reason: (typeof REASONS)[number] | null
}

export interface TickerInputs {
  readonly tickers: ReadonlyArray<Tickers>
  readonly identities: Identities
  /** USD for one unit of each quote currency, fiats among them. */
  readonly dollars: ReadonlyMap<string, number>
  /** Whether the exchanges have a price of the coin. */
  readonly isPriced: boolean
  /** Epoch milliseconds. */
  readonly now: number
}

const idsInFiats = new Map<string, string>(fiatMeasures)

/** The pairs of a coin, the heaviest first, then by turnover. */
export const tickersOf = (id: string, { dollars, identities, isPriced, now, tickers }: TickerInputs) => {
  const rows: Array<CoinTicker> = []
  const voices: Array<Voice> = []
  for (const { exchange, pairs } of tickers) {
    for (const pair of pairs) {
      const identity = identities.get(keyOf(exchange, pair))
      const ofFiat = identity === undefined && idsInFiats.get(pair.base) === id && !isCoinQuote(pair.quote)
      if (identity?.id !== id && !ofFiat) continue
      const unit = identity?.unit ?? 1
      const [dollar, figure] = [dollars.get(pair.quote), figureOf(pair)]
      const turnover = dollar === undefined ? null : pair.turnover * dollar
      const price = figure === undefined || dollar === undefined ? null : (figure * dollar) / unit
      const reason = ofFiat ? "prices_fiat" : reasonOf(pair, { figure, turnover, isPriced, now })
      const { ask, base, bid, last, market, observedAt, quote } = pair
      rows.push({
        exchange,
        pair: market,
        base,
        quote,
        bid,
        ask,
        last,
        price,
        unit,
        turnover,
        observedAt,
        weight: null,
        reason
      })
      if (reason === null && price !== null && turnover !== null) {
        voices.push({ exchange, market, price, weight: turnover, observedAt })
      }
    }
  }
  const isStablecoin = Object.values(stablecoins).includes(id)
  const weights = isStablecoin ? undefined : weightsOf(voices)
  const weighed = rows.map((row) => ({ ...row, weight: weights?.get(`${row.exchange} ${row.pair}`) ?? null }))
  return weighed.toSorted((a, b) => (b.weight ?? 0) - (a.weight ?? 0) || (b.turnover ?? 0) - (a.turnover ?? 0))
}

const isCoinQuote = (quote: string): boolean => quote === "USD" || quote in stablecoins

const reasonOf = (
  pair: Pair,
  {
    figure,
    isPriced,
    now,
    turnover
  }: {
    readonly figure: number | undefined
    readonly turnover: number | null
    readonly isPriced: boolean
    readonly now: number
  }
): CoinTicker["reason"] => {
  if (!isNew(pair, now)) return "stale"
  if (figure === undefined) return "no_price"
  if (turnover === null) return "no_dollar_rate"
  if (turnover < LEAST_TURNOVER) return "low_turnover"
  return isPriced ? null : "too_few_exchanges"
}

/** What the reasons mean, for documents. */
export const reasonTexts: Readonly<Record<(typeof REASONS)[number], string>> = {
  stale: "its ticker is older than two minutes",
  no_price: "it has no last trade and no bid and ask at most 1 % apart, or its bid is above its ask",
  no_dollar_rate: "its quote currency has no price in dollars now",
  low_turnover: `its turnover is below ${LEAST_TURNOVER.toLocaleString("en-US")} USD in 24 hours`,
  prices_fiat: "it shows what the fiat costs",
  too_few_exchanges: `fewer than ${LEAST_EXCHANGES} exchanges agree on a price`
}
