// Layers that are built where little is to be found. Effect's endpoints take along all that is in sight when they are made, and
// merge it into the context of each request; with a whole service in sight that is a fifth of what an answer costs.
import { Context, Effect, ErrorReporter, Layer, References, Tracer } from "effect"

/** What a host may set for our routes alone. */
const settings = [
  References.CurrentLoggers,
  References.MinimumLogLevel,
  References.CurrentLogAnnotations,
  ErrorReporter.CurrentErrorReporters,
  Tracer.Tracer
] as const

/** The layer, built with these services in sight and nothing else but what says where logs, spans and reports go. */
export const withContextSubset =
  <S extends ReadonlyArray<Context.Key<unknown, unknown>>>(...services: S) =>
  <A, E>(
    layer: Layer.Layer<A, E, Context.Service.Identifier<S[number]>>
  ): Layer.Layer<A, E, Context.Service.Identifier<S[number]>> =>
    Layer.fromBuildMemo((memoMap, scope) =>
      Effect.updateContext(Layer.buildWithMemoMap(layer, memoMap, scope), Context.pick(...services, ...settings))
    )
