// The scene of money: twenty coins and bitcoin in five fiats, from a Friday evening on. The exchanges trade the fiats all the time; the
// banks publish a rate on weekdays, and the lira's and the real's may stand apart from the market.
import { isCredible } from "../../src/domain/FiatMarket.ts"
import { LEAST_EXCHANGES } from "../../src/domain/Consensus.ts"
import { releaseRates } from "../../src/domain/releaseRates.ts"
import { limitsOf, minority, ofExchange } from "./coinProcesses.ts"
import { type Course, DAY, HOUR, MINUTE, SECOND, wandering } from "./Course.ts"
import { dayOf } from "./DayScene.ts"
import { type Draw, drawOf } from "./Draw.ts"
import { type CoinState, coinsDriven } from "./driveCoins.ts"
import {
  aggregators,
  aggregatorSource,
  coins,
  type Exchange,
  exchanges,
  exchangeSource,
  hasDollars,
  isStablecoin
} from "./exchanges.ts"
import * as faults from "./faults.ts"
import { bearable, isClean, type Process } from "./Process.ts"
import type { Expected, Figure, SceneOf } from "./Scene.ts"
import { BORNE } from "./Tally.ts"
import { scheduled } from "./serviceProcesses.ts"

const FRIDAY = Date.UTC(2026, 10, 20, 18)

const usual = coins.filter(([id]) => isStablecoin(id) || id === "bitcoin" || id === "ethereum")
const twenty = [...usual, ...Array.from({ length: 19 }, (_, n) => [`coin-${n}`, `C${n}`, 700 / (n + 1) ** 3] as const)]
const priced: ReadonlyArray<string> = twenty.map(([id]) => id).filter((id) => !isStablecoin(id))
const fiats = ["EUR", "GBP", "JPY", "TRY", "BRL"]
const pairs: ReadonlyMap<string, { readonly id: string; readonly fiat: string }> = new Map(
  priced.flatMap((id) => fiats.map((fiat) => [`${id} in ${fiat}`, { id, fiat }] as const))
)

const BANK = { publishes: 15 * HOUR }

/** So near are two exchanges of which one lies, and one exchange that does: the bank's rate is older. */
const CREDIBLE = { two: 0.013, one: 0.026 } as const

const restart = (draw: Draw, from: number): Process => {
  const isStateLost = draw.isOneIn(3)
  return {
    name: `restart${isStateLost ? " with the record alone" : ""}`,
    from,
    until: from,
    isRestart: true,
    isStateLost
  }
}

/** A lie that only other exchanges can show, in all pairs, in two coins or in two fiats. */
const slightly =
  (listed: ReadonlyArray<Exchange>) =>
  (draw: Draw, from: number): Process => {
    const factor = (1 + draw.ofAnySize(0.004, 0.12)) ** draw.one(1, -1)
    const source = draw.one(listed[0]?.name ?? "", ...listed.slice(1).map(({ name }) => name))
    const of = draw.one(undefined, draw.shuffled(priced), draw.shuffled(fiats))?.slice(0, 2)
    return {
      name: `${source}: ${of?.join(", ") ?? "prices"} × ${factor.toFixed(4)}`,
      from,
      until: from + draw.ofAnySize(10 * MINUTE, 8 * HOUR),
      faults: { sources: [source], fault: faults.scaled(factor), ...(of && { of: new Set(of) }) }
    }
  }

