// Every layer, composed in one place: sources into services, services into handlers, handlers behind the gate.
import { type Config, Effect, ErrorReporter, type FileSystem, Layer, type Path } from "effect"
import { type Etag, type HttpPlatform, HttpRouter, type HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { CircuitBreaker, KeyValueStore } from "effect/persistence"
import * as ApiKeyFiles from "./persistence/ApiKeyFiles.ts"
import * as ApiKeyRedis from "./persistence/ApiKeyRedis.ts"
import { ApiKeys } from "./access/ApiKeys.ts"
import * as FileStore from "./persistence/FileStore.ts"
import { RateLimiter } from "./access/RateLimiter.ts"
import { makeMemoryWindows, WindowStore } from "./access/WindowStore.ts"
import type { RedisLink } from "./persistence/RedisLink.ts"
import * as RedisReplicas from "./persistence/RedisReplicas.ts"
import * as RedisStore from "./persistence/RedisStore.ts"
import * as SharedCircuits from "./persistence/SharedCircuits.ts"
import * as RedisWindowStore from "./persistence/RedisWindowStore.ts"
import { Api } from "./api/Api.ts"
import { ConversionHandlers } from "./http/handlers/ConversionHandlers.ts"
import { Documents } from "./http/documents/Documents.ts"
import { Endpoints } from "./http/Endpoints.ts"
import { Gate } from "./http/gate/Gate.ts"
import { HealthRoutes } from "./http/HealthRoutes.ts"
import * as InProcess from "./http/InProcess.ts"
import { MarketHandlers } from "./http/handlers/MarketHandlers.ts"
import { MetricsRoute } from "./http/MetricsRoute.ts"
import { NairaHandlers } from "./http/handlers/NairaHandlers.ts"
import { Page } from "./http/page/Page.ts"
import { UnknownPath } from "./http/UnknownPath.ts"
import * as Paths from "./http/Paths.ts"
import { ProblemPages } from "./http/documents/ProblemPages.ts"
import { SourcesHandlers } from "./http/handlers/SourcesHandlers.ts"
import { WhyHandlers } from "./http/handlers/WhyHandlers.ts"
import { McpRoute } from "./mcp/McpRoute.ts"
import { Coins } from "./services/Coins.ts"
import { Conversions } from "./services/Conversions.ts"
import { ExchangeRates } from "./services/ExchangeRates.ts"
import { GlobalMarkets } from "./services/GlobalMarkets.ts"
import { Lifecycle } from "./services/Lifecycle.ts"
import { Naira } from "./services/Naira.ts"
import { OfficialRates } from "./services/OfficialRates.ts"
import { SourceStatus } from "./services/SourceStatus.ts"
import { Why } from "./services/why/Why.ts"
import { Replicas } from "./sources/dataset/Replicas.ts"

/** The questions the handlers ask. */
export type Services =
  | Coins
  | Conversions
  | ExchangeRates
  | GlobalMarkets
  | Lifecycle
  | Naira
  | OfficialRates
  | SourceStatus
  | Why

/** All services over all sources, each source polled once. */
export const layerServices: Layer.Layer<Services, Config.ConfigError> = Layer.mergeAll(
  Coins.layer,
  Conversions.layer,
  ExchangeRates.layer,
  GlobalMarkets.layer,
  Lifecycle.layer,
  Naira.layer,
  OfficialRates.layer,
  SourceStatus.layer,
  Why.layer
)

const layerHandlers = Layer.mergeAll(MarketHandlers, NairaHandlers, ConversionHandlers, WhyHandlers, SourcesHandlers)

/** The contract's endpoints for who asks from within the process, by the handlers that serve. Needs the services. */
export const layerEndpoints = Layer.effect(
  Endpoints,
  HttpRouter.toHttpEffect(HttpApiBuilder.layer(Api)).pipe(
    InProcess.isolated,
    InProcess.lazy,
    Effect.map(Endpoints.over)
  )
).pipe(Layer.provide(layerHandlers))

/** The routes of the contract and its documents, behind the gate. Needs the services. */
export const layerRoutes = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(Layer.provide(layerHandlers)),
  McpRoute.pipe(Layer.provide(layerEndpoints)),
  Documents,
  Page,
  ProblemPages,
  HealthRoutes,
  MetricsRoute
).pipe(Layer.provide(Gate))

/** Says the cause of every 500 in the log, since the body must not. */
export const layerErrorReporter = ErrorReporter.layer([
  ErrorReporter.make(({ cause, fiber }) => {
    Effect.runForkWith(fiber.context)(Effect.logError("a request failed on our side", cause))
  })
])

/** Who may ask how often. */
export type Access = ApiKeys | RateLimiter

/** Keys as files under `dataDir`, quotas in the memory of this machine. */
export const layerAccessLocal = (options: {
  readonly dataDir: string
  readonly maxKeys: number
}): Layer.Layer<Access, never, FileSystem.FileSystem | Path.Path> =>
  Layer.merge(
    ApiKeys.layerNoDeps.pipe(Layer.provide(ApiKeyFiles.layer(`${options.dataDir}/keys`))),
    RateLimiter.layerNoDeps.pipe(Layer.provide(WindowStore.layerMemory(makeMemoryWindows(options.maxKeys))))
  )

/** Keys and quotas in Redis, shared by every replica; quotas in memory while Redis is away. */
export const layerAccessShared = (options: { readonly maxKeys: number }): Layer.Layer<Access, never, RedisLink> =>
  Layer.merge(
    ApiKeys.layerNoDeps.pipe(Layer.provide(ApiKeyRedis.layer)),
    RateLimiter.layerNoDeps.pipe(Layer.provide(RedisWindowStore.layer(makeMemoryWindows(options.maxKeys))))
  )

/** Last good snapshots as files under `dataDir`, so that a restart serves at once what was known before it. */
export const layerSnapshots = (
  dataDir: string
): Layer.Layer<KeyValueStore.KeyValueStore, never, FileSystem.FileSystem | Path.Path> =>
  FileStore.layer(`${dataDir}/snapshots`)

/**
 * Several equal processes on one Redis: last good snapshots, the state of circuits and the budgets of sources are shared, and
 * each source is asked by one of them.
 */
export const layerReplicas: Layer.Layer<
  KeyValueStore.KeyValueStore | CircuitBreaker.CircuitBreakerStore,
  never,
  RedisLink
> = Layer.mergeAll(RedisStore.layer, SharedCircuits.layer, Layer.effect(Replicas, RedisReplicas.make))

/** What the platform provides: a server to listen on, and what it takes to serve. `NodeHttpServer.layer` has all of it. */
export type Platform =
  | HttpServer.HttpServer
  | HttpPlatform.HttpPlatform
  | Etag.Generator
  | FileSystem.FileSystem
  | Path.Path

/** The whole service on an `HttpServer`. Its log of requests is off; what it has to say of them is in their headers. */
export const layer: Layer.Layer<never, Config.ConfigError, Platform | Access> = HttpRouter.serve(
  Layer.merge(layerRoutes, UnknownPath),
  {
    routerConfig: Paths.routerConfig,
    disableLogger: true,
    disableListenLog: true
  }
).pipe(Layer.provide([layerServices, layerErrorReporter]))
