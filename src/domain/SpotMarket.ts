// Prices of coins from the tickers of exchanges: identifies the coin of each pair, prices USDT and USDC in dollars, and computes the
// consensus on each coin. Deterministic, independent of the order of its inputs. It runs in steps, because thousands of pairs take
// several milliseconds.
import { USDC, USDT } from "./CoinId.ts"
import { type Consensus, consensusOf, type Voice } from "./Consensus.ts"
import { type FiatMarkets, fiatMarketsOf } from "./FiatMarket.ts"
import { figureOf, isNew, LEAST_TURNOVER, type Pair, type QuoteCurrency } from "./Pair.ts"
import { type Aggregated, type Identities, type Identity, identify, identityOf, keyOf } from "./PairIdentity.ts"
import { MOST_DISPERSED } from "./Thresholds.ts"

/** The pairs of one exchange. `exchange`: its public name. */
export interface Tickers {
  readonly exchange: string
  readonly pairs: ReadonlyArray<Pair>
}

/** What the prices are computed from. */
export interface SpotInputs {
  readonly tickers: ReadonlyArray<Tickers>
  readonly identities: Identities
  readonly aggregated: Aggregated
  /** Epoch milliseconds. */
  readonly now: number
}

/** The consensus on each stablecoin, by its id, and the rest of the market, which depends on what of it is believed. */
export interface Dollars {
  readonly dollars: ReadonlyMap<string, Consensus>
  /**
   * `served`: the price in USD at which pairs in each stablecoin are converted, by its id. Without one its pairs count for nothing.
   */
  readonly market: (served: ReadonlyMap<string, number>) => Generator<void, SpotMarket>
}

export interface SpotMarket {
  /** By CoinGecko's id; only coins with a consensus. Stablecoins are priced as the exchanges say. */
  readonly prices: ReadonlyMap<string, Consensus>
  readonly fiats: FiatMarkets
  /** The known identities with all changes; the same map if there are none. */
  readonly identities: Identities
}

/** Above this many identities, those of pairs that are not listed now are dropped. */
export const MOST_IDENTITIES = 20_000

/** Pairs per step of the consensus. */
const PAIRS = 256

/** Coins per step of the consensus. */
const COINS = 32

/** A price in dollars alone needs this many exchanges. */
const LEAST_FOR_DOLLAR = 2

/** The quote currencies that are converted into dollars, by their ids. */
export const stablecoins: Readonly<Record<Exclude<QuoteCurrency, "USD">, string>> = { USDT, USDC }

/** Coins that every exchange trades in dollars or in stablecoins. Together the pairs show what a stablecoin costs in dollars. */
const measures: ReadonlyArray<string> = ["bitcoin", "ethereum"]

/** What fiats are priced by, with their ids. */
export const fiatMeasures = [...Object.entries(stablecoins), ["BTC", "bitcoin"], ["ETH", "ethereum"]] as const

type Rates = Readonly<Record<string, number | undefined>>

type Voices = ReadonlyMap<string, ReadonlyArray<Voice>>

interface Listed {
  readonly exchange: string
  readonly pair: Pair
}

/** Identifies the coins of pairs. It adds new identities and removes refuted ones. */
const identifying = ({ aggregated, identities: known, now }: SpotInputs) => {
  let found: Map<string, Identity> | undefined
  const change = () => (found ??= new Map(known))
  return {
    identities: (): Identities => found ?? known,
    /** The known coin of a pair, else one at about this price, which is not stored. */
    about: ({ exchange, pair }: Listed, price: number): Identity | undefined =>
      known.get(keyOf(exchange, pair)) ?? identify(pair.base, price, aggregated.candidates),
    of: ({ exchange, pair }: Listed, price: number): Identity | undefined => {
      const key = keyOf(exchange, pair)
      const before = known.get(key)
      const coin = identityOf(before, { base: pair.base, price }, aggregated, now)
      if (coin === before) return coin
      if (coin === undefined) change().delete(key)
      else change().set(key, coin)
      return coin
    }
  }
}

/** The voices on the price of each coin, by id, from pairs in the quote currencies that have a rate. */
function* voicesOf(
  listed: ReadonlyArray<Listed>,
  rates: Rates,
  coinOf: (listed: Listed, price: number) => Identity | undefined
): Generator<void, Voices> {
  const voices = new Map<string, Array<Voice>>()
  for (const [n, one] of listed.entries()) {
    if (n % PAIRS === PAIRS - 1) yield
    const { exchange, pair } = one
    const [rate, figure] = [rates[pair.quote], figureOf(pair)]
    if (rate === undefined || figure === undefined || !(pair.turnover * rate >= LEAST_TURNOVER)) continue
    const coin = coinOf(one, figure * rate)
    if (coin === undefined) continue
    const voice = {
      exchange,
      market: pair.market,
      price: (figure * rate) / coin.unit,
      weight: pair.turnover * rate,
      observedAt: pair.observedAt
    }
    const others = voices.get(coin.id)
    if (others === undefined) voices.set(coin.id, [voice])
    else others.push(voice)
  }
  return voices
}

