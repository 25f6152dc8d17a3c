// Prices of coins from the tickers of exchanges: identifies the coin of each pair, prices USDT and USDC from pairs in USD, and computes
// the consensus on each coin. Deterministic, independent of the order of its inputs. It runs in steps, because thousands of pairs take
// several milliseconds.
import { USDC, USDT } from "./CoinId.ts"
import { type Consensus, consensusOf, type Voice } from "./Consensus.ts"
import { figureOf, isNew, LEAST_TURNOVER, type Pair, type QuoteCurrency } from "./Pair.ts"
import { type Candidates, type Identities, type Identity, identityOf, keyOf } from "./PairIdentity.ts"

/** The pairs of one exchange. `exchange`: its public name. */
export interface Tickers {
  readonly exchange: string
  readonly pairs: ReadonlyArray<Pair>
}

/** The aggregators' data on coins. */
export interface Aggregated {
  readonly candidates: Candidates
  /** The coin's price in USD at each aggregator with a fresh one. */
  readonly pricesOf: (id: string) => ReadonlyArray<number>
}

export interface SpotMarket {
  /** By CoinGecko's id; only coins with a consensus. */
  readonly prices: ReadonlyMap<string, Consensus>
  /** The known identities with all changes; the same map if there are none. */
  readonly identities: Identities
}

/** Above this many identities, those of pairs that are not listed now are dropped. */
const MOST_IDENTITIES = 20_000

/** Pairs per step of the consensus. */
const PAIRS = 256

/** Coins per step of the consensus. */
const COINS = 32

/** A stablecoin's price needs pairs in dollars at this many exchanges. */
const LEAST_FOR_DOLLAR = 2

/** The largest dispersion, percent, if only two exchanges price a stablecoin. Beyond it either of them may be wrong. */
const MOST_DISPERSED = 0.5

const stablecoins: Readonly<Record<Exclude<QuoteCurrency, "USD">, string>> = { USDT, USDC }

type Rates = Readonly<Record<QuoteCurrency, number | undefined>>

interface Listed {
  readonly exchange: string
  readonly pair: Pair
}

/** Identifies the coins of pairs. It adds new identities and removes refuted ones. */
const identifying = (known: Identities, aggregated: Aggregated) => {
  let found: Map<string, Identity> | undefined
  const change = () => (found ??= new Map(known))
  return {
    identities: (): Identities => found ?? known,
    of: ({ exchange, pair }: Listed, price: number): Identity | undefined => {
      const key = keyOf(exchange, pair)
      const before = known.get(key)
      const now = identityOf(before, { base: pair.base, price }, aggregated)
      if (now === before) return now
      if (now === undefined) change().delete(key)
      else change().set(key, now)
      return now
    }
  }
}

/** The voices on the price of each coin, by id, from pairs in some quote currencies. */
function* voicesOf(
  listed: ReadonlyArray<Listed>,
  rates: Rates,
  identify: (listed: Listed, price: number) => Identity | undefined
): Generator<void, ReadonlyMap<string, ReadonlyArray<Voice>>> {
  const voices = new Map<string, Array<Voice>>()
  for (const [n, one] of listed.entries()) {
    if (n % PAIRS === PAIRS - 1) yield
    const { exchange, pair } = one
    const [rate, figure] = [rates[pair.quote], figureOf(pair)]
    if (rate === undefined || figure === undefined || !(pair.turnover * rate >= LEAST_TURNOVER)) continue
    const coin = identify(one, figure * rate)
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

const within = (identities: Identities, listed: ReadonlyArray<Listed>): Identities => {
  if (identities.size <= MOST_IDENTITIES) return identities
  const now = new Set(listed.map(({ exchange, pair }) => keyOf(exchange, pair)))
  return new Map([...identities].filter(([key]) => now.has(key)).slice(0, MOST_IDENTITIES))
}

/** The market at `now`, epoch milliseconds. It yields wherever other work may run. */
export function* spotMarketInSteps(
  tickers: ReadonlyArray<Tickers>,
  known: Identities,
  aggregated: Aggregated,
  now: number
): Generator<void, SpotMarket> {
  const { identities, of } = identifying(known, aggregated)
  const all = tickers.flatMap(({ exchange, pairs }) => pairs.map((pair): Listed => ({ exchange, pair })))
  const listed = all.filter(({ pair }) => isNew(pair, now))
  const inDollars = yield* voicesOf(
    listed.filter(({ pair }) => pair.quote === "USD"),
    { USD: 1, USDT: undefined, USDC: undefined },
    of
  )
  const dollars = (id: string) => {
    const found = consensusOf(inDollars.get(id) ?? [], LEAST_FOR_DOLLAR)
    return found?.exchanges.length === LEAST_FOR_DOLLAR && found.dispersion > MOST_DISPERSED ? undefined : found
  }
  const [usdt, usdc] = [dollars(stablecoins.USDT), dollars(stablecoins.USDC)]
  const inStablecoins = yield* voicesOf(
    listed.filter(({ pair }) => pair.quote !== "USD"),
    { USD: undefined, USDT: usdt?.price, USDC: usdc?.price },
    of
  )
  const prices = new Map<string, Consensus>()
  let counted = 0
  for (const id of new Set([...inDollars.keys(), ...inStablecoins.keys()])) {
    if (++counted % COINS === 0) yield
    const consensus =
      id === stablecoins.USDT
        ? usdt
        : id === stablecoins.USDC
          ? usdc
          : consensusOf([...(inDollars.get(id) ?? []), ...(inStablecoins.get(id) ?? [])])
    if (consensus !== undefined) prices.set(id, consensus)
  }
  return { prices, identities: within(identities(), all) }
}

/** The same without pauses. */
export const spotMarket = (...inputs: Parameters<typeof spotMarketInSteps>): SpotMarket => {
  const steps = spotMarketInSteps(...inputs)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}
