// A coin as the selection of movers looks at it: what it trades, how much it moves by itself, and whether it only follows.
import { DateTime, Duration } from "effect"
import type { Coin } from "../domain/Coin.ts"
import { byId } from "../domain/CoinRegistry.ts"
import type { PriceHistory } from "../domain/PriceHistory.ts"
import type { MoverCandidate } from "../why/Movers.ts"
import { categoriesOf, type MarketFacts, mean, median, pricesByHour, returnsByHour, slopeOf } from "./MarketFacts.ts"

/** The last day is what is to be judged; what is usual is told from the days before it. */
const JUDGED_HOURS = 24

/** A deviation of less than two days of hours says nothing. */
const LEAST_HOURS = 48

/** A row that its source has not looked at for this long says nothing about now. */
const FRESH = Duration.hours(2)

/** Reads coins as candidates, at one time. What all of them are measured against is worked out once. */
export const candidatesAt = (facts: MarketFacts, now: DateTime.Utc): ((coin: Coin) => MoverCandidate) => {
  const leaders = leadersOf(facts)
  const oldest = DateTime.subtractDuration(now, FRESH)
  return (coin) => {
    const history = facts.history.get(coin.id)
    const habits = history === undefined ? undefined : habitsOf(history, leaders)
    return {
      id: coin.id,
      symbol: coin.symbol,
      name: coin.name,
      rank: coin.rank,
      categories: [...categoriesOf(coin.id), ...peggedCategories(coin.id)],
      marketCap: coin.market_cap,
      volume24h: coin.volume_24h,
      // The change of a day that ended long ago is not today's.
      change24h: DateTime.isLessThan(coin.updated, oldest) ? null : coin.change_24h,
      sigma: habits?.sigma ?? null,
      hourly: history?.prices ?? [],
      follows: habits?.follows ?? [],
      recentVolumeRatio: null,
      disagreementPct: null
    }
  }
}

interface Leader {
  readonly id: string
  readonly to: "btc" | "eth"
  readonly history: PriceHistory
  readonly returns: ReadonlyMap<number, number>
}

const leadersOf = ({ history }: MarketFacts): ReadonlyArray<Leader> =>
  (
    [
      ["btc", "bitcoin"],
      ["eth", "ethereum"]
    ] as const
  ).flatMap(([to, id]) => {
    const led = history.get(id)
    return led === undefined ? [] : [{ id, to, history: led, returns: returnsByHour(led) }]
  })

/** What past prices tell of a coin, and the leaders' prices that it was told from. */
interface Habits extends Pick<MoverCandidate, "sigma" | "follows"> {
  readonly from: ReadonlyArray<PriceHistory>
}

/** Prices come every few hours and runs are made every few minutes: a history is compared with the leaders' once. */
const known = new WeakMap<PriceHistory, Habits>()

const habitsOf = (history: PriceHistory, leaders: ReadonlyArray<Leader>): Habits => {
  const held = known.get(history)
  if (held?.from.length === leaders.length && leaders.every((leader, n) => leader.history === held.from[n])) return held
  const returns = returnsByHour(history)
  const habits = {
    sigma: sigmaOf(history.id, returns, leaders.find(({ id }) => id === "bitcoin")?.returns),
    follows: followsOf(history, returns, leaders),
    from: leaders.map((leader) => leader.history)
  }
  known.set(history, habits)
  return habits
}

/** What we know a coin to be tied to, in the words of categories. */
const peggedCategories = (id: string): ReadonlyArray<string> => {
  const peg = byId(id)?.peg ?? null
  if (peg === null) return []
  return [peg === "usd" || peg === "eur" ? "stablecoins" : peg === "xau" ? "tokenized-gold" : "wrapped-tokens"]
}

/** Standard deviation of a day's return beyond bitcoin's part in it, in percent: the hourly one times the root of 24. */
const sigmaOf = (
  id: string,
  returns: ReadonlyMap<number, number>,
  bitcoin: ReadonlyMap<number, number> | undefined
): number | null => {
  if (bitcoin === undefined) return null
  const usual = new Map([...returns].slice(0, -JUDGED_HOURS))
  const beta = id === "bitcoin" ? 0 : (slopeOf(usual, bitcoin) ?? 1)
  const residuals = [...usual].flatMap(([hour, own]) => {
    const market = bitcoin.get(hour)
    return market === undefined ? [] : [own - beta * market]
  })
  if (residuals.length < LEAST_HOURS) return null
  const centre = mean(residuals)
  return Math.sqrt(mean(residuals.map((value) => (value - centre) ** 2)) * 24) * 100
}

const followsOf = (
  history: PriceHistory,
  returns: ReadonlyMap<number, number>,
  leaders: ReadonlyArray<Leader>
): MoverCandidate["follows"] => {
  const toDollar = {
    to: "usd" as const,
    correlation: 0,
    gapPct: mean(history.prices.map((price) => Math.abs(price - 1))) * 100
  }
  const toCoins = leaders
    .filter(({ id }) => id !== history.id)
    .map(({ history: led, returns: theirs, to }) => ({
      to,
      correlation: correlationOf(returns, theirs),
      gapPct: gapOf(history, led)
    }))
  return [toDollar, ...toCoins]
}

/** Mean distance of a price from its usual multiple of another: a receipt that bears interest is worth 1.2 of what it stands for. */
const gapOf = (history: PriceHistory, led: PriceHistory): number => {
  const theirs = pricesByHour(led)
  const ratios = [...pricesByHour(history)].flatMap(([hour, price]) => {
    const other = theirs.get(hour)
    return other === undefined ? [] : [price / other]
  })
  const usual = median(ratios)
  return usual === null ? Number.POSITIVE_INFINITY : mean(ratios.map((ratio) => Math.abs(ratio / usual - 1))) * 100
}

const correlationOf = (a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): number => {
  const pairs = [...a].flatMap(([hour, x]) => (b.has(hour) ? [[x, b.get(hour) ?? 0] as const] : []))
  if (pairs.length < LEAST_HOURS) return 0
  const meanA = mean(pairs.map(([x]) => x))
  const meanB = mean(pairs.map(([, y]) => y))
  const covariance = mean(pairs.map(([x, y]) => (x - meanA) * (y - meanB)))
  const spread = Math.sqrt(mean(pairs.map(([x]) => (x - meanA) ** 2)) * mean(pairs.map(([, y]) => (y - meanB) ** 2)))
  return spread === 0 ? 0 : covariance / spread
}
