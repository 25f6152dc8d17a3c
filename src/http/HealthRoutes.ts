// `/healthz` and `/readyz`, for those who watch over the service: it is alive as long as it answers, and ready when every
// question has an answer that is fresh enough. Neither waits for a source. The format is that of
// https://datatracker.ietf.org/doc/html/draft-inadarei-api-health-check-06.
import { DateTime, Duration, Effect, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { Snapshot } from "../domain/Snapshot.ts"
import { Coins } from "../services/Coins.ts"
import { ExchangeRates } from "../services/ExchangeRates.ts"
import { GlobalMarkets } from "../services/GlobalMarkets.ts"
import { Lifecycle } from "../services/Lifecycle.ts"
import { Naira } from "../services/Naira.ts"
import { OfficialRates } from "../services/OfficialRates.ts"
import { withHeader } from "./response/RequestState.ts"
import * as Paths from "./Paths.ts"

/** An answer that is held is there at once; a question that makes its caller wait has none. */
const PATIENCE = "20 millis"

const MEDIA_TYPE = "application/health+json"

type Status = "pass" | "warn" | "fail"

/** One question: what is held for it, or why that is not enough. */
interface Check {
  readonly status: Status
  readonly componentType: "datastore"
  /** Seconds since the data was observed. */
  readonly observedValue?: number
  readonly observedUnit?: "s"
  /** When the data was observed. */
  readonly time?: string
  readonly source?: string
  readonly output?: string
}

/** Serves both. */
export const HealthRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const lifecycle = yield* Lifecycle
    const questions = yield* Questions

    const ready = Effect.gen(function* () {
      if (yield* lifecycle.isDraining) {
        return { status: "fail", output: "draining: the service is shutting down", checks: {} } as const
      }
      const checks = yield* Effect.all(questions, { concurrency: "unbounded" })
      const lacking = Object.entries(checks).flatMap(([name, { status }]) => (status === "fail" ? [name] : []))
      const isWarning = Object.values(checks).some(({ status }) => status === "warn")
      return {
        status: lacking.length > 0 ? "fail" : isWarning ? "warn" : "pass",
        ...(lacking.length > 0 && { output: `nothing fresh enough is held for: ${lacking.join(", ")}` }),
        checks: Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, [check]]))
      } as const
    })

    yield* router.add("GET", Paths.documents.alive, respond({ status: "pass" }))
    yield* router.add("GET", Paths.documents.ready, Effect.flatMap(ready, respond))
  })
)

const respond = (body: { readonly status: Status }) =>
  Effect.as(
    withHeader("cache-control", "no-store"),
    HttpServerResponse.jsonUnsafe(body, { status: body.status === "fail" ? 503 : 200, contentType: MEDIA_TYPE })
  )

/** A check for each question. */
const Questions = Effect.gen(function* () {
  const naira = yield* Naira
  const official = yield* OfficialRates
  return {
    coins: held((yield* Coins).list),
    global: held((yield* GlobalMarkets).current),
    naira: held(naira.rate, ({ value }) => (value.mid === null ? `no usable price: ${value.reason}` : undefined)),
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
): Effect.Effect<Check> =>
  answer.pipe(
    Effect.flatMap((snapshot) =>
      Effect.map(DateTime.now, (now): Check => {
        const output = doubt(snapshot)
        return {
          status: output === undefined ? "pass" : "warn",
          componentType: "datastore",
          observedValue: Math.round(Duration.toSeconds(DateTime.distance(snapshot.observedAt, now))),
          observedUnit: "s",
          time: DateTime.formatIso(snapshot.observedAt),
          source: snapshot.source,
          ...(output !== undefined && { output })
        }
      })
    ),
    Effect.catch(({ message }) => Effect.succeed(failing(message))),
    Effect.timeoutOption(PATIENCE),
    Effect.map(Option.getOrElse(() => failing("the first answer after the start is still awaited")))
  )

const failing = (output: string): Check => ({ status: "fail", componentType: "datastore", output })
