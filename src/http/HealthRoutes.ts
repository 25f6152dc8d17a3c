// `/healthz` and `/readyz` for monitors: the service is alive while it answers, and ready while every data set is fresh
// enough to serve. Neither waits for a source. The format is draft-inadarei-api-health-check-06.
import { DateTime, Duration, Effect, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { Snapshot } from "../domain/Snapshot.ts"
import { Coins } from "../services/Coins.ts"
import { ExchangeRates } from "../services/ExchangeRates.ts"
import { GlobalMarkets } from "../services/GlobalMarkets.ts"
import { Lifecycle } from "../services/Lifecycle.ts"
import { Naira } from "../services/Naira.ts"
import { OfficialRates } from "../services/OfficialRates.ts"
import * as Paths from "./target/Paths.ts"
import { NO_STORE } from "./response/Headers.ts"

/** A service that holds data answers at once; one that takes longer is waiting for its first data. */
const PATIENCE = "20 millis"

const MEDIA_TYPE = "application/health+json"

type Status = "pass" | "warn" | "fail"

export const HealthRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const lifecycle = yield* Lifecycle
    const checksOf = yield* makeChecks

    const ready = Effect.gen(function* () {
      if (yield* lifecycle.isDraining) {
        return { status: "fail", output: "draining: the service is shutting down", checks: {} } as const
      }
      const checks = yield* Effect.all(checksOf, { concurrency: "unbounded" })
      const lacking = Object.entries(checks).flatMap(([name, { status }]) => (status === "fail" ? [name] : []))
      const isWarning = Object.values(checks).some(({ status }) => status === "warn")
      return {
        status: lacking.length > 0 ? "fail" : isWarning ? "warn" : "pass",
        ...(lacking.length > 0 && { output: `no fresh data: ${lacking.join(", ")}` }),
        checks: Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, [check]]))
      } as const
    })

    yield* router.add("GET", Paths.documents.alive, Effect.succeed(respond({ status: "pass" })))
    yield* router.add("GET", Paths.documents.ready, Effect.map(ready, respond))
  })
)

const respond = (body: { readonly status: Status }) =>
  HttpServerResponse.jsonUnsafe(body, {
    status: body.status === "fail" ? 503 : 200,
    contentType: MEDIA_TYPE,
    headers: { "cache-control": NO_STORE }
  })

const makeChecks = Effect.gen(function* () {
  const official = yield* OfficialRates
  return {
    coins: held((yield* Coins).list),
    global: held((yield* GlobalMarkets).current),
    naira: held((yield* Naira).rate, ({ value }) =>
      value.mid === null ? `no usable price: ${value.reason}` : undefined
    ),
    official_rate: held(
      Effect.flatMap(official.current, (known) =>
        known._tag === "Published" ? Effect.succeed(known.snapshot) : Effect.fail({ message: known.reason })
      )
    ),
    fx: held((yield* ExchangeRates).current)
  }
})

const held = <A>(
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

const failing = (output: string) => ({ status: "fail", componentType: "datastore", output }) as const
