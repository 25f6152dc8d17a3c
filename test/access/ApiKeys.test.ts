// What `ApiKeys` promises about keys that are not in memory, over a store in memory that counts its look-ups.
import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Deferred, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import * as ApiKey from "../../src/access/ApiKey.ts"
import { ApiKeys } from "../../src/access/ApiKeys.ts"
import { ApiKeyStore, ApiKeyStoreError, NO_RECORDS } from "../../src/access/ApiKeyStore.ts"
import { capturedLog } from "../resources.ts"
import { recordOf } from "../cli/NewKey.ts"
import { rulesOf } from "../rulesOf.ts"

/** The nth of 62^3 keys. */
const keyOf = (n: number) =>
  ApiKey.fromRandom(
    Array.from({ length: 32 }, (_, at) => (at === 0 ? n % 62 : at === 1 ? Math.floor(n / 62) % 62 : n / 3844 / at)).map(
      Math.floor
    )
  )

const address = "ip:192.0.2.1"

/** `ApiKeys` over a store in memory. `state.down` makes the store fail; `state.gate` makes `find` wait
 * before it reads, `state.after` after it. */
const service = Effect.gen(function* () {
  const records = new Map<string, ApiKey.KeyRecord>()
  const { layer: log, logged } = capturedLog()
  const state = {
    lookups: 0,
    version: 0,
    versions: 0,
    down: false,
    gate: Effect.void,
    after: Effect.void,
    readGate: Effect.void
  }
  const unlessDown = <A>(read: () => A) =>
    Effect.suspend(() => (state.down ? Effect.fail(new ApiKeyStoreError({ detail: "it is down" })) : Effect.sync(read)))
  const store = ApiKeyStore.of({
    all: Effect.tap(
      unlessDown(() => [...records.values()]),
      () => state.readGate
    ),
    find: (hash) =>
      Effect.suspend(() => {
        state.lookups++
        return Effect.andThen(
          state.gate,
          Effect.tap(
            unlessDown(() => Option.fromNullishOr(records.get(hash))),
            () => state.after
          )
        )
      }),
    version: unlessDown(() => {
      state.versions++
      return state.version === 0 ? NO_RECORDS : String(state.version)
    }),
    put: (record) =>
      Effect.sync(() => {
        records.set(record.hash, record)
        state.version++
      }),
    addUses: () => Effect.void,
    uses: () => Effect.succeed(new Map())
  })
  const context = yield* Layer.build(
    ApiKeys.layerNoDeps.pipe(Layer.provide(Layer.succeed(ApiKeyStore, store)), Layer.provideMerge(log))
  )
  const { authenticate } = Context.get(context, ApiKeys)
  const ask = (key: string, from = address) =>
    authenticate(key, () => from).pipe(
      Effect.map((result) => (result._tag === "Refused" ? result.reason : result._tag)),
      Effect.provideContext(context)
    )
  return { ask, logged, put: (key: string) => store.put(recordOf(key)), state, store }
})

const rule = rulesOf(it, service)

describe("Waiting: a key that is not in memory", () => {
  rule("works from the moment its record is stored, a thousand in a row from one address", function* ({ ask, put }) {
    for (let n = 0; n < 1000; n++) {
      yield* put(keyOf(n))
      assert.strictEqual(yield* ask(keyOf(n)), "Valid")
    }
  })

  rule("works when a hundred are presented at once by one address", function* ({ ask, put }) {
    const keys = Array.from({ length: 100 }, (_, n) => keyOf(n))
    yield* Effect.forEach(keys, put)
    const results = yield* Effect.forEach(keys, (key) => ask(key), { concurrency: "unbounded" })
    assert.deepStrictEqual(new Set(results), new Set(["Valid"]))
  })

  rule("is looked up once: then it is in memory, also if records were being read", function* ({ ask, put, state }) {
    yield* put(keyOf(1))
    const readOn = yield* Deferred.make<void>()
    state.readGate = Deferred.await(readOn)
    yield* TestClock.adjust("3 seconds")
    yield* put(keyOf(2))
    assert.strictEqual(yield* ask(keyOf(2)), "Valid")
    yield* Deferred.succeed(readOn, undefined)
    yield* Effect.yieldNow
    assert.strictEqual(yield* ask(keyOf(2)), "Valid")
    assert.strictEqual(state.lookups, 1)
  })

  rule("stays revoked when a look-up that began before the revocation ends", function* ({ ask, put, state, store }) {
    const key = keyOf(1)
    yield* put(key)
    const found = yield* Deferred.make<void>()
    // The look-up has read the record, and its answer is on its way.
    const late = yield* Effect.forkChild(
      Effect.suspend(() => {
        state.after = Deferred.await(found)
        return ask(key)
      }),
      { startImmediately: true }
    )
    yield* store.put({ ...recordOf(key), revoked: DateTime.makeUnsafe("2026-11-20T12:00:01Z") })
    yield* TestClock.adjust("3 seconds")
    yield* Deferred.succeed(found, undefined)
    assert.strictEqual(yield* Fiber.join(late), "revoked")
    state.after = Effect.void
    assert.strictEqual(yield* ask(key), "revoked")
  })

  rule(
    "stays revoked when a reading of all that began before the revocation ends",
    function* ({ ask, put, state, store }) {
      const key = keyOf(1)
      yield* put(key)
      const readOn = yield* Deferred.make<void>()
      state.readGate = Deferred.await(readOn)
      yield* TestClock.adjust("3 seconds")
      yield* store.put({ ...recordOf(key), revoked: DateTime.makeUnsafe("2026-11-20T12:00:01Z") })
      assert.strictEqual(yield* ask(key), "revoked")
      yield* Deferred.succeed(readOn, undefined)
      yield* Effect.yieldNow
      assert.strictEqual(yield* ask(key), "revoked")
    }
  )

  rule("is refused as revoked if it was, and within 10 s if it is revoked later", function* ({ ask, put, store }) {
    const revoked = { ...recordOf(keyOf(1)), revoked: recordOf(keyOf(1)).created }
    yield* store.put(revoked)
    assert.strictEqual(yield* ask(keyOf(1)), "revoked")
    yield* put(keyOf(1))
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(yield* ask(keyOf(1)), "Valid")
    yield* store.put(revoked)
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(yield* ask(keyOf(1)), "revoked")
  })
})

