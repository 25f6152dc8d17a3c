// Whether the service can answer: every data set that users rely on is fresh enough to serve. `/readyz` and the gauge `cda_ready` show
// it. It never waits for a source.
import { DateTime, Duration, Effect, Option } from "effect"
import type { Snapshot } from "../domain/Snapshot.ts"
import { SourceClocks, textOf } from "../sources/client/SourceClocks.ts"
import { Coins } from "./Coins.ts"
import { ExchangeRates } from "./ExchangeRates.ts"
import { GlobalMarkets } from "./GlobalMarkets.ts"
import { Lifecycle } from "./Lifecycle.ts"
import { Naira } from "./Naira.ts"
import { OfficialRates } from "./OfficialRates.ts"

/** A service that has data answers at once; one that takes longer is waiting for its first data. */
export const PATIENCE = "20 millis"

/** Makes the check of all parts; `output` names what is missing. Times are RFC 3339, ages in seconds. */
export const make = Effect.gen(function* () {
  const lifecycle = yield* Lifecycle
  const checksOf = yield* makeChecks
  const clocks = yield* SourceClocks
  return Effect.gen(function* () {
    if (yield* lifecycle.isDraining) {
      return { status: "fail", output: "draining: the service is shutting down", checks: {} } as const
    }
    const wrongBy = clocks.wrongBy()
    const checks = {
      ...(yield* Effect.all(checksOf, { concurrency: "unbounded" })),
      ...(wrongBy !== undefined && { clock: clockCheck(wrongBy) })
    }
    const lacking = Object.entries(checks).flatMap(([name, { status }]) => (status === "fail" ? [name] : []))
    const isWarning = Object.values(checks).some(({ status }) => status === "warn")
    return {
      status: lacking.length > 0 ? "fail" : isWarning ? "warn" : "pass",
      ...(lacking.length > 0 && { output: `no fresh data: ${lacking.join(", ")}` }),
      checks: Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, [check]]))
    } as const
  })
})

const makeChecks = Effect.gen(function* () {
  const official = yield* OfficialRates
  let hadMid = false
  return {
    coins: freshness((yield* Coins).list),
    global: freshness((yield* GlobalMarkets).current),
    // A start without a price is not ready. Later, a market without one is no reason to take the other data away.
    naira: freshness(
      Effect.tap((yield* Naira).rate, ({ value: { mid, reason } }) => {
        hadMid ||= mid !== null
        return hadMid ? Effect.void : Effect.fail({ message: `no usable price so far: ${reason}` })
      }),
      ({ value }) => (value.mid === null ? `no usable price: ${value.reason}` : undefined)
    ),
    official_rate: freshness(
      Effect.flatMap(official.current, (known) =>
        known._tag === "Published" ? Effect.succeed(known.snapshot) : Effect.fail({ message: known.reason })
      )
    ),
    fx: freshness((yield* ExchangeRates).current)
  }
})

const freshness = <A>(
  answer: Effect.Effect<Snapshot<A>, { readonly message: string }>,
  doubt: (snapshot: Snapshot<A>) => string | undefined = () => undefined
) =>
  Effect.gen(function* () {
    const snapshot = yield* answer
    const output = doubt(snapshot)
    return {
      status: output === undefined ? ("pass" as const) : ("warn" as const),
      componentType: "datastore",
      // Seconds since the data was observed.
      observedValue: Math.round(Duration.toSeconds(DateTime.distance(snapshot.observedAt, yield* DateTime.now))),
      observedUnit: "s",
      time: DateTime.formatIso(snapshot.observedAt),
      source: snapshot.source,
      ...(output !== undefined && { output })
    }
  }).pipe(
    Effect.catch(({ message }) => Effect.succeed(failing(message))),
    Effect.timeoutOption(PATIENCE),
    Effect.map(Option.getOrElse(() => failing("still waiting for the first data after the start")))
  )

const clockCheck = (seconds: number) =>
  ({
    status: "warn",
    componentType: "system",
    observedValue: seconds,
    observedUnit: "s",
    output: textOf(seconds)
  }) as const

const failing = (output: string) => ({ status: "fail", componentType: "datastore", output }) as const
