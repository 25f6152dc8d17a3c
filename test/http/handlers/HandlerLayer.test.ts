// What a layer finds that is built where little is to be found.
import { assert, it } from "@effect/vitest"
import { Context, Effect, ErrorReporter, Layer, Logger, References } from "effect"
import { withContextSubset } from "../../../src/http/handlers/HandlerLayer.ts"

class Needed extends Context.Service<Needed, number>()("test/Needed") {}
class Beside extends Context.Service<Beside, number>()("test/Beside") {}
class Found extends Context.Service<Found, Context.Context<never>>()("test/Found") {}

const found = Layer.effect(Found, Effect.andThen(Needed, Effect.context<never>()))
const surroundings = Layer.merge(Layer.succeed(Needed, 1), Layer.succeed(Beside, 2))

it.effect("it finds the service that is named and none beside it", () =>
  Effect.gen(function* () {
    const context = yield* Found
    assert.strictEqual(Context.getOrUndefined(context, Needed), 1)
    assert.isUndefined(Context.getOrUndefined(context, Beside))
  }).pipe(Effect.provide(found.pipe(withContextSubset(Needed), Layer.provide(surroundings))))
)

it.effect("where logs and reports go is found as a host has set it, and otherwise not at all", () => {
  const loggers = new Set([Logger.make(() => {})])
  const reporters = new Set([ErrorReporter.make(() => {})])
  const host = Layer.mergeAll(
    Layer.succeed(References.CurrentLoggers, loggers),
    Layer.succeed(References.MinimumLogLevel, "Fatal"),
    Layer.succeed(ErrorReporter.CurrentErrorReporters, reporters)
  )
  return Effect.gen(function* () {
    const context = yield* Found
    assert.strictEqual(Context.get(context, References.CurrentLoggers), loggers)
    assert.strictEqual(Context.get(context, References.MinimumLogLevel), "Fatal")
    assert.strictEqual(Context.get(context, ErrorReporter.CurrentErrorReporters), reporters)
    assert.isFalse(context.mapUnsafe.has(References.CurrentLogAnnotations.key))
  }).pipe(Effect.provide(found.pipe(withContextSubset(Needed), Layer.provide(Layer.merge(surroundings, host)))))
})
