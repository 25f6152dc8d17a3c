import { assert } from "@effect/vitest"
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import { jump } from "../../../src/domain/Thresholds.ts"
import type { Rules, Source } from "../../../src/services/judge/Judge.ts"
import * as Judgements from "../../../src/services/judge/Judgements.ts"
import * as Judging from "../../../src/services/judge/Judging.ts"
import { Replicas } from "../../../src/sources/dataset/Replicas.ts"
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
