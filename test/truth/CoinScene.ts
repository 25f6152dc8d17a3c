// The scene of coins: true prices, the exchanges and aggregators that observe them, and what may be served of each.
import { coinProcesses } from "./coinProcesses.ts"
import { type Course, DAY, HOUR, MINUTE, product, SECOND, wandering } from "./Course.ts"
import { drawOf } from "./Draw.ts"
import { coinsDriven } from "./driveCoins.ts"
import {
  aggregators,
  aggregatorSource,
  coins,
  exchanges,
  exchangeSource,
  hasDollars,
  isStablecoin,
  LAG
} from "./exchanges.ts"
import { isClean, type Process } from "./Process.ts"
import type { Expected, SceneOf } from "./Scene.ts"
import { startOf } from "./serviceProcesses.ts"

/** The maximum age of a price in USD, with the time that its sources take. */
const OLDEST = HOUR + 2 * MINUTE

/** The same where three exchanges say it. */
const OLDEST_OF_EXCHANGES = 2 * MINUTE + 30 * SECOND

/** A price that aggregators alone say is believed within the factor of a jump: one of them may lie as much. */
const UNCHECKED = 4

/** How long aggregators lag behind a true move, during which they contradict the exchanges. */
const LAGGING = 40 * MINUTE

const isBig = ({ bends }: Process): boolean => bends !== undefined

export const coinScene: SceneOf<ReturnType<typeof coinsDriven>["start"]> = (seed, days, isKept = () => true) => {
  const draw = drawOf(seed, "coins")
  const from = startOf(draw)
  const until = from + days * DAY
  const count = draw.whole(3, 8)
  const present = draw.shuffled(exchanges).slice(0, count)
  // Dollars are made of bitcoin and ether in USD, at two exchanges or more.
  const listed = [...present, ...exchanges.filter((one) => hasDollars(one) && !present.includes(one))]
    .slice(0, Math.max(count, present.length + 2 - present.filter(hasDollars).length))
    .sort((a, b) => exchanges.indexOf(a) - exchanges.indexOf(b))

  const isOldListedTwice = draw.isOneIn(2)
  const usual = new Map<string, Course>(
    coins.map(([id, , price]) => {
      const own = drawOf(seed, "truth", id)
      return [
        id,
        isStablecoin(id)
          ? wandering(own, price, [HOUR, 0.0005], [DAY, 0.001])
          : wandering(own, price, [12 * MINUTE, 0.0015], [5 * HOUR, 0.02], [3 * DAY, 0.06])
      ]
    })
  )
  const usualOf = (id: string): Course => usual.get(id) ?? (() => Number.NaN)
  const truth = (id: string): Course => truths.get(id) ?? (() => Number.NaN)
  const processes = coinProcesses({ draw, exchanges: listed, truth, isOldListedTwice, from, until }).filter(isKept)
  const truths = new Map<string, Course>(
    coins.map(([id]) => {
      const bends = processes.flatMap((one) => (one.bends?.of.includes(id) ? [one.bends.by] : []))
      return [id, product([usualOf(id), ...bends])]
    })
  )

  const relisted = processes.find(({ bends }) => bends?.of.includes("relisted"))
  /** The second aggregator lists the old coin in every other world, the new one never. */
  const unlisted = isOldListedTwice ? ["new-coin"] : ["new-coin", "old-coin"]
  const listedAt = (name: string) => (name === "CoinGecko" ? [] : unlisted)
  const exchangeNames = listed.map(({ name }) => name)
  const aggregatorNames = aggregators.map(({ name }) => name)

  const others = processes.filter((one) => one !== relisted)
  const isTrue = (source: string, of: string, t: number, memory: number) => isClean(others, { source, of, t, memory })
  const countOf = (sources: ReadonlyArray<string>, id: string, t: number, memory: number) =>
    sources.filter((source) => isTrue(source, id, t, memory)).length

  const isTraded = (id: string, t: number): boolean =>
    relisted !== undefined && relisted.from <= t
      ? id !== "old-coin" && id !== "rare-coin"
      : id !== "new-coin" && id !== "rare-coin"

  /** True moves that make aggregators contradict exchanges, or stablecoins wait for them. */
  const isMoving = (id: string, t: number, memory: number): boolean =>
    processes.some((one) => isBig(one) && one.bends?.of.includes(id) && one.from <= t && t < one.until + memory)
  /** How wrong a stablecoin may be while its true move is not confirmed yet, which moves all pairs in it. */
  const dollarError = (t: number): number =>
    Math.max(
      0,
      ...processes.flatMap((one) =>
        one.bends?.of.some(isStablecoin) && one.from <= t && t < one.until + LAGGING
          ? [Math.abs(one.bends.by(t) - 1)]
          : []
      )
    )

  /** How far bitcoin and ether move between the answers of two exchanges, which say by them what a stablecoin costs. */
  const skew = (t: number): number =>
    Math.max(
      0,
      ...processes.flatMap(({ bends }) =>
        bends?.of.some((id) => id === "bitcoin" || id === "ethereum")
          ? [t, t - 20 * SECOND].map((at) => Math.abs(bends.by(at) / bends.by(at - LAG) - 1))
          : []
      )
    )

  const toleranceOf = (id: string, t: number): number => {
    if (id === "new-coin" && !(relisted !== undefined && relisted.from + LAGGING <= t)) return Infinity
    const isLied = aggregatorNames.some((name) => !isTrue(name, id, t, LAGGING))
    if (id === "old-coin" && !isTraded(id, t) && isLied) return UNCHECKED
    return 0.01 + skew(t) + (isStablecoin(id) ? 0 : dollarError(t))
  }

  const expected = (id: string, t: number): Expected => {
    const isOfExchanges = isTraded(id, t) && !isMoving(id, t, LAGGING) && countOf(exchangeNames, id, t, 4 * MINUTE) >= 3
    return {
      truth: truth(id),
      times: (observedAt) => [Math.min(observedAt, t) - 10 * SECOND, t],
      tolerance: toleranceOf(id, t),
      isSupported:
        isOfExchanges ||
        aggregators.some(({ every, name }) => !listedAt(name).includes(id) && isTrue(name, id, t, every)),
      oldest: t - (isOfExchanges && !isStablecoin(id) ? OLDEST_OF_EXCHANGES : OLDEST),
      isDoubtful: false
    }
  }

  return {
    name: "coins",
    from,
    until,
    steps: { near: 20 * SECOND, after: 4 * MINUTE, between: 15 * MINUTE },
    grace: 3 * MINUTE,
    processes,
    sources: [
      ...listed.map((one) => exchangeSource(drawOf(seed, one.name), one, { coins, truth })),
      ...aggregators.map((one) => aggregatorSource(drawOf(seed, one.name), one, { coins, truth }, listedAt(one.name)))
    ],
    driven: coinsDriven(listed, coins),
    figures: coins.map(([id]) => id),
    expected
  }
}
