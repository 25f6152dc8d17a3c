// Data sets of three processes over a real Redis that is emptied, frozen, and set back, while one of them stops in the middle of
// asking: in the end all hold the newest, and one asks. The rules of each step are in DataSet.test.ts, in simulated time.
import { it } from "@effect/vitest"
import { Clock, DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { linkTo } from "../../src/node/StateLayers.ts"
import * as RedisReplicas from "../../src/persistence/RedisReplicas.ts"
import * as DataSet from "../../src/sources/dataset/DataSet.ts"
import { Replicas } from "../../src/sources/dataset/Replicas.ts"
import * as RedisProcess from "../persistence/RedisProcess.ts"

const ENTRY = "cda:{all}:entry:test-figure"

it.live.skipIf(!RedisProcess.isInstalled)("walks of a real Redis", () =>
  Effect.gen(function* () {
    const redis = yield* RedisProcess.make
    yield* redis.start
    const calls: Array<string> = []
    const process = Effect.fnUntraced(function* (name: string, key = "test-figure") {
      let asking: Effect.Effect<unknown> = Effect.void
      const replicas = yield* Layer.build(
        Layer.effect(Replicas, RedisReplicas.make).pipe(Layer.provide(linkTo(Redacted.make(redis.url))), Layer.fresh)
      )
      const set = yield* DataSet.make({
        key,
        source: "Test",
        every: "300 millis",
        keeping: { origin: "https://upstream.example", schema: Schema.Finite, most: 1000 },
        fetch: Effect.gen(function* () {
          const value = calls.push(name)
          yield* asking
          const now = yield* DateTime.now
          return { value, source: "Test", observedAt: now, retrievedAt: now }
        })
      }).pipe(Effect.provideContext(replicas))
      yield* Effect.forkScoped(
        set.poll({ question: name, judge: () => Effect.succeed({ isServed: true }), plan: () => {} })
      )
      return { name, held: () => set.state().snapshot?.value ?? 0, does: (next: typeof asking) => void (asking = next) }
    })
    const all = [yield* process("a"), yield* process("b"), yield* process("c")]
    const until = (isSo: () => boolean, what: string) =>
      Effect.repeat(Effect.sleep("20 millis"), { until: isSo }).pipe(
        Effect.timeoutOrElse({
          duration: "30 seconds",
          orElse: () => Effect.die(new Error(`${what}: ${calls.join("")}`))
        })
      )
    /** All hold a figure that was brought from now on. */
    const goesOn = (when: string) => {
      const from = calls.length
      return until(() => all.every(({ held }) => held() > from), `goes on ${when}`)
    }

    yield* goesOn("at the start")
    yield* redis.ask("FLUSHALL")
    yield* goesOn("emptied")

    const last = all.find(({ name }) => name === calls.at(-1))
    const asked = calls.length
    last?.does(Effect.never)
    yield* until(() => calls.slice(asked).includes(last?.name ?? ""), "a call that hangs")
    // As if it were frozen: nothing prolongs its turn.
    yield* redis.ask(`HSET ${ENTRY} until 1`)
    const others = all.filter((one) => one !== last)
    const from = calls.length
    yield* until(() => others.every(({ held }) => held() > from), "goes on without the one that hangs")

    const ahead = (yield* Clock.currentTimeMillis) + 3_600_000
    yield* redis.ask(`HSET ${ENTRY} at ${ahead} due ${ahead} until 0`)
    const then = calls.length
    yield* until(() => others.every(({ held }) => held() > then), "goes on with the clock set back")

    yield* redis.signal("SIGSTOP")
    const frozen = calls.length
    yield* until(() => calls.length > frozen + 2, "goes on while Redis is frozen")
    yield* redis.signal("SIGCONT")
    const thawed = calls.length
    yield* until(() => others.every(({ held }) => held() > thawed), "goes on after it was frozen")

    const other = yield* process("d", "test-other")
    yield* until(() => other.held() > 0, "another market")
  }).pipe(Effect.scoped)
)