/** The consensus of pairs in dollars alone, for which two exchanges are enough if they agree. */
const inDollarsAlone = (voices: ReadonlyArray<Voice>): Consensus | undefined => {
  const found = consensusOf(voices, LEAST_FOR_DOLLAR)
  return found?.exchanges.length === LEAST_FOR_DOLLAR && found.dispersion > MOST_DISPERSED ? undefined : found
}

/**
 * The exchanges' consensus on a stablecoin. An exchange without a pair of it in dollars says what it costs by its pairs of bitcoin and
 * ether in it, because their price in dollars is known. `rough`: about what the stablecoin costs; it only identifies those pairs.
 */
const stablecoinOf = (
  quote: keyof typeof stablecoins,
  {
    coinOf,
    inDollars,
    listed,
    rough
  }: {
    readonly listed: ReadonlyArray<Listed>
    readonly inDollars: Voices
    readonly rough: number
    readonly coinOf: (listed: Listed, price: number) => Identity | undefined
  }
): Consensus | undefined => {
  const own = inDollars.get(stablecoins[quote]) ?? []
  const speaking = new Set(own.map(({ exchange }) => exchange))
  const prices = new Map(measures.map((id) => [id, inDollarsAlone(inDollars.get(id) ?? [])]))
  const measured = listed.flatMap((one): ReadonlyArray<Voice> => {
    const { exchange, pair } = one
    const figure = pair.quote === quote && !speaking.has(exchange) ? figureOf(pair) : undefined
    if (figure === undefined) return []
    const coin = coinOf(one, figure * rough)
    const inUsd = coin && prices.get(coin.id)
    if (coin === undefined || inUsd === undefined) return []
    const price = (inUsd.price * coin.unit) / figure
    const weight = pair.turnover * price
    const observedAt = Math.min(pair.observedAt, inUsd.observedAt)
    return weight >= LEAST_TURNOVER ? [{ exchange, market: pair.market, price, weight, observedAt }] : []
  })
  return inDollarsAlone([...own, ...measured])
}

const within = (identities: Identities, listed: ReadonlyArray<Listed>): Identities => {
  if (identities.size <= MOST_IDENTITIES) return identities
  const now = new Set(listed.map(({ exchange, pair }) => keyOf(exchange, pair)))
  return new Map([...identities].filter(([key]) => now.has(key)).slice(0, MOST_IDENTITIES))
}

/** The market now, in two parts. Both yield wherever other work may run. */
export function* dollarsInSteps(inputs: SpotInputs): Generator<void, Dollars> {
  const { aggregated, now, tickers } = inputs
  const { about, identities, of } = identifying(inputs)
  const all = tickers.flatMap(({ exchange, pairs }) => pairs.map((pair): Listed => ({ exchange, pair })))
  const listed = all.filter(({ pair }) => isNew(pair, now))
  const inDollars = yield* voicesOf(listed, { USD: 1 }, of)
  const dollars = new Map<string, Consensus>()
  for (const quote of ["USDT", "USDC"] as const) {
    yield
    const id = stablecoins[quote]
    const rough = aggregated.pricesOf(id)[0] ?? 1
    const found = stablecoinOf(quote, { listed, inDollars, rough, coinOf: about })
    if (found !== undefined) dollars.set(id, found)
  }
  return { dollars, market: marketInSteps }

  function* marketInSteps(served: ReadonlyMap<string, number>): Generator<void, SpotMarket> {
    const inStablecoins = yield* voicesOf(
      listed,
      { USDT: served.get(stablecoins.USDT), USDC: served.get(stablecoins.USDC) },
      of
    )
    const prices = new Map(dollars)
    const priced = new Set([...inDollars.keys(), ...inStablecoins.keys()])
    for (const id of Object.values(stablecoins)) priced.delete(id)
    let counted = 0
    for (const id of priced) {
      if (++counted % COINS === 0) yield
      const consensus = consensusOf([...(inDollars.get(id) ?? []), ...(inStablecoins.get(id) ?? [])])
      if (consensus !== undefined) prices.set(id, consensus)
    }
    yield
    const inUsd = new Map<string, number>([
      ["USD", 1],
      ...fiatMeasures.flatMap(([symbol, id]): ReadonlyArray<[string, number]> => {
        const price = served.get(id) ?? prices.get(id)?.price
        return price === undefined ? [] : [[symbol, price]]
      })
    ])
    return { prices, fiats: fiatMarketsOf(listed, inUsd), identities: within(identities(), all) }
  }
}
