// When a source is left alone: by its own word, after a ban, and after failures in a row.
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, identity, Layer, Metric } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import * as SourceClient from "../../../src/sources/client/SourceClient.ts"
import { layerRequirements } from "../../../src/sources/client/SourceService.ts"
import { Bitstamp } from "../../../src/sources/exchange/Bitstamp.ts"
import {
  overHttp,
  reasonOf,
  type ScriptedAnswer,
  scriptedUpstream,
  source,
  tagOf,
  whileTimePasses
} from "../ScriptedUpstream.ts"
import { rule } from "../../rulesOf.ts"
import { Body, good, NOW, oneCall, script, status } from "./scriptedClient.ts"

describe("429", () => {
  /** Asks once, gets a 429 with this header, and returns the pause that follows, in seconds. */
  const pauseAfter = Effect.fnUntraced(function* (header: string | undefined) {
    const headers: Readonly<Record<string, string>> = header === undefined ? {} : { "retry-after": header }
    const { call, count, get } = yield* script([status(429, headers), good])
    const refused = yield* reasonOf(get)
    const held = yield* reasonOf(call({ urgency: "on_demand" }))
    assert.strictEqual(count(), 1)
    assert.deepStrictEqual(
      [refused._tag, "retryAfter" in refused && "retryAfter" in held && refused.retryAfter === held.retryAfter],
      ["RateLimited", true]
    )
    const seconds = "retryAfter" in held ? held.retryAfter : Number.NaN
    yield* TestClock.adjust(seconds * 1000 - 1)
    assert.strictEqual(yield* tagOf(call({ urgency: "on_demand" })), "RateLimited")
    assert.strictEqual(count(), 1)
    yield* TestClock.adjust(1)
    yield* get
    assert.strictEqual(count(), 2)
    return seconds
  })

  rule("no call is made until Retry-After has passed, whether in seconds or as a date", function* () {
    assert.strictEqual(yield* pauseAfter("30"), 30)
    assert.strictEqual(yield* pauseAfter("Sun, 13 Sep 2026 17:54:15 GMT"), 45)
  })

  rule("without one, or with nonsense, a minute", function* () {
    for (const header of [undefined, "", "soon", "9".repeat(400), "-5", "1.5", "86401"]) {
      assert.strictEqual(yield* pauseAfter(header), 60, header)
    }
  })

  rule("a day is believed, the past is a second", function* () {
    assert.strictEqual(yield* pauseAfter("86400"), 86_400)
    assert.strictEqual(yield* pauseAfter("0"), 1)
    assert.strictEqual(yield* pauseAfter("Sun, 13 Sep 2020 17:54:15 GMT"), 1)
  })

  rule("the pause begins again where the clock is set back, and ends while it is still behind", function* () {
    const { count, get } = yield* script([status(429, { "retry-after": "30" }), good])
    yield* Effect.flip(get)
    yield* TestClock.setTime(NOW - 3_600_000)
    assert.deepInclude(yield* reasonOf(get), { _tag: "RateLimited", retryAfter: 30 })
    yield* TestClock.adjust("30 seconds")
    // The budget's own pause begins again too.
    yield* Effect.flip(get)
    yield* TestClock.adjust("30 seconds")
    yield* get
    assert.strictEqual(count(), 2)
  })

  rule("of two that are asked for at once the longer pause counts", function* () {
    for (const seconds of [
      ["60", "5"],
      ["5", "60"]
    ]) {
      const { count, get } = yield* script(seconds.map((one) => status(429, { "retry-after": one })))
      yield* Effect.all([Effect.flip(get), Effect.flip(get)], { concurrency: "unbounded" })
      assert.deepInclude(yield* reasonOf(get), { _tag: "RateLimited", retryAfter: 60 })
      assert.strictEqual(count(), 2)
    }
  })

  rule("the circuit stays closed: the pause is enough", function* () {
    const { get } = yield* script([...Array.from({ length: 4 }, () => status(429, { "retry-after": "1" })), good])
    for (let n = 0; n < 4; n++) {
      assert.strictEqual(yield* tagOf(get), "RateLimited")
      yield* TestClock.adjust("1 second")
    }
    assert.strictEqual((yield* get).body.price, 1391.75)
  })
})