describe("wrong keys", () => {
  rule("of one address cost at most one look-up per second, 10,000 of them in 10 s", function* ({ ask, state }) {
    for (let tenth = 0; tenth < 100; tenth++) {
      for (let n = 0; n < 100; n++) assert.strictEqual(yield* ask(keyOf(tenth * 100 + n)), "unknown")
      yield* TestClock.adjust("100 millis")
    }
    assert.strictEqual(state.lookups, 10)
  })

  rule("presented all at once cost one look-up", function* ({ ask, state }) {
    const open = yield* Deferred.make<void>()
    state.gate = Deferred.await(open)
    const asking = yield* Effect.forkChild(
      Effect.forEach(
        Array.from({ length: 200 }, (_, n) => keyOf(n)),
        (key) => ask(key),
        { concurrency: "unbounded" }
      )
    )
    yield* Effect.yieldNow
    yield* Deferred.succeed(open, undefined)
    assert.deepStrictEqual(new Set(yield* Fiber.join(asking)), new Set(["unknown"]))
    assert.strictEqual(state.lookups, 1)
  })

  rule("of one address do not delay another's new key, nor does a look-up that hangs", function* ({ ask, put, state }) {
    for (let n = 0; n < 1000; n++) yield* ask(keyOf(n))
    yield* put(keyOf(5000))
    assert.strictEqual(yield* ask(keyOf(5000)), "Valid", "the budget of the address is used up")
    assert.strictEqual(state.lookups, 1)

    yield* TestClock.adjust("1 second")
    state.gate = Effect.never
    yield* Effect.forkChild(ask(keyOf(1001)))
    yield* Effect.yieldNow
    state.gate = Effect.void
    yield* put(keyOf(5001))
    assert.strictEqual(yield* ask(keyOf(5001), "ip:192.0.2.2"), "Valid")
  })

  rule("that are repeated are looked up every 10 s only, and leave a new key room", function* ({ ask, put, state }) {
    for (let n = 0; n < 100; n++) {
      assert.strictEqual(yield* ask(keyOf(1)), "unknown")
      yield* TestClock.adjust("100 millis")
    }
    assert.strictEqual(state.lookups, 1)
    yield* put(keyOf(2))
    yield* ask(keyOf(1))
    yield* TestClock.adjust("1 second")
    yield* ask(keyOf(1))
    assert.strictEqual(yield* ask(keyOf(2)), "Valid")
  })

  rule("are remembered up to 10,000, the oldest dropped first: they fill no memory", function* ({ ask, state }) {
    const numbered = (n: number) => ApiKey.fromRandom(Array.from(String(n).padStart(32, "0"), Number))
    for (let n = 0; n < 10_001; n++) yield* ask(numbered(n), `ip:${n}`)
    assert.strictEqual(state.lookups, 10_001)
    yield* ask(numbered(1), "ip:another")
    assert.strictEqual(state.lookups, 10_001)
    yield* ask(numbered(0), "ip:another")
    assert.strictEqual(state.lookups, 10_002)
  })

  rule(
    "beside which new keys are presented delay none of them, and cost two readings of the store at a time",
    function* ({ ask, put, state }) {
      yield* ask(keyOf(0))
      const before = state.versions
      const asking = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 200 }, (_, n) => keyOf(n)),
          (key) => ask(key),
          { concurrency: "unbounded" }
        )
      )
      for (let n = 5000; n < 5003; n++) {
        yield* put(keyOf(n))
        assert.strictEqual(yield* ask(keyOf(n)), "Valid")
      }
      yield* Fiber.join(asking)
      assert.isAtMost(state.versions - before, 2 + 3)
    }
  )
})

describe("while the store cannot be read", () => {
  rule("an unknown key is neither accepted nor unknown; a known one is valid", function* ({ ask, logged, put, state }) {
    yield* put(keyOf(1))
    yield* TestClock.adjust("3 seconds")
    state.down = true
    for (let n = 2; n < 12; n++) assert.strictEqual(yield* ask(keyOf(n)), "Unavailable")
    assert.strictEqual(yield* ask(keyOf(1)), "Valid")
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(yield* ask(keyOf(2)), "Unavailable")
    assert.deepStrictEqual(logged, [
      "The store of API keys cannot be used: it is down. Until it works, the keys of the last read stay valid"
    ])
    state.down = false
    yield* TestClock.adjust("3 seconds")
    assert.strictEqual(yield* ask(keyOf(3)), "unknown")
    assert.strictEqual(logged.length, 2)
  })
})