/** `liars`: at most a minority of the exchanges, or any number, each with a lie of its own. */
export const moneyScene =
  (liars: "few" | "any"): SceneOf<CoinState> =>
  (seed, days, isKept = () => true) => {
    const draw = drawOf(seed, "money")
    const few = liars === "few"
    const [from, until] = [FRIDAY, FRIDAY + days * DAY]
    const present = draw.shuffled(exchanges).slice(0, draw.whole(5, 8))
    const listed = [...new Set([...draw.shuffled(exchanges.filter(hasDollars)).slice(0, 3), ...present])]
    const truths = new Map<string, Course>(
      twenty.map(([id, , price]) => {
        const own = drawOf(seed, "truth", id)
        const waves = isStablecoin(id)
          ? ([
              [HOUR, 0.0005],
              [DAY, 0.001]
            ] as const)
          : ([
              [25 * MINUTE, 0.0015],
              [5 * HOUR, 0.01],
              [3 * DAY, 0.06]
            ] as const)
        return [id, wandering(own, price, ...waves)] as const
      })
    )
    const truth = (id: string): Course => truths.get(id) ?? (() => Number.NaN)
    const rates = new Map(
      fiats.map((code) => [
        code,
        wandering(drawOf(seed, code), releaseRates[code] ?? 1, [5 * HOUR, 0.0005], [2 * DAY, 0.003])
      ])
    )
    const rateOf = (code: string): Course => rates.get(code) ?? (() => Number.NaN)
    const apart = new Map(["TRY", "BRL"].map((code) => [code, draw.one(1, 1, 1.06, 1 / 1.06, 1.13, 1 / 1.13)]))
    const bank = (code: string, t: number) => rateOf(code)(dayOf(BANK, t) + 12 * HOUR) * (apart.get(code) ?? 1)

    const sources = listed.map((one) => exchangeSource(drawOf(seed, one.name), one, { coins: twenty, truth, rates }))
    const listing = (fiat: string) =>
      sources.filter(({ tells }) => tells(from)?.rows.some(({ of }) => of === fiat)).map(({ name }) => name)
    const listings = new Map(fiats.map((fiat) => [fiat, listing(fiat)]))

    const limits = [
      ...limitsOf(listed, priced),
      ...fiats.map((fiat) => {
        const names = listings.get(fiat) ?? []
        return { of: [fiat], sources: new Set(names), most: Math.max(1, minority(names.length)) }
      })
    ]
    const faulty = ofExchange(listed, ["tether", "usd-coin", "bitcoin", "coin-3", ...fiats])
    const drawn = scheduled(draw, from, until, [
      [few ? 4 * days : 0, faulty],
      [(few ? 4 : 3 * listed.length) * days, slightly(listed)],
      [days, restart]
    ])
    const processes = (few ? bearable(drawn, limits, 11 * MINUTE) : drawn).filter(isKept)

    const expected = (figure: string, t: number): Expected => {
      const { fiat, id } = pairs.get(figure) ?? { id: figure, fiat: "USD" }
      const names = listings.get(fiat) ?? []
      const wrong = names.filter((source) => !isClean(processes, { source, of: fiat, t, memory: 4 * MINUTE })).length
      const isFew = few && (fiat === "USD" || (names.length >= LEAST_EXCHANGES && wrong <= minority(names.length)))
      const isBeyond = Math.abs(rateOf(fiat)(t) / bank(fiat, t) - 1) > 0.1
      const price = truth(id)
      const market: Course = fiat === "USD" ? price : (at) => price(at) * rateOf(fiat)(at)
      const official: Course = (at) => price(at) * bank(fiat, at)
      return {
        truth: fiat !== "USD" && (isBeyond || names.length === 0) ? official : market,
        times: (observedAt) => [Math.max(Math.min(observedAt, t), t - 2 * MINUTE) - 10 * SECOND, t],
        tolerance: !few ? Infinity : isFew || isBeyond ? BORNE : CREDIBLE[names.length === 1 ? "one" : "two"],
        ...(!isFew && fiat !== "USD" && { instead: official(t) }),
        sureTolerance: 0.005,
        isSupported: few,
        oldest: isFew && !isBeyond ? t - 2 * MINUTE - 30 * SECOND : -Infinity,
        isDoubtful: false
      }
    }

    const driven = coinsDriven(listed, twenty)
    const inFiat = (
      state: CoinState,
      now: number,
      fiat: string
    ): Omit<Figure, "value"> & { readonly value: number } => {
      const official = bank(fiat, now)
      const market = state.fiats.get(fiat)
      return market !== undefined && isCredible(market, official)
        ? { value: market.rate, observedAt: market.observedAt, source: "exchanges" }
        : { value: official, observedAt: dayOf(BANK, now), source: "bank" }
    }
    return {
      name: "money",
      from,
      until,
      steps: few
        ? { near: 20 * SECOND, after: 4 * MINUTE, between: 15 * MINUTE }
        : { near: MINUTE, after: MINUTE, between: 20 * MINUTE },
      grace: 3 * MINUTE,
      processes,
      sources: [
        ...sources,
        ...aggregators.map((one) => aggregatorSource(drawOf(seed, one.name), one, { coins: twenty, truth }, []))
      ],
      driven: {
        ...driven,
        served: (state, now) => {
          const inDollars = driven.served(state, now)
          const rates = new Map(fiats.map((fiat) => [fiat, inFiat(state, now, fiat)]))
          const inFiats = Array.from(pairs, ([name, { fiat, id }]): ReadonlyArray<[string, Figure]> => {
            const [price, rate] = [inDollars.get(id), rates.get(fiat)]
            if (price === undefined || rate === undefined || price.value === null) return []
            const observedAt = Math.min(price.observedAt, rate.observedAt)
            return [[name, { value: price.value * rate.value, observedAt, source: `${price.source} × ${rate.source}` }]]
          })
          return new Map([...inDollars, ...inFiats.flat()])
        }
      },
      figures: [...priced, ...pairs.keys()],
      expected
    }
  }
