// Several processes that want to know the same, without any Redis: what they share is in memory, and what they hear is dictated.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Option, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Disabled, SourceError } from "../../../src/sources/client/SourceError.ts"
import { Replicas } from "../../../src/sources/dataset/Replicas.ts"
import * as SharedLookups from "../../../src/sources/dataset/SharedLookups.ts"
import { sharedEntries } from "./sharedEntries.ts"
import { unusable } from "../../services/scripted.ts"
import { rule, rulesOf } from "../../rulesOf.ts"

/** Processes that ask for keys: `key` and the number of the call, for a minute; failures for 5 s. */
const setup = Effect.fnUntraced(function* (count: number) {
  const shared = sharedEntries()
  const calls: Array<ReadonlyArray<string>> = []
  let answering: Effect.Effect<unknown, SourceError> = Effect.void
  const make = (origin = "https://a.example") =>
    SharedLookups.make<string>({
      topic: "test",
      origin,
      answer: Schema.String,
      ask: (keys) =>
        Effect.gen(function* () {
          const n = calls.push(keys)
          yield* answering
          return (key) => `${key}${n}`
        }),
      goodFor: () => Duration.minutes(1),
      check: Option.some
    }).pipe(
      Effect.provideService(Replicas, shared.replica()),
      Effect.map(
        (ask) => (keys: ReadonlyArray<string>) =>
          Effect.map(ask(keys), (outcomes) =>
            Object.fromEntries(
              [...outcomes].map(([key, { result }]) => [
                key,
                Result.merge(Result.mapError(result, ({ reason }) => reason._tag))
              ])
            )
          )
      )
    )
  const processes = yield* Effect.forEach(Array.from({ length: count }), () => make())
  /** All of them at once, in as much time as they need. */
  const askAll = (...wanted: ReadonlyArray<ReadonlyArray<string>>) =>
    Effect.gen(function* () {
      const asking = yield* Effect.forkChild(
        Effect.forEach(processes, (ask, n) => ask(wanted[n] ?? []), { concurrency: "unbounded" }),
        { startImmediately: true }
      )
      for (let step = 0; step < 10; step++) yield* TestClock.adjust("100 millis")
      return yield* Fiber.join(asking)
    })
  return { ...shared, calls, make, askAll, processes, does: (next: typeof answering) => void (answering = next) }
})

const ruleWith = rulesOf(it, setup(2))

