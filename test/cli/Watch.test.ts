// `watch` over a running service, in simulated time.
import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Effect, Exit, Fiber, Result } from "effect"
import { FetchHttpClient } from "effect/http"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { watch } from "../../src/cli/Watch.ts"
import { watch as command } from "../../src/cli/WatchCommand.ts"
import { conditionOf } from "../../src/cli/WatchConditions.ts"
import type { Crossing } from "../../src/cli/WatchCrossings.ts"
import { type Target, Undelivered } from "../../src/cli/WatchDeliveries.ts"
import { stateIn } from "../../src/cli/WatchState.ts"
import { capturedLog, temporaryFolder } from "../resources.ts"
import { rule, rulesIn } from "../rulesOf.ts"
import { friday, onlyNaira, pass, RunningService, until, untilAnswered, withoutEvidence } from "../RunningService.ts"
import { inProcess } from "./inProcess.ts"

/** A target that fails so often, and what it was given. */
const target = (failures: number) => {
  const given: Array<Crossing> = []
  const deliver: Target["deliver"] = (crossing) =>
    Effect.suspend(() => {
      given.push(crossing)
      return given.length <= failures ? Effect.fail(new Undelivered({ detail: "failed" })) : Effect.void
    })
  return { given, target: { name: "post", deliver } satisfies Target }
}

/** Watches a service with a state in a file, until the fiber is interrupted; counts the answers by status. */
const started = Effect.fnUntraced(function* (file: string, written: ReadonlyArray<string>, target: Target) {
  const { baseUrl } = yield* RunningService
  const statuses: Record<number, number> = {}
  const { layer, lines } = capturedLog()
  const fetch: typeof globalThis.fetch = async (...asked) => {
    const response = await globalThis.fetch(...asked)
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
    return response
  }
  const conditions = written.map((one) => Result.getOrThrow(conditionOf(one)))
  const fiber = yield* watch({
    server: { baseUrl },
    conditions,
    every: 30_000,
    file,
    targets: [target]
  }).pipe(
    Effect.provideService(FetchHttpClient.Fetch, fetch),
    Effect.provide([NodeServices.layer, layer]),
    Effect.forkChild({ startImmediately: true })
  )
  return { fiber, lines, statuses }
})

const service = RunningService.layer({
  at: friday,
  config: { ...withoutEvidence, ...onlyNaira, MAX_AGE_NAIRA: "2 minutes" }
})

const venues = ["BYBIT_P2P", "BITGET_P2P", "QUIDAX", "LUNO"] as const

const stateFile = Effect.map(temporaryFolder, (folder) => join(folder, "inner/watch.json"))

