// Composes the service: sources into services, services into handlers, handlers behind the gate. `node/Serve.ts` adds what a process
// has: the listener, the state's place, logs and telemetry. No platform's server is named here, so that any Effect program can mount it
// (`test/Embedding.test.ts`). Layers are shared by reference: a host that builds
// `Coins.layer` together with `layer` or `layerServices` shares one set of sources with them.
import {
  Cause,
  type Config,
  type Context,
  Effect,
  ErrorReporter,
  FileSystem,
  Layer,
  Path,
  Predicate,
  type Redacted
} from "effect"
import { Etag, HttpPlatform, HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { KeyValueStore } from "effect/persistence"
import * as ApiKeyFiles from "./persistence/ApiKeyFiles.ts"
import * as ApiKeyRedis from "./persistence/ApiKeyRedis.ts"
import { ApiKeys } from "./access/ApiKeys.ts"
import * as FileStore from "./persistence/FileStore.ts"
import { RateLimiter } from "./access/RateLimiter.ts"
import { makeMemoryWindows } from "./access/WindowStore.ts"
import type { RedisLink } from "./persistence/RedisLink.ts"
import * as RedisReplicas from "./persistence/RedisReplicas.ts"
import * as RedisWindowStore from "./persistence/RedisWindowStore.ts"
import { Api } from "./api/Api.ts"
import { CompatRoutes } from "./http/compat/CompatRoutes.ts"
import { ConversionHandlers } from "./http/handlers/ConversionHandlers.ts"
import { Answers, PageAnswers } from "./http/page/Answers.ts"
import { Page } from "./http/page/Page.ts"
import { Pictures } from "./http/page/Pictures.ts"
import { Weeks } from "./http/page/Weeks.ts"
import { Documents } from "./http/documents/Documents.ts"
import { PublicKeys } from "./http/documents/PublicKeys.ts"
import { Gate } from "./http/gate/Gate.ts"
import { GateMiddleware } from "./http/gate/GateMiddleware.ts"
import { EndpointMiddleware } from "./http/handlers/EndpointMiddleware.ts"
import { HealthRoutes } from "./http/HealthRoutes.ts"
import { Endpoints } from "./http/InProcess.ts"
import { FixingHandlers } from "./http/handlers/FixingHandlers.ts"
import { HistoryHandlers } from "./http/handlers/HistoryHandlers.ts"
import { MarketHandlers } from "./http/handlers/MarketHandlers.ts"
import { MetricsRoute } from "./http/MetricsRoute.ts"
import { NairaHandlers, P2pHandlers } from "./http/handlers/P2pHandlers.ts"
import { routerConfig } from "./http/request/Paths.ts"
import { ProblemPages } from "./http/documents/ProblemPages.ts"
import { PricesHandlers } from "./http/handlers/PricesHandlers.ts"
import { SearchHandlers } from "./http/handlers/SearchHandlers.ts"
import { SourcesHandlers } from "./http/handlers/SourcesHandlers.ts"
import { StatementHandlers } from "./http/handlers/StatementHandlers.ts"
import { WhyHandlers } from "./http/handlers/WhyHandlers.ts"
import { McpRoute } from "./mcp/McpRoute.ts"
import { Coins } from "./services/Coins.ts"
import { Conversions } from "./services/Conversions.ts"
import { ExchangeRates } from "./services/ExchangeRates.ts"
import { GlobalMarkets } from "./services/GlobalMarkets.ts"
import * as Judgements from "./services/judge/Judgements.ts"
import { Lifecycle } from "./services/Lifecycle.ts"
import { Naira } from "./services/Naira.ts"
import { P2pMarkets } from "./services/P2pMarkets.ts"
import { OfficialRates } from "./services/OfficialRates.ts"
import { SourceStatus } from "./services/SourceStatus.ts"
import { SpotPrices } from "./services/SpotPrices.ts"
import { Why } from "./services/why/Why.ts"
import * as History from "./history/store/History.ts"
import { Histories } from "./services/history/Histories.ts"
import { Past } from "./services/history/Past.ts"
import { Backfill } from "./services/history/Backfill.ts"
import * as Recording from "./services/history/Recording.ts"
import { Replicas } from "./sources/dataset/Replicas.ts"

const services = [
  Backfill,
  Coins,
  Conversions,
  ExchangeRates,
  GlobalMarkets,
  Histories,
  Lifecycle,
  Naira,
  OfficialRates,
  P2pMarkets,
  Past,
  SourceStatus,
  SpotPrices,
  Why
] as const

/** The services that the handlers use. */
export type Services = Context.Service.Identifier<(typeof services)[number]>

/**
 * All services over all sources. Each source is polled once, however many services use it. Accepted values are recorded
 * if the context has a `History`.
 */
export const layerServices: Layer.Layer<Services, Config.ConfigError> = Layer.mergeAll(
  Recording.layer,
  ...services.map(({ layer }) => layer)
).pipe(Layer.provide(Judgements.layer))

/** The handlers of every endpoint. Needs {@link Services}. */
export const layerHandlers = Layer.mergeAll(
  MarketHandlers,
  PricesHandlers,
  SearchHandlers,
  NairaHandlers,
  P2pHandlers,
  ConversionHandlers,
  HistoryHandlers,
  FixingHandlers,
  StatementHandlers,
  WhyHandlers,
  SourcesHandlers
).pipe(Layer.provide(EndpointMiddleware))

const gatedRoutes = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(Layer.provide(layerHandlers)),
  CompatRoutes,
  McpRoute.pipe(Layer.provide(Endpoints.layer)),
  Documents,
  PublicKeys,
  Layer.merge(Page, Answers).pipe(Layer.provide(PageAnswers.layer), Layer.provide(Endpoints.layer)),
  Pictures,
  Weeks,
  ProblemPages,
  HealthRoutes,
  MetricsRoute
).pipe(Layer.provide(GateMiddleware))

