// What replicas share in a real Redis: turns, texts, and the records of keys that are too large.
import { assert, describe, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { ApiKeyStore } from "../../src/access/ApiKeyStore.ts"
import * as ApiKeyRedis from "../../src/persistence/ApiKeyRedis.ts"
import * as RedisReplicas from "../../src/persistence/RedisReplicas.ts"
import { TOO_LARGE } from "../../src/sources/dataset/Replicas.ts"
import { rulesOf } from "../rulesOf.ts"
import { sharedEntries } from "../sources/dataset/sharedEntries.ts"
import { patientLink } from "./patientLink.ts"
import * as RedisProcess from "./RedisProcess.ts"

describe.skipIf(!RedisProcess.isInstalled)("over a running Redis", () => {
  layer(RedisProcess.RunningRedis.layer, { excludeTestServices: true })((it) => {
    const rule = rulesOf(it, RedisProcess.RunningRedis)

    rule("a turn is one process's at a time; all read its text; it replaces none of a later turn", function* (redis) {
      // The entries in memory, which other tests stand on, go through the same steps.
      const context = yield* Layer.build(patientLink(redis.url))
      const inRedis = Effect.provideContext(RedisReplicas.make, context)
      const inMemory = sharedEntries()
      const memory = Effect.sync(inMemory.replica)
      const fleets = [
        { make: inRedis, lapse: redis.ask("HSET cda:{all}:entry:a until 1", "HSET cda:{all}:entry:b until 1") },
        { make: memory, lapse: Effect.sync(inMemory.holdersDie) }
      ]
      const [said, expected] = yield* Effect.forEach(fleets, ({ lapse, make }) =>
        Effect.gen(function* () {
          const [one, two] = [yield* make, yield* make]
          const seen: Array<string> = []
          const look = (who: typeof one, key: string, wants = true, version = "") =>
            Effect.map(who.look([{ key, version, wants, most: 1000 }]), ([found]) => {
              const due = Duration.toMillis(found?.dueIn ?? 0) > 500 ? "later" : "due"
              seen.push(`${found?.text ?? "-"} ${found?.turn} ${due}`)
            })
          const keptFor = Duration.minutes(1)
          const settle = (who: typeof one, key: string, text?: string, dueIn?: Duration.Duration) =>
            Effect.map(
              who.settle([{ key, text, keptFor, ...(dueIn !== undefined && { dueIn }) }]),
              ([version = ""]) => {
                seen.push(version === "" ? "nothing written" : "written")
                return version
              }
            )
          yield* look(two, "a", false)
          yield* look(one, "a")
          yield* look(two, "a")
          yield* look(one, "a")
          yield* settle(two, "a", "forged", keptFor)
          yield* settle(two, "a", "forged")
          const version = yield* settle(one, "a", "1", keptFor)
          yield* look(two, "a")
          yield* look(two, "a", true, version)
          yield* look(one, "a", true, version)
          // A text outside of a turn; the last turn is still the first's.
          yield* settle(two, "a", "2")
          yield* look(one, "a", true, version)
          // A failure, and a turn that is passed on at once.
          yield* look(one, "b")
          yield* settle(one, "b", undefined, keptFor)
          yield* look(two, "b")
          yield* settle(two, "b", undefined, Duration.zero)
          yield* look(two, "b")
          // A holder that died, and wakes up.
          yield* lapse
          yield* look(one, "b")
          yield* settle(one, "b", "3", Duration.zero)
          yield* settle(two, "b", "late", keptFor)
          yield* look(two, "b")
          return seen
        })
      )
      assert.deepStrictEqual(said, expected)
      assert.deepStrictEqual(said?.slice(0, 6), [
        "- other due",
        "- mine due",
        "- other due",
        "- mine due",
        "nothing written",
        "nothing written"
      ])
      assert.include(yield* redis.ask("HGET cda:{all}:entry:b text"), "3")
      // A claim alone expires; so does all else.
      const [one] = [yield* inRedis]
      yield* one.look([{ key: "c", version: "", wants: true, most: 1000 }])
      for (const [key, most] of [
        ["a", 60_000],
        ["b", 60_000],
        ["c", 6000]
      ] as const) {
        const expires = Number((yield* redis.ask(`PTTL cda:{all}:entry:${key}`))[0]?.slice(1))
        assert.isTrue(expires > most / 2 && expires <= most, `${key}: ${expires} ms`)
      }
    })

    rule("what a clock that was ahead wrote keeps nobody from a turn", function* (redis) {
      const context = yield* Layer.build(patientLink(redis.url))
      const one = yield* Effect.provideContext(RedisReplicas.make, context)
      const ahead = (yield* Clock.currentTimeMillis) + 3_600_000
      yield* redis.ask(
        `HSET cda:{all}:entry:d text x version 1 at ${ahead} due ${ahead + 60_000} by other until 0`,
        `HSET cda:{all}:entry:e by other until ${ahead}`
      )
      const seen = yield* one.look(["d", "e"].map((key) => ({ key, version: "", wants: true, most: 1000 })))
      assert.deepStrictEqual(
        seen.map(({ text, turn }) => [text, turn]),
        [
          ["x", "mine"],
          [undefined, "mine"]
        ]
      )
    })

    rule("a text with more bytes than its reader takes is not sent, and such a record is no key", function* (redis) {
      const context = yield* Layer.build(patientLink(redis.url))
      const one = yield* Effect.provideContext(RedisReplicas.make, context)
      const hash = "a".repeat(64)
      yield* redis.ask(
        `HSET cda:{all}:entry:large text ${"x".repeat(101)} version 1`,
        `HSET cda:{all}:entry:fitting text ${"x".repeat(100)} version 1`,
        `HSET cda:{all}:keys ${hash} {${" ".repeat(20_000)}`
      )
      const asked = ["large", "fitting"].map((key) => ({ key, version: "", wants: true, most: 100 }))
      assert.deepStrictEqual(
        (yield* one.look(asked)).map(({ text }) => text),
        [TOO_LARGE, "x".repeat(100)]
      )
      const store = yield* Effect.provide(ApiKeyStore, Layer.provide(ApiKeyRedis.layer, Layer.succeedContext(context)))
      assert.deepStrictEqual(yield* store.all, [])
      assert.isTrue(Option.isNone(yield* store.find(hash)))
      yield* redis.ask(`HDEL cda:{all}:keys ${hash}`)
    })
  })
})
