// Builds a layer with only the named services in its context. Effect's endpoints keep the context they are built in and
// merge it into that of each request; with the whole service in it, that is a fifth of the cost of a response.
import { Context, Effect, ErrorReporter, Layer, References, Tracer } from "effect"

/** References that stay in the context, because a host may set them for these routes alone. */
const settings = [
  References.CurrentLoggers,
  References.MinimumLogLevel,
  References.CurrentLogAnnotations,
  ErrorReporter.CurrentErrorReporters,
  Tracer.Tracer
] as const

/** Builds the layer with these services and the references of logging, tracing and error reports. */
export const withContextSubset =
  <S extends ReadonlyArray<Context.Key<unknown, unknown>>>(...services: S) =>
  <A, E>(
    layer: Layer.Layer<A, E, Context.Service.Identifier<S[number]>>
  ): Layer.Layer<A, E, Context.Service.Identifier<S[number]>> =>
    Layer.fromBuildMemo((memoMap, scope) =>
      Effect.updateContext(Layer.buildWithMemoMap(layer, memoMap, scope), Context.pick(...services, ...settings))
    )
