// Two real services on one Redis that is absent, there, emptied, full, frozen, killed and there again. Every endpoint answers
// throughout, the sources are not called more often, data is shared again afterwards, and each change is logged once.
import { assert, it } from "@effect/vitest"
import { Clock, Duration, Effect, Schedule } from "effect"
import * as RedisProcess from "../persistence/RedisProcess.ts"
import { layerWorld, servingWith } from "../cli/ServingProcess.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { agreed, allFine, askAll, untilFine } from "./Endpoints.ts"

/** The lines of a log of JSON that are not mere information, and those on Redis. */
const told = (stdout: string) =>
  stdout
    .split("\n")
    .filter(Boolean)
    .map((line): { readonly level: string; readonly message: unknown } => JSON.parse(line))
    .map(({ level, message }) => `${level.toUpperCase()} ${String(message)}`)
    .filter((line) => !line.startsWith("INFO") || line.includes("Redis"))

const faults = Effect.gen(function* () {
  const { calls: callsSoFar } = yield* Sandbox
  const redis = yield* RedisProcess.make
  const began = yield* Clock.currentTimeMillis

  // Absent.
  // The past is asked for with calls of its own, which would be counted among those that refresh.
  const settings = { REDIS_URL: redis.url, LOG_FORMAT: "json", HISTORY: "off" }
  const replicas = yield* Effect.all([servingWith(settings), servingWith(settings)], { concurrency: 2 })
  const areFine = (when: string) =>
    Effect.forEach(replicas, ({ port }) =>
      Effect.map(askAll(port), (round) => {
        assert.deepStrictEqual(round.statuses, allFine, when)
        return round
      })
    )
  yield* Effect.forEach(replicas, ({ port }) => untilFine(port))
  yield* areFine("absent")
  const afterStart = yield* callsSoFar

  const isLinked = () =>
    replicas.every(({ written }) =>
      told(written.stdout)
        .findLast((line) => line.includes(" Redis "))
        ?.startsWith("INFO Redis answers")
    )

  /** Both are linked and say the same, and it is in Redis. */
  const isShared = Effect.gen(function* () {
    if (!isLinked()) return false
    const keys = yield* redis.ask(
      "EXISTS cda:{all}:entry:coingecko-markets cda:{all}:entry:quidax-book-ngn cda:{all}:entry:frankfurter-rates"
    )
    const [one, two] = yield* Effect.forEach(replicas, ({ port }) => askAll(port))
    return keys.join() === ":3" && one !== undefined && two !== undefined && agreed(one) === agreed(two)
  })
  const untilShared = (when: string) =>
    Effect.sleep("100 millis").pipe(
      Effect.andThen(isShared),
      Effect.repeat({ until: (shared) => shared, schedule: Schedule.spaced("300 millis") }),
      Effect.timeoutOrElse({
        duration: Duration.minutes(2),
        orElse: () => Effect.die(new Error(`not shared ${when}`))
      })
    )

  yield* redis.start
  yield* untilShared("after it was absent")

  yield* redis.ask("FLUSHALL")
  yield* areFine("emptied")
  yield* untilShared("after it was emptied")

  yield* redis.ask("CONFIG SET maxmemory 1mb", "CONFIG SET maxmemory-policy noeviction")
  yield* Effect.sleep("2500 millis")
  yield* areFine("full")
  yield* redis.ask("CONFIG SET maxmemory 0")
  yield* untilShared("after it was full")

  yield* redis.signal("SIGSTOP")
  for (const { longest } of yield* areFine("frozen")) assert.isBelow(longest, 1000)
  yield* Effect.sleep("1 second")
  yield* areFine("frozen for a second")
  yield* redis.signal("SIGCONT")
  yield* untilShared("after it was frozen")

  yield* redis.kill
  yield* areFine("killed")
  yield* redis.start
  yield* untilShared("after it was killed")

  // Each was on its own at the start: two calls. Since then, what fell due, and once more where a lease changed hands.
  const minutes = Math.ceil(((yield* Clock.currentTimeMillis) - began) / 60_000)
  const calls = yield* callsSoFar
  for (const name of ["COINGECKO", "FRANKFURTER", "BYBIT_P2P", "BITGET_P2P", "QUIDAX", "LUNO", "CBN"] as const) {
    const since = calls[name] - afterStart[name]
    const perRound = Math.max(1, Math.ceil(afterStart[name] / 2))
    assert.isAtMost(since, perRound * (minutes + 1), `${name}: ${afterStart[name]} calls, then ${since}`)
  }

  // A busy machine may take the link down once more.
  yield* Effect.sleep("100 millis").pipe(
    Effect.repeat({ until: isLinked }),
    Effect.timeoutOrElse({ duration: "1 minute", orElse: () => Effect.die(new Error("not linked at the end")) })
  )
  for (const { written } of replicas) {
    const lines = told(written.stdout)
    const down = lines.filter((line) => line.startsWith("WARN Redis cannot be used"))
    const up = lines.filter((line) => line.startsWith("INFO Redis answers"))
    assert.isAtLeast(down.length, 4, lines.join("\n"))
    assert.strictEqual(up.length, down.length, lines.join("\n"))
    // One change of state each time, and a few more where the machine is too busy to answer in time.
    assert.isAtMost(down.length, 8, lines.join("\n"))
    // A busy machine keeps sources waiting.
    const others = lines.filter(
      (line) => !/ Redis |API keys|did not answer within|got no answer in time|exchanges answer,/.test(line)
    )
    assert.deepStrictEqual(others, [], others.join("\n"))
    assert.isAtMost(
      lines.filter((line) => !/did not answer within|got no answer in time|exchanges answer,/.test(line)).length,
      3 * down.length + 2
    )
    assert.strictEqual(written.stderr, "")
  }
}).pipe(Effect.provide(layerWorld), Effect.scoped)

it.live.skipIf(!RedisProcess.isInstalled)("two services answer everything through each fault of Redis", () => faults)
