// Many prices of coins from the record, each at a moment of its own, with the arithmetic of `Past` and to the same digits. It asks no source,
// and builds no quotes and legs: for a file of transactions they would take longer than everything else.
import { Array as Arr, Effect } from "effect"
import { USDT } from "../../domain/CoinId.ts"
import { hopRate, type MarketOrigin, rateOfHops } from "../../domain/Conversion.ts"
import { startOfDay } from "../../domain/FxRates.ts"
import { usualMarket } from "../../domain/P2pMarket.ts"
import type { Confidence } from "../../domain/P2pRate.ts"
import { isWithin } from "../../domain/Plausibility.ts"
import { joinSources } from "../../domain/Snapshot.ts"
import { dayOf } from "../../history/model/Interval.ts"
import { endOf, type Moment } from "../../history/model/Moment.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"
import * as HistoryAccess from "./HistoryAccess.ts"
import { type Newest, newestEach, type Wanted } from "./newestEach.ts"
import { closeOf } from "./NewestValues.ts"

/** A coin by id, and the moment of its price. `fiat`: another fiat than USD and NGN in which it is priced too. */
export interface Question {
  readonly id: string
  readonly moment: Moment
  readonly fiat?: string | undefined
}

/** A coin's prices by fiat at a moment, `null` where they are not known, and where they are from. */
export interface RecordedPrice extends Omit<MarketOrigin, "kind"> {
  readonly price: Readonly<Record<string, number | null>>
  readonly source: string
  /** The oldest time of the parts, epoch milliseconds. */
  readonly observedAt: number
  readonly kind: MarketOrigin["kind"] | null
  readonly confidence: Confidence | null
}

/** What a customer pays and gets for 1 USDT in naira. */
export interface Sides {
  readonly buy: number | null
  readonly sell: number | null
}

const NAIRA = SeriesName.p2p(usualMarket.fiat)

const keyOf = (series: string, moment: Moment): string => `${moment._tag} ${endOf(moment)} ${series}`

/** At most so many pairs in one statement. */
const AT_ONCE = 1500

export const make = Effect.gen(function* () {
  const access = yield* HistoryAccess.make

  /** The value of each series at its moment. */
  const valuesOf = Effect.fnUntraced(function* (wanted: ReadonlyMap<string, readonly [string, Moment]>) {
    const found = new Map<string, Newest | undefined>()
    for (const some of Arr.chunksOf([...wanted], AT_ONCE)) {
      const newest = yield* newestEach(
        access.recorded,
        some.map(([, [series, moment]]): Wanted => [series, endOf(moment)])
      )
      for (const [n, [key]] of some.entries()) found.set(key, newest[n])
    }
    const days = Map.groupBy(
      [...wanted.values()].flatMap(([series, moment]) => (moment._tag === "Day" ? [{ series, moment }] : [])),
      ({ moment }) => moment.day
    )
    for (const [day, all] of days) {
      const names = [...new Set(all.map(({ series }) => series))]
      const closes = yield* access.points({ interval: "day", first: day, last: day }, names)
      for (const { moment, series } of all) {
        const key = keyOf(series, moment)
        found.set(key, closeOf(found.get(key), closes(series)[0]))
      }
    }
    return (series: string, moment: Moment) => found.get(keyOf(series, moment))
  })

  /** The prices of each question, in their order; `undefined` for a coin of which nothing was observed in the 7 days before. */
  const prices = Effect.fn("RecordedPrices.prices")(function* (
    questions: ReadonlyArray<Question>
  ): Effect.fn.Return<ReadonlyArray<RecordedPrice | undefined>, Unavailable> {
    const wanted = new Map<string, readonly [string, Moment]>()
    for (const { fiat, id, moment } of questions) {
      const names = [
        SeriesName.coin(id),
        SeriesName.coin(USDT),
        NAIRA,
        ...(fiat === undefined ? [] : [SeriesName.fiat(fiat)])
      ]
      for (const series of names) wanted.set(keyOf(series, moment), [series, moment])
    }
    const valueOf = yield* valuesOf(wanted)
    return questions.map(({ fiat, id, moment }) => {
      const coin = valueOf(SeriesName.coin(id), moment)
      if (coin === undefined) return undefined
      const [usdt, naira] = [valueOf(SeriesName.coin(USDT), moment), valueOf(NAIRA, moment)]
      const rate = fiat === undefined ? undefined : valueOf(SeriesName.fiat(fiat), moment)
      return priceOf({ id, coin, fiat, rate, ...(isPlausible(usdt, naira) ? { usdt, naira } : noMarket) })
    })
  })

  /** What a customer pays and gets for 1 USDT at each moment, in their order; `null` where it is not known. */
  const sides = Effect.fn("RecordedPrices.sides")(function* (moments: ReadonlyArray<Moment>) {
    const valueOf = yield* valuesOf(new Map(moments.map((moment) => [keyOf(NAIRA, moment), [NAIRA, moment]])))
    return moments.map((moment): Sides => valueOf(NAIRA, moment) ?? { buy: null, sell: null })
  })

  /** The first recorded day of a coin, or of the naira without one. */
  const firstDay = Effect.fn("RecordedPrices.firstDay")(function* (id: string | undefined) {
    const series = id === undefined ? NAIRA : SeriesName.coin(id)
    const span = (yield* access.spans("day", [series])).get(series)
    return span && dayOf(span.first)
  })

  return { prices, sides, firstDay }
})

const noMarket = { usdt: undefined, naira: undefined }

/** At another price of USDT a dollar would be an impossible amount of naira. */
const isPlausible = (usdt: Newest | undefined, naira: Newest | undefined): boolean =>
  usdt !== undefined && naira !== undefined && isWithin(naira.value / usdt.value, usualMarket.bounds)

interface Parts {
  readonly id: string
  readonly coin: Newest
  readonly usdt: Newest | undefined
  readonly naira: Newest | undefined
  readonly fiat: string | undefined
  readonly rate: Newest | undefined
}

const priceOf = ({ coin, fiat, id, naira, rate, usdt }: Parts): RecordedPrice => {
  const street = naira && hopRate(false, { rate: naira.value, computed: true })
  const ngn =
    street === undefined || usdt === undefined ? null : id === USDT ? street : inNaira(coin.value, usdt.value, street)
  const parts = [coin, ...(usdt === undefined || naira === undefined ? [] : id === USDT ? [naira] : [usdt, naira])]
  const times = parts.map(({ observedAt }) => observedAt)
  if (rate !== undefined) times.push(startOfDay(dayOf(rate.bucket ?? rate.observedAt)).epochMilliseconds)
  return {
    price: {
      USD: coin.value,
      NGN: ngn,
      ...(fiat !== undefined && { [fiat]: rate === undefined ? null : rateOfHops(coin.value, rate.value) })
    },
    source: joinSources([...parts, ...(rate === undefined ? [] : [rate])].map(({ source }) => source)),
    observedAt: Math.min(...times),
    kind: naira === undefined ? null : (naira.kind ?? "p2p"),
    confidence: naira?.confidence ?? null,
    method: naira?.method ?? null
  }
}

/** A coin's price in naira: its dollars over those of USDT, times the naira for 1 USDT. */
export const inNaira = (dollars: number, usdt: number, street: number): number =>
  rateOfHops(dollars, hopRate(true, { rate: usdt, computed: false }), street)
