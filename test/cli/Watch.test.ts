// `watch` over a scripted server, in the time of the test.
import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Clock, Effect, Fiber, Result } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { watch } from "../../src/cli/Watch.ts"
import { watch as command } from "../../src/cli/WatchCommand.ts"
import { conditionOf } from "../../src/cli/WatchConditions.ts"
import type { Crossing } from "../../src/cli/WatchCrossings.ts"
import { type Target, Undelivered } from "../../src/cli/WatchDeliveries.ts"
import { stateIn } from "../../src/cli/WatchState.ts"
import { capturedLog, temporaryFolder } from "../resources.ts"
import { rule } from "../rulesOf.ts"
import { inProcess } from "./inProcess.ts"
import { answered, coin, problem, row, withoutCoin } from "./watchedServer.ts"

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

/** Watches a server with a state in a file, until the fiber is interrupted; counts the polls. */
const started = Effect.fnUntraced(function* (
  file: string,
  written: ReadonlyArray<string>,
  target: Target,
  answer?: (path: string, updated: string) => Response | undefined
) {
  const clock = yield* Clock.Clock
  let polls = 0
  const { layer, lines } = capturedLog()
  const fetch: typeof globalThis.fetch = async (url) => {
    const updated = new Date(clock.currentTimeMillisUnsafe()).toISOString()
    const isMarket = String(url).includes("/v1/p2p")
    if (isMarket) polls++
    const usual = isMarket ? { markets: [{ ...row, updated }] } : { prices: [{ ...coin, updated }], missing: [] }
    return answer?.(String(url), updated) ?? answered(usual)
  }
  const conditions = written.map((one) => Result.getOrThrow(conditionOf(one)))
  const options = { server: { baseUrl: "http://server" }, conditions, every: 30_000, file, targets: [target] }
  const fiber = yield* watch(options).pipe(
    Effect.provideService(FetchHttpClient.Fetch, fetch),
    Effect.provide([NodeServices.layer, layer]),
    Effect.forkChild({ startImmediately: true })
  )
  return { fiber, lines, polls: () => polls }
})

/** Lets time go on until something holds. The file is in real time. */
const until = (holds: () => boolean) =>
  Effect.repeat(Effect.andThen(TestClock.withLive(Effect.sleep("2 millis")), TestClock.adjust("5 seconds")), {
    until: holds
  })

const stateFile = Effect.map(temporaryFolder, (folder) => join(folder, "inner/watch.json"))

rule("a crossing is delivered until it succeeds, and then never again, whatever restarts", function* () {
  const file = yield* stateFile
  const conditions = ["naira.mid > 1", "price.bitcoin.usd > 1", "naira.mid < 1"]
  const first = target(Infinity)
  const broken = yield* started(file, conditions, first.target)
  yield* until(() => first.given.length > 2)
  assert.include(broken.lines.join("\n"), "Warn --post failed. It will be tried again: naira.mid > 1: naira.mid is 1")
  yield* Fiber.interrupt(broken.fiber)

  const second = target(1)
  const mended = yield* started(file, conditions, second.target)
  yield* until(() => second.given.length >= 3 && mended.polls() >= 6)
  const naira = first.given[0]
  assert.deepStrictEqual(
    second.given.map(({ figure }) => figure),
    ["naira.mid", "price.bitcoin.usd", "naira.mid"]
  )
  assert.deepStrictEqual([second.given[0], second.given[2]], [naira, naira])
  yield* Fiber.interrupt(mended.fiber)

  const third = target(0)
  const again = yield* started(file, conditions, third.target)
  yield* until(() => again.polls() >= 8)
  assert.deepStrictEqual(third.given, [])
  yield* Fiber.interrupt(again.fiber)
})

rule("a crossing that a target refuses for ever delays no other one", function* () {
  const given: Array<string> = []
  const deliver: Target["deliver"] = ({ figure }) =>
    Effect.suspend(() => {
      given.push(figure)
      return figure === "naira.mid" ? Effect.fail(new Undelivered({ detail: "was answered with 413" })) : Effect.void
    })
  let price = 0.5
  const { fiber, polls } = yield* started(
    yield* stateFile,
    ["naira.mid > 1", "price.bitcoin.usd > 1"],
    { name: "post", deliver },
    (path, updated) =>
      path.includes("/v1/p2p")
        ? undefined
        : answered({ prices: [{ ...coin, updated, price: { USD: price } }], missing: [] })
  )
  yield* until(() => given.length > 12)
  assert.notInclude(given, "price.bitcoin.usd")
  // The delay after so many failures is five minutes, ten times that between two polls.
  const before = polls()
  price = 2
  yield* until(() => given.includes("price.bitcoin.usd"))
  assert.isAtMost(polls() - before, 3)
  assert.strictEqual(given.filter((figure) => figure === "price.bitcoin.usd").length, 1)
  yield* Fiber.interrupt(fiber)
})

rule("a market without a rate crosses nothing, and its end and its return are logged once", function* () {
  const { given, target: hook } = target(0)
  let isAway = true
  const { fiber, lines, polls } = yield* started(yield* stateFile, ["naira.mid < 1000000"], hook, () =>
    isAway ? problem(503, "source_unavailable") : undefined
  )
  yield* until(() => polls() > 4)
  assert.deepStrictEqual(given, [])
  assert.lengthOf(
    lines.filter((line) => line.startsWith("Warn No naira.mid. ")),
    1,
    lines.join("\n")
  )
  isAway = false
  yield* until(() => given.length > 0)
  assert.include(lines, "Info Again there are figures of naira.mid")
  // What was crossed before it went away is not crossed anew.
  for (isAway of [true, false]) {
    const before = polls()
    yield* until(() => polls() > before + 3)
  }
  assert.lengthOf(given, 1)
  yield* Fiber.interrupt(fiber)
})

rule("what the server never knew, a file in use and a file of another kind end watch with a sentence", function* () {
  const file = yield* stateFile
  const { target: hook } = target(0)
  const ended = Effect.fnUntraced(function* (condition: string, answer?: () => Response) {
    const { fiber } = yield* started(file, [condition], hook, answer)
    yield* until(() => fiber.pollUnsafe() !== undefined)
    return String(yield* Effect.flip(Fiber.join(fiber)))
  })
  assert.include(
    yield* ended("price.btc.usd > 1", () => withoutCoin("btc")),
    'price.btc.usd > 1: No coin has the id "btc". Did you mean bitcoin'
  )
  const { fiber, polls } = yield* started(file, ["naira.mid > 1"], hook)
  yield* until(() => polls() > 1)
  assert.include(yield* ended("naira.mid > 1"), "another watch uses it. Name another file with --state")
  yield* Fiber.interrupt(fiber)
  yield* Effect.sync(() => writeFileSync(file, "important"))
  assert.include(yield* ended("naira.mid > 1"), "it is no such file. Name another with --state")
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
    "--url must be an address that begins with http:// or https://, such as http://localhost:3000."
  )
  const secret = yield* run("--url", "http://localhost", "--post", "http://me:secret@host/", "naira.mid > 1")
  assert.include(secret.failure, "--post must be an address without a user and a password")
  assert.notInclude(secret.failure, "secret")
  for (const every of ["30s", "30", "0 seconds"]) {
    const { err, failure } = yield* run("--url", "http://localhost", "--every", every, "naira.mid > 1")
    assert.include(err + failure, "a duration from 1 second to 1 day, such as 30 seconds or 5 minutes")
  }
  const unread = yield* run("--url", "http://localhost", "--key-file", "/no/such/file", "naira.mid > 1")
  assert.include(unread.failure, "/no/such/file, cannot be read")
})
