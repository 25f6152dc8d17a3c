// What all groups of handlers have in common: the contract's middleware, and a context with no more than what they use.
// Effect's endpoints keep the context they are built in and merge it into that of each request; with the whole service in it,
// that is a fifth of the cost of a response.
import { Context, Effect, ErrorReporter, Layer, References, Tracer } from "effect"
import { Access } from "../../api/Access.ts"
import { Cacheable } from "../../api/Cacheable.ts"
import { Validation } from "../../api/Validation.ts"
import { ValidationLayer } from "../gate/ValidationLayer.ts"
import { CacheableLayer } from "../response/CacheableLayer.ts"

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

const middleware = [Validation, Access, Cacheable] as const

/** The gate enforces `Access` before routing, so this layer passes every request on. */
const AccessLayer = Layer.succeed(Access, (handle) => handle)

/** Completes the layer of a group of handlers that uses these services. */
export const using =
  <S extends ReadonlyArray<Context.Key<unknown, unknown>>>(...services: S) =>
  <A, E>(handlers: Layer.Layer<A, E, Context.Service.Identifier<[...S, ...typeof middleware][number]>>) =>
    handlers.pipe(
      withContextSubset(...services, ...middleware),
      Layer.provide([ValidationLayer, AccessLayer, CacheableLayer])
    )