describe("answers that processes share", () => {
  rule("the first process to take the lease asks for all, and the others read its answer", function* () {
    const { askAll, calls } = yield* setup(4)
    assert.deepStrictEqual(
      yield* askAll(["a"], ["a"], ["a"], ["a"]),
      Array.from({ length: 4 }, () => ({ a: "a1" }))
    )
    assert.deepStrictEqual(calls, [["a"]])
    yield* TestClock.adjust("58 seconds")
    yield* askAll([], [], ["a"])
    assert.strictEqual(calls.length, 1)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual((yield* askAll([], [], ["a"]))[2], { a: "a2" })
  })

  rule("an answer says how long it is still good", function* () {
    const { replica } = sharedEntries()
    const one = SharedLookups.make({
      topic: "test",
      origin: "",
      answer: Schema.String,
      ask: () => Effect.succeed((key) => key),
      goodFor: () => Duration.minutes(1),
      check: Option.some
    }).pipe(Effect.provideService(Replicas, replica()))
    const [first, second] = yield* Effect.all([one, one])
    yield* first(["a"])
    yield* TestClock.adjust("20 seconds")
    assert.strictEqual(Duration.toSeconds((yield* second(["a"])).get("a")?.goodFor ?? Duration.zero), 40)
  })

  ruleWith("a call for one key does not wait for a call for another", function* ({ calls, does, processes }) {
    does(Effect.never)
    yield* Effect.forkChild(processes[0]?.(["a"]) ?? Effect.void, { startImmediately: true })
    yield* Effect.forkChild(processes[1]?.(["b"]) ?? Effect.void, { startImmediately: true })
    assert.deepStrictEqual(calls, [["a"], ["b"]])
  })

  rule("what several want in one moment is asked for once, each key by the first process that wants it", function* () {
    const { askAll, calls, does } = yield* setup(4)
    does(Effect.sleep("50 millis"))
    const answers = yield* askAll(["a", "b"], ["b", "c"], ["d"], ["a"])
    assert.deepStrictEqual(answers, [{ a: "a1", b: "b1" }, { b: "b1", c: "c2" }, { d: "d3" }, { a: "a1" }])
    assert.deepStrictEqual(calls, [["a", "b"], ["c"], ["d"]])
    yield* askAll(["a"], ["e"])
    assert.deepStrictEqual(calls.slice(3), [["e"]])
  })

  rule("a failure is everybody's for as long as it says; what was not even called, only the caller's", function* () {
    const { askAll, calls, does } = yield* setup(3)
    does(Effect.fail(unusable("Test")))
    assert.deepStrictEqual(
      yield* askAll(["a"], ["a"], ["a"]),
      Array.from({ length: 3 }, () => ({ a: "Unusable" }))
    )
    assert.strictEqual(calls.length, 1)
    yield* TestClock.adjust("5 seconds")
    does(Effect.fail(new SourceError({ source: "Test", reason: new Disabled() })))
    yield* askAll(["a"], ["a"], ["a"])
    assert.strictEqual(calls.length, 4)
  })

  ruleWith("when the process that asks dies, another asks", function* ({ calls, does, holdersDie, processes }) {
    does(Effect.never)
    yield* Effect.forkChild(processes[0]?.(["a"]) ?? Effect.void, { startImmediately: true })
    does(Effect.void)
    const other = yield* Effect.forkChild(processes[1]?.(["a"]) ?? Effect.undefined, { startImmediately: true })
    yield* TestClock.adjust("5 seconds")
    assert.isUndefined(other.pollUnsafe())
    holdersDie()
    yield* TestClock.adjust("100 millis")
    assert.deepStrictEqual(yield* Fiber.join(other), { a: "a2" })
    assert.strictEqual(calls.length, 2)
  })

  ruleWith("a look-up that takes longer than a claim lasts is made once", function* ({ calls, does, processes }) {
    does(Effect.sleep("14 seconds"))
    const asking = yield* Effect.forkChild(
      Effect.forEach(processes, (ask) => ask(["a"]), { concurrency: "unbounded" }),
      { startImmediately: true }
    )
    for (let step = 0; step < 150; step++) yield* TestClock.adjust("100 millis")
    assert.deepStrictEqual([yield* Fiber.join(asking), calls], [[{ a: "a1" }, { a: "a1" }], [["a"]]])
  })

  ruleWith("where a look-up dies of a bug, another process asks at once", function* ({ does, processes }) {
    does(Effect.die("bug"))
    yield* Effect.exit(processes[0]?.(["a"]) ?? Effect.void)
    does(Effect.void)
    assert.deepStrictEqual(yield* processes[1]?.(["a"]) ?? Effect.undefined, { a: "a2" })
  })

  ruleWith("when a caller leaves while its process asks, another process asks", function* ({ does, processes }) {
    does(Effect.never)
    const first = yield* Effect.forkChild(processes[0]?.(["a"]) ?? Effect.void, { startImmediately: true })
    yield* Fiber.interrupt(first)
    does(Effect.void)
    assert.deepStrictEqual(yield* processes[1]?.(["a"]) ?? Effect.undefined, { a: "a2" })
  })

  ruleWith("a frozen process's late result does not replace one", function* ({ askAll, does, holdersDie, processes }) {
    const gate = yield* Deferred.make<void>()
    does(Deferred.await(gate))
    const frozen = yield* Effect.forkChild(processes[0]?.(["a"]) ?? Effect.void, { startImmediately: true })
    holdersDie()
    does(Effect.void)
    yield* processes[1]?.(["a"]) ?? Effect.void
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.join(frozen)
    assert.deepStrictEqual((yield* askAll(["a"]))[0], { a: "a2" })
  })

  ruleWith(
    "while Redis is out of reach each process asks for itself, also one that was waiting for another",
    function* ({ askAll, calls, does, goAway, processes }) {
      does(Effect.never)
      yield* Effect.forkChild(processes[0]?.(["a"]) ?? Effect.void, { startImmediately: true })
      does(Effect.void)
      const waiting = yield* Effect.forkChild(processes[1]?.(["a"]) ?? Effect.undefined, { startImmediately: true })
      goAway()
      yield* TestClock.adjust("100 millis")
      assert.deepStrictEqual(yield* Fiber.join(waiting), { a: "a2" })
      yield* askAll(["b"], ["b"])
      assert.strictEqual(calls.length, 4)
    }
  )

  ruleWith("an answer that is damaged or from elsewhere is none", function* ({ entries, askAll, calls, make }) {
    yield* askAll(["a"])
    const elsewhere = yield* make("https://b.example")
    assert.deepStrictEqual(yield* elsewhere(["a"]), { a: "a2" })
    const [name = ""] = entries.keys()
    entries.set(name, {
      text: '{"origin":"https://a.example","outcome":7}',
      version: "v9",
      due: Infinity,
      expires: Infinity
    })
    assert.deepStrictEqual((yield* askAll([], ["a"]))[1], { a: "a3" })
    assert.strictEqual(calls.length, 3)
  })

  rule("where there are no others, nothing is shared", function* () {
    let asked = 0
    const one = yield* SharedLookups.make({
      topic: "test",
      origin: "",
      answer: Schema.Int,
      ask: () => Effect.sync(() => () => ++asked),
      goodFor: () => Duration.minutes(1),
      check: Option.some
    })
    assert.deepStrictEqual(
      [yield* one(["a"]), yield* one(["a"])].map((outcomes) => outcomes.get("a")?.result),
      [Result.succeed(1), Result.succeed(2)]
    )
  })
})
