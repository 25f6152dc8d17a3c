// The class of a source's service: the record of the source, and its layers. Adapters extend it.
import { type Config, Context, Effect, Layer, type Scope } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import type { SourceRecord } from "../catalog/SourceRecord.ts"
import * as SourceClient from "./SourceClient.ts"

/** What a source layer needs from outside. */
export type Requirements = HttpClient.HttpClient

/** Global `fetch` without redirects. */
export const layerRequirements: Layer.Layer<Requirements> = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

/** Makes a client of the source. */
type Connect = (calls?: Omit<SourceClient.SourceCalls, "source">) => ReturnType<typeof SourceClient.make>

/** The class of one source's service. What `make` needs is named here, so that anything more does not type-check. */
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
    const connect: Connect = (calls) => SourceClient.make({ ...calls, source })
    const layerNoDeps = Layer.effect(
      service,
      Effect.gen(() => make(connect))
    )
    return Object.assign(service, {
      terms: source,
      layerNoDeps,
      /** Over {@link layerRequirements}. */
      layer: Layer.provide(layerNoDeps, layerRequirements),
      layerTest: Layer.mock(service)
    } as const)
  }
