// CoinGecko's endpoints for past data. All figures come from the services behind the histories of `/v1`.
import { Clock, DateTime, Effect, Option, type Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CoinOnDay } from "../../api/coingecko/Answers.ts"
import { CoinGeckoApi, type PastQueryOf } from "../../api/coingecko/CoinGeckoApi.ts"
import { unknownCurrency } from "../../api/coingecko/Parameters.ts"
import { shaped } from "../../api/coingecko/shaped.ts"
import { lengthOf } from "../../history/model/Interval.ts"
import type { Moment } from "../../history/model/Moment.ts"
import { joinSources } from "../../domain/Snapshot.ts"
import { coinOfVs, unitOf } from "../../domain/VsCurrency.ts"
import { Coins } from "../../services/Coins.ts"
import { Conversions } from "../../services/Conversions.ts"
import { ExchangeRates } from "../../services/ExchangeRates.ts"
import { Histories } from "../../services/history/Histories.ts"
import { Past } from "../../services/history/Past.ts"
import { figure } from "../handlers/figure.ts"
import { InvalidQuery, orInvalid, refusing } from "../handlers/refusing.ts"
import { joined, ownRecordAt, stampOfHistory } from "../handlers/Stamp.ts"
import * as ChartPoints from "./ChartPoints.ts"
import { coinOfContract } from "./coinOfContract.ts"
import { community, developer } from "./CoinShape.ts"
import * as Currencies from "./Currencies.ts"
import { jsonResponse, imageOf, price } from "./CompatAnswer.ts"
import * as Quotes from "./Quotes.ts"
import * as Spans from "./Spans.ts"

