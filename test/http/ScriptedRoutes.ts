// The routes behind the gate on a port of their own, over services that a test scripts. All others die.
import { NodeHttpServer } from "@effect/platform-node"
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpClient, HttpRouter } from "effect/http"
import { OperatorContact } from "../../src/http/OperatorContact.ts"
import { type Signer, Signing } from "../../src/http/response/Signature.ts"
import { routerConfig } from "../../src/http/request/Paths.ts"
import * as Server from "../../src/Server.ts"
import { p2pMarkets } from "../../src/domain/P2pMarket.ts"
import { Coins } from "../../src/services/Coins.ts"
import { Conversions } from "../../src/services/Conversions.ts"
import { ExchangeRates } from "../../src/services/ExchangeRates.ts"
import { GlobalMarkets } from "../../src/services/GlobalMarkets.ts"
import { Lifecycle } from "../../src/services/Lifecycle.ts"
import { Naira } from "../../src/services/Naira.ts"
import { P2pMarkets } from "../../src/services/P2pMarkets.ts"
import { OfficialRates } from "../../src/services/OfficialRates.ts"
import { Backfill } from "../../src/services/history/Backfill.ts"
import { Histories } from "../../src/services/history/Histories.ts"
import { Past } from "../../src/services/history/Past.ts"
import { SourceStatus } from "../../src/services/SourceStatus.ts"
import { Why } from "../../src/services/why/Why.ts"

/** What every service does unless a test says otherwise. Its text must not leave the process. */
export const secret = "postgres://admin:hunter2@10.0.0.7"
const dying = Effect.die(new Error(secret))

/** The services that a test scripts, and the operator's contact. */
export interface Script {
  readonly coins?: Partial<Coins["Service"]>
  readonly conversions?: Partial<Conversions["Service"]>
  readonly histories?: Partial<Histories["Service"]>
  readonly past?: Partial<Past["Service"]>
  readonly why?: Partial<Why["Service"]>
  readonly contact?: string | null
  readonly signer?: Signer
  /** Routes of a host on the same router. */
  readonly host?: Layer.Layer<never, never, HttpRouter.HttpRouter>
  readonly others?: (typeof Server.OtherPaths)["Service"]
}

/** Routes and a client of them. */
export const layerOf = ({
  coins,
  contact = null,
  conversions,
  histories,
  host = Layer.empty,
  others = "passed",
  past,
  signer,
  why
}: Script) =>
  HttpRouter.serve(Layer.merge(Server.layerRoutes, host), {
    routerConfig,
    disableLogger: true,
    disableListenLog: true
  }).pipe(
    Layer.provide(
      Layer.mergeAll(
        Coins.layerTest({
          page: () => dying,
          coin: () => dying,
          platforms: () => Effect.succeed(null),
          sourceQuotes: () => Effect.succeed([]),
          ...coins
        }),
        Conversions.layerTest({ price: () => dying, convert: () => Effect.die(secret), ...conversions }),
        ExchangeRates.layerTest({ current: dying }),
        GlobalMarkets.layerTest({ current: dying }),
        Backfill.layerTest({ progress: Effect.undefined }),
        Histories.layerTest({ p2p: () => dying, ...histories }),
        Lifecycle.layer,
        P2pMarkets.layerTest({
          KES: { rate: dying, mid: dying, sides: dying, change24h: () => dying, bounds: p2pMarkets.KES.bounds }
        }).pipe(Layer.provideMerge(Naira.layerTest({ rate: Effect.sync(() => JSON.parse(secret)) }))),
        OfficialRates.layerTest({ current: dying }),
        Past.layerTest({ p2p: () => dying, ...past }),
        SourceStatus.layerTest({ current: dying }),
        Why.layerTest({ movers: dying, mover: () => dying, ...why })
      )
    ),
    Layer.provide(Server.layerAccessLocal({ dataDir: "/nonexistent/crypto-data-api", maxKeys: 100 })),
    Layer.provideMerge(NodeHttpServer.layerTest),
    Layer.provide([
      Layer.succeed(OperatorContact, contact),
      Layer.succeed(Server.OtherPaths, others),
      Layer.succeed(Signing, signer)
    ]),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))),
    Layer.fresh
  )

/** The response to a GET, in the form that `problemOf` takes. */
export const get = Effect.fnUntraced(function* (path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = yield* HttpClient.get(path, { headers })
  const bytes = Buffer.from(yield* response.arrayBuffer)
  return { status: response.status, headers: { ...response.headers }, bytes, text: bytes.toString() }
})