/**
 * The routes of the contract, its documents and MCP, behind a gate of their own. Your own routes on the same router stay as they are:
 * provide {@link OtherPaths} with `counted` to let the gate limit them too. Needs {@link Services} and {@link AccessServices}.
 */
export const layerRoutes = Layer.provide(gatedRoutes, Gate.layer)

export { OtherPaths } from "./http/gate/OtherPaths.ts"
export { type Signer, signerOf, Signing } from "./http/response/Signature.ts"

/** Logs the cause of every 500, which the response does not contain. What MCP refuses is the caller's fault, and no failure. */
export const layerErrorReporter = ErrorReporter.layer([
  ErrorReporter.make(({ cause, fiber }) => {
    if (Predicate.isTagged(Cause.squash(cause), "ProtocolError")) return
    Effect.runForkWith(fiber.context)(Effect.logError("a request failed with an internal error", cause))
  })
])

/** The services that the gate needs. */
export type AccessServices = ApiKeys | RateLimiter

/** API keys as files in `dataDir/keys`, rate limits in memory for at most `maxKeys` callers. */
export const layerAccessLocal = (options: {
  readonly dataDir: string
  readonly maxKeys: number
}): Layer.Layer<AccessServices, never, FileSystem.FileSystem | Path.Path> =>
  Layer.merge(
    ApiKeys.layerNoDeps.pipe(Layer.provide(ApiKeyFiles.layer(`${options.dataDir}/keys`))),
    RateLimiter.layerMemory(options.maxKeys)
  )

/** API keys and rate limits in Redis, shared by all replicas; while Redis is down limits are counted per process. */
export const layerAccessShared = (options: {
  readonly maxKeys: number
}): Layer.Layer<AccessServices, never, RedisLink> =>
  Layer.merge(
    ApiKeys.layerNoDeps.pipe(Layer.provide(ApiKeyRedis.layer)),
    Layer.effect(RateLimiter, Effect.map(RedisWindowStore.make(makeMemoryWindows(options.maxKeys)), RateLimiter.over))
  )

/**
 * The last good snapshots as files in `dataDir/snapshots`, so that a restart serves them at once. For reading and writing only: listing
 * and removing are defects.
 */
export const layerSnapshots = (
  dataDir: string
): Layer.Layer<KeyValueStore.KeyValueStore, never, FileSystem.FileSystem | Path.Path> =>
  FileStore.layer(`${dataDir}/snapshots`)

/**
 * What replicas share through Redis: the last good snapshots, call budgets and look-ups. One replica at a time fetches a data set.
 */
export const layerReplicas: Layer.Layer<never, never, RedisLink> = Layer.effect(Replicas, RedisReplicas.make)

/** The record of what was observed: in PostgreSQL, or in a SQLite file or memory (`:memory:`). */
export const layerHistory = (
  place: { readonly postgres: Redacted.Redacted } | { readonly sqlite: string }
): Layer.Layer<never> =>
  "postgres" in place ? History.layerPostgres(place.postgres) : History.layerSqlite(place.sqlite)

/** What the platform must provide. `NodeHttpServer.layer` provides all of it. */
export type Platform =
  | HttpServer.HttpServer
  | HttpPlatform.HttpPlatform
  | Etag.Generator
  | FileSystem.FileSystem
  | Path.Path

/**
 * The service on an `HttpServer`, over {@link Services} of the host. The gate is provided outside of `HttpRouter.serve`, so that a
 * listener that asks it first has the same one. Effect's own request log is off; the gate has one.
 */
export const layerHttp: Layer.Layer<never, never, Platform | AccessServices | Services> = HttpRouter.serve(
  gatedRoutes,
  { routerConfig, disableLogger: true, disableListenLog: true }
).pipe(Layer.provide([layerErrorReporter, Gate.layerAlone]))

/** The whole service on an `HttpServer`. */
export const layer: Layer.Layer<never, Config.ConfigError, Platform | AccessServices> = layerHttp.pipe(
  Layer.provide(layerServices)
)
