// The price of a coin in a fiat as exact decimals, of the kinds that books use: now, at the close of a day, at a time, the average of some
// days, or the fixing of a P2P market.
import { BigDecimal, Clock, type Config, Context, Data, DateTime, Effect, Layer, Option, Result, Schema } from "effect"
import { USDT } from "../../domain/CoinId.ts"
import { multiplierOf, type Rate } from "../../domain/Conversion.ts"
import { derived, mean } from "../../domain/Decimal.ts"
import { methods } from "../../domain/Methods.ts"
import type { Confidence } from "../../domain/P2pRate.ts"
import { joinSources } from "../../domain/Snapshot.ts"
import { rangeOf } from "../../history/model/HistoryRange.ts"
import * as Interval from "../../history/model/Interval.ts"
import { type Moment, momentOf, startOf } from "../../history/model/Moment.ts"
import { Conversions, type NoPrice } from "../Conversions.ts"
import type { UnknownCoin } from "../Coins.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"
import { Histories } from "./Histories.ts"
import { NoData, Past } from "./Past.ts"

/** Which rate is asked for. Days are `YYYY-MM-DD`; those of closes are UTC, that of a fixing is one of the market's time zone. */
export type RateKind = Data.TaggedEnum<{
  /** The current rate. */
  Spot: {}
  /** The close of a day. */
  Closing: { readonly day: string }
  /** The mean of the closes of the days from `from` to `to`. */
  Average: { readonly from: string; readonly to: string }
  /** The newest rate observed at or before a time. */
  Historical: { readonly time: DateTime.Utc }
  /** The fixing of a P2P market: USDT in its fiat, so the coin must be `tether`. */
  Fixing: { readonly day: string }
}>

export const RateKind = Data.taggedEnum<RateKind>()

/** A day that is not in the calendar or has not begun, or days that are too many. */
export class InvalidDays extends Schema.TaggedError<InvalidDays>()("InvalidDays", { detail: Schema.String }) {}

/** A market has no fixing on a day. */
export class NoFixing extends Schema.TaggedError<NoFixing>()("NoFixing", { reason: Schema.String }) {}

/** Units of the fiat for 1 coin. */
export interface RateOfRecord {
  readonly kind: RateKind
  readonly rate: BigDecimal.BigDecimal
  readonly source: string
  /** The oldest time of its parts; of an average the newest close. */
  readonly observedAt: DateTime.Utc
  /** How sure the rate is, if it has a figure of a P2P market or is current. */
  readonly confidence: Confidence | null
  /** The version of the method that estimated it, if that is known. */
  readonly method: string | null
  /** The days whose closes an average is of: those without a close do not count. `null` for other kinds. */
  readonly days: number | null
}

/** What an amount of the coin is worth in the fiat. */
export interface ValueOfRecord extends RateOfRecord {
  readonly amount: BigDecimal.BigDecimal
  readonly result: BigDecimal.BigDecimal
}

type Failure = UnknownCoin | NoPrice | Unavailable | NoData | InvalidDays | NoFixing

/** Rates of coins (id in lower case) in fiats (code in upper case). */
export class RatesOfRecord extends Context.Service<
  RatesOfRecord,
  {
    readonly rate: (id: string, fiat: string, kind: RateKind) => Effect.Effect<RateOfRecord, Failure>
    /** What an amount of the coin is worth: `amount` × `rate`, to 12 digits or as many as the rate has. */
    readonly value: (
      amount: BigDecimal.BigDecimal,
      id: string,
      fiat: string,
      kind: RateKind
    ) => Effect.Effect<ValueOfRecord, Failure>
  }
