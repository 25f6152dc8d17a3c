// A replica in small, as a process of its own that can be killed and frozen: one question to one source, due each second, over
// the same layers that `serve` has. It says each new answer on standard output; for each line `look up` it calls the source, and
// for each line `find KEY` it asks as look-ups of callers do, whose answers are shared.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Config, Duration, Effect, Layer, Logger, Option, Redacted, Schedule, Schema, Stream } from "effect"
import { stdin, stdout } from "node:process"
import { createInterface } from "node:readline"
import { linkTo } from "../../src/node/StateLayers.ts"
import type * as Snapshot from "../../src/domain/Snapshot.ts"
import * as Server from "../../src/Server.ts"
import * as Refresher from "../../src/services/refresh/Refresher.ts"
import { whole } from "../../src/services/refresh/Rows.ts"
import * as SharedLookups from "../../src/sources/dataset/SharedLookups.ts"
import { Quidax } from "../../src/sources/p2p/Quidax.ts"
import * as SourceClient from "../../src/sources/client/SourceClient.ts"
import { layerRequirements } from "../../src/sources/client/SourceService.ts"

const say = (what: object) => Effect.sync(() => void stdout.write(`${JSON.stringify(what)}\n`))

const run = Effect.gen(function* () {
  const client = yield* SourceClient.make({
    source: Quidax.terms,
    allowances: [{ calls: 100, per: "1 minute", onDemand: 6 }],
    retries: 0
  })
  const feed = yield* client.dataSet("figure", {
    every: "1 second",
    schema: Schema.Finite,
    check: (value) => ({ value, leftOut: new Map() }),
    fetch: Effect.map(client.get("/figure", Schema.Struct({ figure: Schema.Finite })), ({ body, retrievedAt }) => ({
      value: body.figure,
      retrievedAt
    }))
  })
  const question = yield* Refresher.make({ name: "figure", sources: [feed], rows: whole<number>(), maxAge: "1 hour" })
  let said: Snapshot.Snapshot<number> | undefined
  const tell = Effect.flatMap(question.last, (last) => {
    const next = Option.getOrUndefined(last)
    if (next === undefined || next === said) return Effect.void
    said = next
    return say({ figure: next.value, updated: next.observedAt.epochMilliseconds })
  })
  yield* tell.pipe(Effect.repeat(Schedule.spaced("20 millis")), Effect.forkScoped)

  const lookedUp = client.get("/look-up", Schema.Unknown, { urgency: "on_demand" })
  const lookUp = client
    .lookUp(
      "look-ups",
      (value) => ({ value, leftOut: new Map() }),
      Effect.map(lookedUp, ({ retrievedAt }) => ({ value: "ok", retrievedAt }))
    )
    .pipe(
      Effect.map(({ value }) => value),
      Effect.catch(({ reason }) => Effect.succeed(reason._tag)),
      Effect.flatMap((outcome) => say({ outcome }))
    )
  const ask = yield* SharedLookups.make({
    topic: "found",
    origin: client.origin,
    answer: Schema.Finite,
    ask: (keys) =>
      client.get(`/found/${keys.toSorted().join("+")}`, Schema.Struct({ figure: Schema.Finite })).pipe(
        Effect.map(
          ({ body }) =>
            () =>
              body.figure
        )
      ),
    goodFor: () => Duration.minutes(1),
    check: Option.some
  })
  const find = (key: string) =>
    Effect.flatMap(ask([key]), (outcomes) => say({ outcome: `${key} ${JSON.stringify(outcomes.get(key)?.result)}` }))
  yield* say({ ready: true })
  yield* Stream.fromAsyncIterable(createInterface({ input: stdin }), () => new Error("unreadable")).pipe(
    Stream.runForEach((line) => Effect.forkScoped(line.startsWith("find ") ? find(line.slice(5)) : lookUp))
  )
  return yield* Effect.never
})

const layerState = Layer.unwrap(
  Effect.map(Config.String("REDIS_URL"), (url) => Server.layerReplicas.pipe(Layer.provide(linkTo(Redacted.make(url)))))
)

run.pipe(
  Effect.scoped,
  Effect.provide(layerRequirements.pipe(Layer.provideMerge(layerState))),
  Effect.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
