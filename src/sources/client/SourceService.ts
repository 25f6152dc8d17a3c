// The base class of a source's service, with the source's record and layers. Adapters extend it.
import { type Config, Context, Effect, Layer, type Scope } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import type { SourceRecord } from "../catalog/SourceRecord.ts"
import * as Pause from "./Pause.ts"
import * as SourceClient from "./SourceClient.ts"

/** The services that a source's layer requires. */
export type Requirements = HttpClient.HttpClient

/** Global `fetch` without redirects. */
export const layerRequirements: Layer.Layer<Requirements> = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

type Connect = (calls?: Omit<SourceClient.SourceCalls, "source">) => ReturnType<typeof SourceClient.make>

/** Makes the class of one source's service. `make` may require only {@link Requirements}. */
export const SourceService =
  <Self, Shape extends object>() =>
  <const Key extends string, const R extends SourceRecord>(
    key: Key,
    source: R,
    make: (
      connect: Connect
    ) => Generator<Effect.Effect<unknown, Config.ConfigError, Requirements | Scope.Scope>, Shape, never>
  ) => {
    const service = Context.Service<Self, Shape>()(key)
    const layerNoDeps = Layer.effect(
      service,
      Effect.flatMap(Pause.make(source.id), (pause) =>
        Effect.gen(() => make((calls) => SourceClient.make({ ...calls, source, pause })))
      )
    )
    return Object.assign(service, {
      terms: source,
      layerNoDeps,
      /** With {@link layerRequirements}. */
      layer: Layer.provide(layerNoDeps, layerRequirements),
      layerTest: Layer.mock(service)
    } as const)
  }
