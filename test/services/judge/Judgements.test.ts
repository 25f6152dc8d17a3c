import { assert } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, Layer, Schema } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import { jump } from "../../../src/domain/Thresholds.ts"
import type { Rules, Source } from "../../../src/services/judge/Judge.ts"
import * as Judgements from "../../../src/services/judge/Judgements.ts"
import * as Judging from "../../../src/services/judge/Judging.ts"
import { Replicas } from "../../../src/sources/dataset/Replicas.ts"
import { type FindNewest, layerRecord, newestOf } from "../../history/layerRecord.ts"
import { observed } from "../../history/records.ts"
import { rule } from "../../rulesOf.ts"
import { sharedEntries } from "../../sources/dataset/sharedEntries.ts"
import { atNoon, instant, NOW } from "../scripted.ts"

const rules: Rules<number> = { saved: Schema.Finite, figures: (figure) => [figure], jump: () => jump }

/** A figure that a source observed so many seconds after noon. */
const said = (value: number, second: number): ReadonlyArray<Source<number>> => {
  const at = instant(NOW + second * 1000)
  return [
    { rows: new Map([["x", { value, key: "A", source: "A", observedAt: at, retrievedAt: at }]]), freshUntil: Infinity }
  ]
}

/** A judge of a process with these services. Returns what it serves after a figure. */
const judge = Effect.fnUntraced(function* <A>(services: Layer.Layer<A>) {
  const context = yield* Layer.build(Layer.fresh(Judgements.layer).pipe(Layer.provide(services)))
  const judging = yield* Judging.make({ name: "test", rules, maxAge: Duration.hours(1) }).pipe(
    Effect.provideService(Judgements.Judgements, Context.get(context, Judgements.Judgements))
  )
  return (value: number, second: number) =>
    Effect.map(judging.see(said(value, second)), ({ rows }) => rows.get("x")?.value)
})

rule("a replica believes what the one with the lease believes", function* () {
  yield* atNoon
  const shared = sharedEntries()
  const replica = () => judge(Layer.succeed(Replicas, shared.replica()))
  const [leader, follower] = [yield* replica(), yield* replica()]
  yield* leader(1, 0)
  yield* follower(1, 0)
  yield* TestClock.adjust("25 seconds")
  for (const second of [26, 27, 28]) yield* leader(10, second)
  assert.strictEqual(yield* leader(10, 28), 10)
  yield* TestClock.adjust("25 seconds")
  assert.strictEqual(yield* follower(10, 28), 10)
})

rule("a claim goes on after a restart", function* () {
  yield* atNoon
  const store = yield* Layer.build(KeyValueStore.layerMemory)
  const start = judge(Layer.succeed(KeyValueStore.KeyValueStore, Context.get(store, KeyValueStore.KeyValueStore)))
  const before = yield* start
  yield* before(1, 0)
  yield* before(10, 1)
  assert.strictEqual(yield* before(10, 2), 1)
  yield* TestClock.adjust("12 seconds")
  const after = yield* start
  assert.strictEqual(yield* after(10, 2), 1)
  assert.strictEqual(yield* after(10, 3), 10)
})

rule("a first figure is compared with the own record of seven days, once for each key", function* () {
  yield* atNoon
  const asked: Array<ReadonlyMap<string, number>> = []
  const newest: FindNewest = (times, reach) => {
    asked.push(times)
    assert.strictEqual(reach, 7 * 86_400_000)
    const [series = ""] = times.keys()
    return Effect.succeed({
      observations: new Map([[series, [observed(series, NOW - 3_600_000, 1)]]]),
      hours: new Map(),
      days: new Map()
    })
  }
  const judging = yield* Effect.provide(
    Judging.make({ name: "test", rules: { ...rules, seriesOf: (key) => `coin/${key}` }, maxAge: Duration.hours(1) }),
    layerRecord({ newestAt: newestOf(newest) })
  )
  const served: Array<number | undefined> = []
  for (const [figure, second] of [
    [10, 0],
    [10, 1],
    [10, 2]
  ] as const) {
    served.push((yield* judging.see(said(figure, second))).rows.get("x")?.value)
  }
  assert.deepStrictEqual(served, [undefined, undefined, 10])
  assert.deepStrictEqual(asked, [new Map([["coin/x", NOW]])])
})

rule("sources that answer while the record is read are judged in their order", function* () {
  yield* atNoon
  const newest: FindNewest = () =>
    Effect.succeed({
      observations: new Map([["coin/x", [observed("coin/x", NOW, 1)]]]),
      hours: new Map(),
      days: new Map()
    }).pipe(Effect.delay("100 millis"))
  const judging = yield* Effect.provide(
    Judging.make({ name: "test", rules: { ...rules, seriesOf: (key) => `coin/${key}` }, maxAge: Duration.hours(1) }),
    layerRecord({ newestAt: newestOf(newest) })
  )
  const seen = yield* Effect.forkChild(
    Effect.forEach([said(10, 0), said(2, 1)], judging.see, { concurrency: "unbounded" }),
    { startImmediately: true }
  )
  yield* TestClock.adjust("100 millis")
  assert.deepStrictEqual(
    (yield* Fiber.join(seen)).map(({ rows }) => rows.get("x")?.value),
    [undefined, 2]
  )
})

rule("a record that does not answer delays first figures by a second, and no later ones", function* () {
  yield* atNoon
  const judging = yield* Effect.provide(
    Judging.make({ name: "test", rules: { ...rules, seriesOf: (key) => `coin/${key}` }, maxAge: Duration.hours(1) }),
    layerRecord({ newestAt: () => Effect.never })
  )
  const seen = yield* Effect.forkChild(judging.see(said(10, 0)), { startImmediately: true })
  yield* TestClock.adjust("1 second")
  assert.strictEqual((yield* Fiber.join(seen)).rows.get("x")?.value, 10)
  assert.strictEqual((yield* judging.see(said(11, 1))).rows.get("x")?.value, 11)
})