rulesIn(service)("watch", (rule) => {
  rule("a crossing is delivered until it succeeds, and then never again, whatever restarts", function* () {
    const file = yield* stateFile
    yield* untilAnswered("/v1/naira")
    const conditions = ["naira.mid > 1", "price.bitcoin.usd > 1", "naira.mid < 1"]
    const first = target(Infinity)
    const broken = yield* started(file, conditions, first.target)
    yield* until(Effect.sync(() => first.given.length > 2))
    assert.include(broken.lines.join("\n"), "Warn --post failed. It will be tried again: naira.mid > 1: naira.mid is 1")
    yield* Fiber.interrupt(broken.fiber)

    const second = target(1)
    const mended = yield* started(file, conditions, second.target)
    yield* until(Effect.sync(() => second.given.length >= 3 && (mended.statuses[200] ?? 0) >= 3))
    yield* pass("3 minutes")
    const naira = first.given[0]
    assert.deepStrictEqual(
      second.given.map(({ figure }) => figure),
      ["naira.mid", "naira.mid", "price.bitcoin.usd"]
    )
    assert.deepStrictEqual(second.given.slice(0, 2), [naira, naira])
    yield* Fiber.interrupt(mended.fiber)

    const third = target(0)
    const again = yield* started(file, conditions, third.target)
    yield* until(Effect.sync(() => (again.statuses[304] ?? 0) + (again.statuses[200] ?? 0) >= 8))
    assert.deepStrictEqual(third.given, [])
    yield* Fiber.interrupt(again.fiber)
  })

  rule("a market without a rate crosses nothing, and its end and its return are logged once", function* () {
    const file = yield* stateFile
    const { sandbox } = yield* RunningService
    yield* untilAnswered("/v1/naira")
    yield* Effect.forEach(venues, (name) => sandbox.setFault(name, { fault: "server_error" }))
    yield* pass("4 minutes")
    const { given, target: hook } = target(0)
    const { fiber, lines } = yield* started(file, ["naira.mid < 1000000"], hook)
    yield* pass("2 minutes")
    assert.deepStrictEqual(given, [])
    assert.lengthOf(
      lines.filter((line) => line.startsWith("Warn No naira.mid. ")),
      1,
      lines.join("\n")
    )
    yield* Effect.forEach(venues, (name) => sandbox.setFault(name, null))
    yield* until(Effect.sync(() => given.length > 0))
    assert.include(lines, "Info Again there are figures of naira.mid")
    yield* Fiber.interrupt(fiber)
  })

  rule("what the server never knew, a file in use and a file of another kind end watch with a sentence", function* () {
    const file = yield* stateFile
    yield* untilAnswered("/v1/naira")
    const { target: hook } = target(0)
    const ended = Effect.fnUntraced(function* (file: string, ...conditions: ReadonlyArray<string>) {
      const { fiber } = yield* started(file, conditions, hook)
      yield* until(Effect.sync(() => fiber.pollUnsafe() !== undefined))
      return String(Exit.isFailure(yield* Fiber.await(fiber)) ? yield* Effect.flip(Fiber.join(fiber)) : "")
    })
    assert.include(
      yield* ended(file, "price.btc.usd > 1"),
      'price.btc.usd > 1: No coin has the id "btc". Did you mean bitcoin'
    )
    const { fiber } = yield* started(file, ["naira.mid > 1"], hook)
    yield* pass("1 minute")
    assert.include(yield* ended(file, "naira.mid > 1"), "another watch uses it. Name another file with --state")
    yield* Fiber.interrupt(fiber)
    yield* Effect.sync(() => writeFileSync(file, "important"))
    assert.include(yield* ended(file, "naira.mid > 1"), "it is no such file. Name another with --state")
  })
})

rule("figures of another server are forgotten, and crossings that are not delivered are kept", function* () {
  const file = yield* stateFile
  const crossing = {
    id: "1",
    text: "a",
    condition: "naira.mid > 1",
    figure: "naira.mid",
    value: 2,
    updated: "",
    source: "A"
  }
  const seen = { "naira.mid > 1": { isBeyond: true, window: [] } }
  const pending = [{ crossing, targets: ["post"] }]
  const read = (server: string) => Effect.scoped(Effect.map(stateIn(file, server), ({ current }) => current()))
  yield* Effect.gen(function* () {
    yield* Effect.scoped(
      Effect.flatMap(stateIn(file, "http://a"), ({ change }) => change((now) => ({ ...now, seen, pending })))
    )
    assert.deepStrictEqual(yield* read("http://a"), { server: "http://a", seen, pending })
    assert.deepStrictEqual(yield* read("http://b"), { server: "http://b", seen: {}, pending })
  }).pipe(Effect.provide(NodeServices.layer))
})

rule("the command ends with a sentence for each condition and address that is wrong", function* () {
  const run = (...args: ReadonlyArray<string>) => inProcess(command, {}, args)
  const faulty = yield* run("--url", "http://localhost:3000", "niara.mid > 1", "naira.mid > 1", "naira.mid > x")
  assert.include(faulty.failure, "Did you mean naira.mid?")
  assert.include(faulty.failure, '"x" is no level')
  assert.include(
    (yield* run("--url", "localhost:3000", "naira.mid > 1")).failure,
    "is no URL. Give one such as http://localhost:3000"
  )
  const secret = yield* run("--url", "http://localhost", "--post", "http://me:secret@host/", "naira.mid > 1")
  assert.include(secret.failure, "http://host is no URL")
  assert.notInclude(secret.failure, "secret")
  const unread = yield* run("--url", "http://localhost", "--key-file", "/no/such/file", "naira.mid > 1")
  assert.include(unread.failure, "/no/such/file, cannot be read")
})
