// Fiat rates against the US dollar. Sources in order: Frankfurter, currency-api. All are official rates, not those of P2P markets.
// The naira's is that of `OfficialRates`, so that every answer has the same official naira rate.
import { type Config, Context, DateTime, Duration, Effect, Layer, Option, Record } from "effect"
import { dayObserved, type FxRates, STALE_DAYS, startOfDay } from "../domain/FxRates.ts"
import { OFFICIAL_FIAT, type OfficialRate } from "../domain/OfficialRate.ts"
import { joinSources, type Snapshot } from "../domain/Snapshot.ts"
import { dataSetsOf, layerWith, type SourcesWith } from "../sources/Sources.ts"
import { memoized } from "../domain/rememberEach.ts"
import { type Official, OfficialRates } from "./OfficialRates.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as Patience from "./refresh/Patience.ts"
import * as Rules from "./judge/Rules.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { fxRows } from "./refresh/Rows.ts"
import type { Unavailable } from "./refresh/Unavailable.ts"

/** Fiat rates: units of a fiat per 1 USD. */
export class ExchangeRates extends Context.Service<
  ExchangeRates,
  {
    /**
     * Each currency from a source whose rate is at most `MAX_AGE_FX` (7 days) old: of those that agree the one of the newest day, of
     * these the first. Stamped with the start of the newest day, UTC. Without the naira while there is no official rate of it.
     */
    readonly current: Effect.Effect<Snapshot<FxRates>, Unavailable>
    /** The same without waiting, for answers that can do without it. */
    readonly known: Effect.Effect<Option.Option<Snapshot<FxRates>>>
    /** Whether a source has a rate of the currency that is too old, or may have one but has not answered yet. */
    readonly mayHave: (code: string) => Effect.Effect<boolean>
  }
>()("crypto-data-api/services/ExchangeRates") {
  static readonly layerNoDeps: Layer.Layer<ExchangeRates, Config.ConfigError, SourcesWith<"fx"> | OfficialRates> =
    Layer.effect(
      ExchangeRates,
      Effect.gen(function* () {
        const official = yield* OfficialRates
        const question = yield* Refresher.make({
          name: "fiat rates",
          sources: yield* dataSetsOf("fx"),
          rows: fxRows,
          rules: Rules.fx,
          maxAge: yield* maxAges.fx,
          staleAfter: Duration.days(STALE_DAYS)
        })
        const combined = memoized(withOfficial)
        const current = Effect.gen(function* () {
          const rates = yield* question.answer
          return combined(rates, publishedIn(yield* Patience.briefly(official.current)))
        })
        const known = Effect.gen(function* () {
          const [rates, naira] = [yield* question.current, publishedIn(yield* official.known)]
          return Option.map(rates, (fx) => combined(fx, naira))
        })
        const mayHave = (code: string) =>
          code === OFFICIAL_FIAT
            ? Effect.succeed(true)
            : Effect.map(question.rowsBySource, (all) => all.some((rates) => rates.size === 0 || rates.has(code)))
        return ExchangeRates.of({ current, known, mayHave })
      })
    )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([layerWith("fx"), OfficialRates.layer]))

  static readonly layerTest = ({ current }: Pick<ExchangeRates["Service"], "current">) =>
    Layer.succeed(ExchangeRates, { current, known: Effect.option(current), mayHave: () => Effect.succeed(false) })
}

const publishedIn = (official: Official): Snapshot<OfficialRate> | undefined =>
  official._tag === "Published" ? official.snapshot : undefined

/** The rates with the official naira rate in place of the sources' own. */
const withOfficial = (fx: Snapshot<FxRates>, naira: Snapshot<OfficialRate> | undefined): Snapshot<FxRates> => {
  const { [OFFICIAL_FIAT]: _, ...rates } = fx.value.rates
  const { [OFFICIAL_FIAT]: __, ...days } = fx.value.observed
  const observed = Record.map(days, (date) => dayObserved(date, fx.retrievedAt))
  const sources = Object.fromEntries(Object.keys(observed).map((code) => [code, fx.value.sources?.[code] ?? fx.source]))
  if (naira === undefined) return { ...fx, value: { rates, observed, sources } }
  const { date, rate } = naira.value
  return {
    source: joinSources([fx.source, naira.source]),
    observedAt: DateTime.max(fx.observedAt, DateTime.min(startOfDay(date), naira.retrievedAt)),
    retrievedAt: DateTime.min(fx.retrievedAt, naira.retrievedAt),
    value: {
      rates: { ...rates, [OFFICIAL_FIAT]: rate },
      observed: { ...observed, [OFFICIAL_FIAT]: date },
      sources: { ...sources, [OFFICIAL_FIAT]: naira.source }
    }
  }
}