export const PastHandlers = HttpApiBuilder.group(
  CoinGeckoApi,
  "coingecko past",
  Effect.fn(function* (handlers) {
    const coins = yield* Coins
    const histories = yield* Histories
    const past = yield* Past

    const conversions = yield* Conversions
    const currencies = Currencies.withParts(Currencies.make(yield* ExchangeRates, conversions))

    /** Refuses a currency that is not quoted. Without fiat rates the recorded history decides. */
    const checked = Effect.fnUntraced(function* (vs: string) {
      const known = yield* Effect.orElseSucceed(currencies.known([vs]), () => [vs])
      if (known.length === 0) yield* new InvalidQuery(unknownCurrency("vs_currency"))
    })

    const pointsOf = Effect.fnUntraced(function* (id: string, vs: string, span: Spans.Span) {
      const request = { range: Spans.rangeOf(span), isFilled: false }
      const { count, of } = unitOf(vs)
      const other = coinOfVs(of)
      if (other === undefined) return yield* histories.prices(id, vs.toUpperCase(), request)
      const history = yield* histories.prices(id, "USD", request)
      const base = yield* histories.prices(other, "USD", request)
      const points = ChartPoints.inOtherCoin(history.points, base.points, id === other).map((point) => {
        return { ...point, close: Quotes.inParts(point.close, count) }
      })
      const newest = points.reduce((last, { observedAt }) => Math.max(last, observedAt), -Infinity)
      return {
        ...history,
        points,
        source: joinSources([history.source, base.source].filter((source) => source !== "")),
        updated: points.length === 0 ? Option.none() : Option.some(DateTime.makeUnsafe(newest))
      }
    })

    const chart = Effect.fnUntraced(function* (
      id: string,
      { precision, vs_currency: vs }: { readonly vs_currency: string; readonly precision?: number | null },
      span: Spans.Span
    ) {
      yield* checked(vs)
      const now = yield* Clock.currentTimeMillis
      const history = yield* pointsOf(id, vs, span)
      const days = span.interval === "day" ? undefined : yield* pointsOf(id, vs, { ...span, interval: "day" })
      // Volumes are in USD.
      const inUsd = vs === "usd" ? history : yield* pointsOf(id, "usd", span)
      const points = ChartPoints.pointsIn(span, history.points, days?.points ?? [], now)
      const unknownAt = points.map(({ stamp }) => [stamp, null])
      const known = [history, ...(days === undefined ? [] : [days])].filter((one) => one.points.length > 0)
      return jsonResponse(
        {
          prices: points.map(({ point, stamp }) => [stamp, price(point.close, precision)]),
          market_caps: unknownAt,
          total_volumes: ChartPoints.volumesOf(points, inUsd.points).map(([stamp, volume]) => [
            stamp,
            volume === null ? null : price(volume, precision)
          ])
        },
        joined(known.map((one) => stampOfHistory(one, span.from))) ?? ownRecordAt(Math.min(span.from, now))
      )
    })

    /** The prices of a coin at a moment, in every currency with a price then; `undefined` if there is none. */
    const pricesAt = Effect.fnUntraced(function* (moment: Moment, id: string) {
      const vss = yield* Currencies.withParts(Currencies.make({ current: past.fx(moment) }, conversions)).all
      const { missing, prices } = yield* past.prices(moment, [id], Quotes.codesOf(vss))
      const failure = missing[0]?.failure
      const isUnobserved = failure?._tag === "Unavailable" && failure.isUnobserved
      if (failure !== undefined && failure._tag !== "NoPrice" && !isUnobserved) return yield* failure
      const known = prices.flatMap(({ cells }) =>
        cells.flatMap(([code, cell]) => (cell === null ? [] : { ...cell, code }))
      )
      if (known.length === 0) return undefined
      const byCode = new Map(known.map(({ code, price }) => [code.toLowerCase(), price]))
      const shown = vss.flatMap((vs) => {
        const { count, of } = unitOf(vs)
        const price = byCode.get(of)
        return price === undefined ? [] : [[vs, figure(Quotes.inParts(price, count))] as const]
      })
      return { prices: Object.fromEntries(shown), stamp: joined(known) }
    })

    const now = <A>(spanAt: (now: number) => Result.Result<A, Spans.Fault>) =>
      Effect.flatMap(Clock.currentTimeMillis, (time) => orInvalid(spanAt(time)))

    const lastDays = Effect.fnUntraced(function* (id: string, query: PastQueryOf<"marketChart">) {
      const span = yield* now((time) => Spans.lastDays(query.days, query.interval, time))
      return yield* chart(id, query, span)
    })

    const between = Effect.fnUntraced(function* (id: string, query: PastQueryOf<"marketChartRange">) {
      const span = yield* now((time) => Spans.between(query, query.interval, time))
      return yield* chart(id, query, span)
    })

    return handlers.handleAll({
      history: Effect.fnUntraced(function* ({ params: { id }, query }) {
        const time = yield* now((current) => Spans.startOfDate(query.date, current))
        const { value } = yield* coins.coin(id)
        // The start of a date is the close of the day before, whose sources may stamp it some seconds later.
        const then = yield* pricesAt({ _tag: "Day", day: time - lengthOf("day") }, id)
        return jsonResponse(
          shaped(CoinOnDay, {
            id,
            symbol: value.symbol.toLowerCase(),
            name: value.name,
            ...(query.localization !== false && { localization: {} }),
            image: { thumb: imageOf(value.image, "thumb"), small: imageOf(value.image, "small") },
            ...(then !== undefined && {
              market_data: { current_price: then.prices, market_cap: {}, total_volume: {} },
              community_data: community,
              developer_data: developer
            })
          }),
          then?.stamp ?? ownRecordAt(time)
        )
      }, refusing),
      marketChart: ({ params: { id }, query }) => lastDays(id, query).pipe(refusing),
      marketChartRange: ({ params: { id }, query }) => between(id, query).pipe(refusing),
      contractChart: ({ params: { contract_address: address, id: platform }, query }) =>
        coinOfContract(coins, platform, address).pipe(
          Effect.flatMap((id) => lastDays(id, query)),
          refusing
        ),
      contractChartRange: ({ params: { contract_address: address, id: platform }, query }) =>
        coinOfContract(coins, platform, address).pipe(
          Effect.flatMap((id) => between(id, query)),
          refusing
        ),
      ohlc: Effect.fnUntraced(function* ({ params: { id }, query }) {
        const { interval, precision, vs_currency: vs } = query
        yield* checked(vs)
        const time = yield* Clock.currentTimeMillis
        const asked = yield* orInvalid(Spans.lastDays(query.days, interval, time))
        const span = ChartPoints.candleSpan(asked, interval)
        const history = yield* pointsOf(id, vs, span)
        const candles = ChartPoints.candlesIn(span, history.points, ChartPoints.candleSize(span, interval), time)
        return jsonResponse(
          candles.map(([stamp, ...figures]) => [stamp, ...figures.map((value) => price(value, precision))]),
          stampOfHistory(history, span.from)
        )
      }, refusing)
    })
  })
)