>()("crypto-data-api/services/history/RatesOfRecord") {
  static readonly layerNoDeps: Layer.Layer<RatesOfRecord, never, Conversions | Past | Histories> = Layer.effect(
    RatesOfRecord,
    Effect.gen(function* () {
      const conversions = yield* Conversions
      const past = yield* Past
      const histories = yield* Histories

      const at = Effect.fnUntraced(function* (id: string, fiat: string, moment: Moment) {
        if (startOf(moment) > (yield* Clock.currentTimeMillis)) {
          return yield* new InvalidDays({ detail: "must not be in the future" })
        }
        const found = yield* past.rate(moment, { _tag: "Coin", id }, { _tag: "Fiat", code: fiat })
        return stamped(found, found.market?.method ?? null)
      })

      const average = Effect.fnUntraced(function* (id: string, fiat: string, from: string, to: string) {
        yield* Effect.forEach([from, to], dayOf, { discard: true })
        const range = rangeOf({ from, to, interval: "day" }, yield* Clock.currentTimeMillis)
        if (Result.isFailure(range)) return yield* new InvalidDays(range.failure)
        const { points, source, updated } = yield* histories.prices(id, fiat, { range: range.success, isFilled: false })
        if (Option.isNone(updated)) return yield* new NoData({ first: null, last: null })
        const rate = derived(mean(points.map(({ close }) => close)))
        const confidence = conversions.isMisquoted(fiat) ? ("low" as const) : null
        return { rate, source, observedAt: updated.value, confidence, method: null, days: points.length }
      })

      const fixing = Effect.fnUntraced(function* (id: string, fiat: string, day: string) {
        if (id !== USDT) return yield* new NoFixing({ reason: `The fixing is of ${USDT} alone.` })
        const { fixing, missing } = yield* histories.fixing(fiat, startOf(yield* dayOf(day)))
        if (fixing === undefined || fixing.rate === null) {
          return yield* new NoFixing({ reason: fixing?.reason ?? missing ?? "not_published" })
        }
        const { confidence, method, parts, rate } = fixing
        const times = parts.map(({ observedAt }) => observedAt)
        const source = joinSources(parts.map((part) => part.source))
        return { rate, source, observedAt: DateTime.makeUnsafe(Math.min(...times)), confidence, method, days: null }
      })

      const found = (id: string, fiat: string, kind: RateKind): Effect.Effect<Found, Failure> =>
        RateKind.$match(kind, {
          Spot: () =>
            Effect.map(conversions.rate({ _tag: "Coin", id }, { _tag: "Fiat", code: fiat }), (rate) =>
              stamped(rate, rate.legs.some(({ from, to }) => from === USDT && to === fiat) ? methods.p2p : null)
            ),
          Closing: ({ day }) => Effect.flatMap(dayOf(day), (moment) => at(id, fiat, moment)),
          Historical: ({ time }) => at(id, fiat, { _tag: "Time", time: time.epochMilliseconds }),
          Average: ({ from, to }) => average(id, fiat, from, to),
          Fixing: ({ day }) => fixing(id, fiat, day)
        })

      const rate = Effect.fn("RatesOfRecord.rate")(function* (id: string, fiat: string, kind: RateKind) {
        const { rate, ...stamps } = yield* found(id, fiat, kind)
        return { kind, rate: BigDecimal.fromNumberUnsafe(rate), ...stamps } satisfies RateOfRecord
      })

      const value: RatesOfRecord["Service"]["value"] = (amount, id, fiat, kind) =>
        Effect.map(rate(id, fiat, kind), (found) => ({
          ...found,
          amount,
          result: multiplierOf(BigDecimal.toNumberUnsafe(found.rate))(amount)
        }))

      return RatesOfRecord.of({ rate, value })
    })
  )

  static readonly layer: Layer.Layer<RatesOfRecord, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide([Conversions.layer, Past.layer, Histories.layer])
  )

  static readonly layerTest = (service: Partial<RatesOfRecord["Service"]>) => Layer.mock(RatesOfRecord)(service)
}

interface Found extends Omit<RateOfRecord, "kind" | "rate"> {
  readonly rate: number
}

const stamped = ({ confidence, market, rate, source, updated }: Rate, method: string | null): Found => {
  const known = market === undefined ? (confidence ?? null) : market.confidence
  return { rate, source, observedAt: updated, confidence: known, method, days: null }
}

const dayOf = (day: string): Effect.Effect<Moment, InvalidDays> =>
  // A day such as 30 February would be read as one in March.
  Option.match(
    Option.filter(momentOf(day), (moment) => Interval.dayOf(startOf(moment)) === day),
    {
      onNone: () => Effect.fail(new InvalidDays({ detail: `${day} is not a day of the calendar` })),
      onSome: Effect.succeed
    }
  )