describe("a ban", () => {
  /** A client of a source that bans this address, with this store. */
  const started = (url: string) =>
    Effect.gen(function* () {
      const services = yield* Layer.build(
        Layer.fresh(
          Layer.merge(
            layerRequirements,
            ConfigProvider.layer(ConfigProvider.fromUnknown({ TEST_SOURCE_BASE_URL: url }))
          )
        )
      )
      const client = yield* Effect.provideContext(SourceClient.make({ source }), services)
      return Effect.flip(client.get("/price", Body))
    })

  rule("holds over restarts, on disk, and its failure names it each time", function* () {
    yield* TestClock.setTime(NOW)
    const { requests, url } = yield* scriptedUpstream(() => status(418, { "retry-after": "7200" }))
    const texts: Array<string> = []
    yield* Effect.gen(function* () {
      for (let restart = 0; restart < 3; restart++) {
        const get = yield* started(url)
        texts.push((yield* get).message, (yield* get).message)
        yield* TestClock.adjust("30 minutes")
      }
      assert.strictEqual(requests().length, 1)
      yield* TestClock.adjust("30 minutes")
      yield* yield* started(url)
      assert.strictEqual(requests().length, 2)
    }).pipe(Effect.provide(KeyValueStore.layerMemory))
    const banned = (seconds: number) => `Test Source has banned this address for its calls; next try in ${seconds} s`
    assert.deepStrictEqual(texts, [7200, 7200, 5400, 5400, 3600, 3600].map(banned))
  })

  rule("is shared by all clients of a source, such as those of tickers and candles", function* () {
    yield* TestClock.setTime(NOW)
    const { requests, url } = yield* scriptedUpstream(() => status(429, { "retry-after": "60" }))
    const { candles, tickers } = yield* Effect.provide(
      Bitstamp.useSync(identity),
      overHttp(Bitstamp.layerNoDeps, { BITSTAMP_BASE_URL: url })
    )
    assert.strictEqual(yield* tagOf(tickers.get), "RateLimited")
    const asked = { market: "btcusd", interval: "day", first: 0, last: 0, urgency: "on_demand" } as const
    assert.strictEqual(yield* whileTimePasses(tagOf(candles(asked))), "RateLimited")
    assert.strictEqual(requests().length, 1)
  })

  rule("is a 503 with Retry-After too; without one it is a failure that is tried again", function* () {
    const closed = yield* script([status(503, { "retry-after": "90" }), good])
    assert.deepInclude(yield* reasonOf(closed.get), { _tag: "RateLimited", retryAfter: 90, status: 503 })
    assert.strictEqual(closed.count(), 1)
    const failing = yield* script([status(503), good])
    assert.strictEqual((yield* whileTimePasses(failing.get)).body.price, 1391.75)
  })
})

describe("the circuit", () => {
  rule("opens after three failures in a row; then nothing is asked until it tries again", function* () {
    const isOpen = Effect.map(Metric.snapshot, (all) =>
      all.flatMap((one) => (one.type === "Gauge" && one.attributes?.["circuit"] === "price" ? [one.state.value] : []))
    )
    const { count, get } = yield* script([status(403), status(403), status(403), good])
    for (let n = 0; n < 3; n++) assert.strictEqual(yield* tagOf(get), "BadStatus")
    assert.deepInclude(yield* reasonOf(get), { _tag: "Suspended", retryAfter: 5 })
    yield* TestClock.adjust(4999)
    assert.strictEqual(yield* tagOf(get), "Suspended")
    assert.strictEqual(count(), 3)
    assert.deepStrictEqual(yield* isOpen, [1])
    yield* TestClock.adjust(1)
    assert.strictEqual((yield* get).body.price, 1391.75)
    yield* get
    assert.strictEqual(count(), 5)
    assert.deepStrictEqual(yield* isOpen, [0])
  })

  rule("a failed try rests it for longer", function* () {
    const { count, get } = yield* script([status(403)])
    for (let n = 0; n < 3; n++) yield* Effect.flip(get)
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(yield* tagOf(get), "BadStatus")
    assert.deepInclude(yield* reasonOf(get), { _tag: "Suspended", retryAfter: 10 })
    assert.strictEqual(count(), 4)
  })

  const [bad, nonsense] = [status(403), status(200, {}, "<html>")]
  const shut = ["BadStatus", "BadStatus", "BadStatus", "BadStatus"]
  it.effect.each<readonly [what: string, answers: ReadonlyArray<ScriptedAnswer>, tags: ReadonlyArray<string>]>([
    [
      "stays closed by a success between failures",
      [bad, bad, good, bad, bad, good],
      [...shut.slice(2), "", ...shut.slice(2), "", ""]
    ],
    ["opens after nonsense with status 200", [nonsense], ["Undecodable", "Undecodable", "Undecodable", "Suspended"]],
    ...[400, 404, 413, 414, 422].map(
      (code) => [`stays closed after a request that is refused: ${code}`, [status(code)], shut] as const
    )
  ])("%s", ([, answers, tags]) =>
    Effect.gen(function* () {
      const { get } = yield* script(answers)
      for (const tag of tags)
        assert.strictEqual(
          yield* Effect.match(get, { onFailure: ({ reason }) => reason._tag, onSuccess: () => "" }),
          tag
        )
    })
  )

  rule("data sets with circuits of their own fail apart", function* () {
    const { call, count } = yield* script([status(403), status(403), status(403), good])
    for (let n = 0; n < 3; n++) yield* Effect.flip(call({ circuit: "list" }))
    assert.strictEqual(yield* tagOf(call({ circuit: "list" })), "Suspended")
    assert.strictEqual((yield* call({ circuit: "global" })).body.price, 1391.75)
    assert.strictEqual(count(), 4)
  })

  rule("calls that our own budget refused do not count against the source", function* () {
    const { call } = yield* script([good], { allowances: oneCall })
    yield* call()
    for (let n = 0; n < 4; n++) assert.strictEqual(yield* tagOf(call({ urgency: "on_demand" })), "OverBudget")
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* call()).body.price, 1391.75)
  })
})
