import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber, Layer, Option } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import type { CoinGecko } from "../../src/sources/market/CoinGecko.ts"
import * as Judgements from "../../src/services/judge/Judgements.ts"
import * as LookedUpCoins from "../../src/services/LookedUpCoins.ts"
import { Replicas } from "../../src/sources/dataset/Replicas.ts"
import { sharedEntries } from "../sources/dataset/sharedEntries.ts"
import { atNoon, coin, gecko, instant, listOf, NOW, unreachable } from "./scripted.ts"
import { rule } from "../rulesOf.ts"

const HOUR = Duration.hours(1)

/** Knows every coin but those called `no-such-coin…`. */
const known = (ids: ReadonlyArray<string>) =>
  listOf(ids.filter((id) => !id.startsWith("no-such-coin")).map((id) => coin(id, { updated: instant(NOW - 60_000) })))

const setup = Effect.fnUntraced(function* (coins: CoinGecko["Service"]["coinsById"] = known) {
  yield* atNoon
  const source = yield* gecko({ coinsById: (ids) => coins(ids) })
  const { byId: lookup } = yield* LookedUpCoins.make(source.service, HOUR)
  /** All at once, and then the moment in which look-ups are gathered. */
  const getAll = (ids: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const all = yield* Effect.forkChild(
        Effect.forEach(ids, (id) => Effect.exit(lookup.get(id)), { concurrency: "unbounded" }),
        { startImmediately: true }
      )
      yield* TestClock.adjust("20 millis")
      return yield* Fiber.join(all)
    })
  const get = (id: string) => Effect.flatMap(getAll([id]), ([exit]) => exit ?? Effect.die("no answer"))
  return { get, getAll, lookup, lookUps: source.lookUps }
})

describe("the look-up of a coin", () => {
  rule("300 ids that come together make 2 calls, of 250 and 50", function* () {
    const { getAll, lookUps } = yield* setup()
    const ids = Array.from({ length: 300 }, (_, n) => (n % 3 === 0 ? `no-such-coin-${n}` : `coin-${n}`))
    const found = yield* getAll(ids)
    assert.deepStrictEqual(
      lookUps.map((batch) => batch.length),
      [250, 50]
    )
    assert.deepStrictEqual(lookUps.flat(), ids)
    const answers = yield* Effect.forEach(found, (exit) => exit)
    assert.strictEqual(answers.filter(Option.isSome).length, 200)
  })

  rule("a coin found has its own time and its source's name", function* () {
    const { get } = yield* setup()
    const found = Option.getOrThrow(yield* get("a"))
    assert.strictEqual(found.observedAt.epochMilliseconds, NOW - 60_000)
    assert.strictEqual(found.source, "CoinGecko")
  })

  rule("what was found is kept for a refresh of the list, what is unknown for five minutes", function* () {
    const { getAll, lookUps } = yield* setup()
    yield* getAll(["a", "no-such-coin"])
    yield* TestClock.adjust("59 seconds")
    yield* getAll(["a", "no-such-coin"])
    assert.strictEqual(lookUps.length, 1)
    yield* TestClock.adjust("1 second")
    yield* getAll(["a", "no-such-coin"])
    assert.deepStrictEqual(lookUps.slice(1), [["a"]])
    yield* TestClock.adjust("4 minutes")
    yield* getAll(["no-such-coin"])
    assert.deepStrictEqual(lookUps.slice(2), [["no-such-coin"]])
  })

  rule("what was found or not stands while no source can be asked, until it is older than the maximum", function* () {
    let down = false
    const { get } = yield* setup((ids) => (down ? Effect.fail(unreachable("CoinGecko")) : known(ids)))
    yield* Effect.forEach(["a", "no-such-coin"], get)
    down = true
    yield* TestClock.adjust("58 minutes")
    assert.strictEqual(Option.getOrThrow(yield* get("a")).observedAt.epochMilliseconds, NOW - 60_000)
    assert.isTrue(Option.isNone(yield* get("no-such-coin")))
    yield* TestClock.adjust("3 minutes")
    for (const id of ["a", "no-such-coin"]) assert.strictEqual((yield* Effect.flip(get(id))).reason._tag, "Unreachable")
  })

  it.effect.each([
    ["a coin observed longer ago than the maximum age", "Unusable", 0],
    ["CoinGecko out of reach, which another replica may reach", "Unreachable", 1]
  ] as const)("%s is a failure; replicas share what CoinGecko said, and no more", ([, reason, again]) =>
    Effect.gen(function* () {
      const old = (ids: ReadonlyArray<string>) =>
        listOf(ids.map((id) => coin(id, { updated: instant(NOW - 3_600_001) })))
      const away = () => Effect.fail(unreachable("CoinGecko"))
      const shared = sharedEntries()
      for (const calls of [1, again]) {
        const service = setup(reason === "Unusable" ? old : away)
        const { lookUps, lookup } = yield* Effect.provideService(service, Replicas, shared.replica())
        const asking = yield* Effect.forkChild(Effect.flip(lookup.get("a")), { startImmediately: true })
        yield* TestClock.adjust("50 millis")
        assert.strictEqual((yield* Fiber.join(asking)).reason._tag, reason)
        assert.strictEqual(lookUps.length, calls)
      }
    })
  )

  /** A process that looks up coins, whose price a test sets, and keeps what is believed. */
  const process = Effect.fnUntraced(function* (
    services: Layer.Layer<never> | Layer.Layer<KeyValueStore.KeyValueStore>
  ) {
    yield* atNoon
    let [price, updated] = [1, NOW - 60_000]
    const kept = Layer.merge(services, Layer.provide(Layer.fresh(Judgements.layer), services))
    const { get } = yield* Effect.provideContext(
      setup((ids) => listOf(ids.map((id) => coin(id, { price, updated: instant(updated) })))),
      yield* Layer.build(kept)
    )
    const served = Effect.fnUntraced(function* (said: number) {
      ;[price, updated] = [said, (yield* Clock.currentTimeMillis) - 1000]
      return Option.map(yield* Effect.option(get("a")), (found) => Option.getOrUndefined(found)?.value.price)
    })
    return served
  })

  rule("a price that jumps is held back by every replica, whichever served the coin before", function* () {
    const shared = sharedEntries()
    const replica = () => process(Layer.succeed(Replicas, shared.replica()))
    const [a, b] = [yield* replica(), yield* replica()]
    assert.deepStrictEqual(yield* a(1), Option.some(1))
    yield* TestClock.adjust("6 minutes")
    assert.deepStrictEqual([yield* b(1000), yield* a(1000)], [Option.none(), Option.some(1)])
    for (const served of [1, 1000]) {
      yield* TestClock.adjust("6 minutes")
      assert.deepStrictEqual(yield* a(1000), Option.some(served))
    }
  })

  rule("a price that jumps is held back after a restart", function* () {
    const store = Layer.succeedContext(yield* Layer.build(KeyValueStore.layerMemory))
    assert.deepStrictEqual(yield* Effect.scoped(Effect.flatMap(process(store), (served) => served(1))), Option.some(1))
    const served = yield* process(store)
    for (const expected of [Option.none(), Option.none(), Option.some(1000)]) {
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(yield* served(1000), expected)
    }
  })
})
