// Layers that are built where little is to be found. Effect's endpoints take along all that is in sight when they are made, and
// merge it into the context of each request; with a whole service in sight that is a fifth of what an answer costs.
import { Context, Effect, ErrorReporter, Layer, References, Tracer } from "effect"

/** The layer, built within what `narrow` leaves of the context it is asked for in. */
export const within =
  <Given, R>(narrow: (given: Context.Context<Given>) => Context.Context<R>) =>
  <A, E>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, Given> =>
    Layer.fromBuildMemo((memoMap, scope) => Effect.updateContext(Layer.buildWithMemoMap(layer, memoMap, scope), narrow))

/** What a host may set for our routes alone. */
const settings = [
  References.CurrentLoggers,
  References.MinimumLogLevel,
  References.CurrentLogAnnotations,
  ErrorReporter.CurrentErrorReporters,
  Tracer.Tracer
] as const

/** The layer, built with these services in sight and nothing else but what says where logs, spans and reports go. */
export const toOnly = <S extends ReadonlyArray<Context.Key<unknown, unknown>>>(...services: S) =>
  within<Context.Service.Identifier<S[number]>, Context.Service.Identifier<S[number]>>(
    Context.pick(...services, ...settings)
  )
