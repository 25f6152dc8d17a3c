// Parts of the library inside another program: a part calls only its own sources, a service works over test layers, and
// a server beside a program's own services shares their sources.
import { NodeHttpServer } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import {
  Array as Arr,
  ConfigProvider,
  type Context,
  DateTime,
  Effect,
  Equal,
  Layer,
  Option,
  Schedule,
  Schema
} from "effect"
import { FetchHttpClient, HttpClient, HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import type { SqlClient } from "effect/sql/SqlClient"
import { generateKeyPairSync } from "node:crypto"
import { createServer } from "node:http"
import * as Public from "../src/index.ts"
import {
  CoinGecko,
  Coins,
  Conversions,
  ExchangeRates,
  Naira,
  P2pMarkets,
  type Coin,
  type Snapshot
} from "../src/index.ts"
import { Sandbox } from "../src/sandbox/SandboxUpstreams.ts"
import { simulatedNames } from "../src/sandbox/Wires.ts"
import * as Server from "../src/Server.ts"
import * as Serving from "./cli/ServingProcess.ts"
import { temporaryFolder } from "./resources.ts"
import { rulesIn } from "./rulesOf.ts"

/** The result of a program over the sandbox, and the requests that each upstream got meanwhile. */
const overSandbox = <A, E>(program: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox
    const before = yield* sandbox.calls
    const provider = ConfigProvider.layer(ConfigProvider.fromUnknown(yield* Serving.settings))
    const result = yield* Effect.provide(program, provider)
    const after = yield* sandbox.calls
    const requests = yield* sandbox.requests
    const called = simulatedNames.filter((name) => after[name] > before[name])
    return { result, called, requestsTo: (name: "COINGECKO") => requests[name].slice(before[name]) }
  })

const NAIRA_SOURCES = ["BYBIT_P2P", "BITGET_P2P", "QUIDAX", "LUNO", "CBN", "FRANKFURTER"]

const now = DateTime.makeUnsafe("2026-11-20T12:00:00Z")

const snapshot = <A>(source: string, value: A): Snapshot.Snapshot<A> => ({
  value,
  source,
  observedAt: now,
  retrievedAt: now
})

const ListResponse = Schema.fromJsonString(
  Schema.Struct({ data: Schema.Struct({ coins: Schema.Tuple([Schema.Struct({ price: Schema.Finite })]) }) })
)

const NairaResponse = Schema.fromJsonString(Schema.Struct({ data: Schema.Struct({ mid: Schema.Finite }) }))

/** Uses services directly and over HTTP in one program. */
const bothWays = Effect.gen(function* () {
  const { list } = yield* Coins
  const { rate } = yield* Naira
  const { address } = yield* HttpServer.HttpServer
  const get = (path: string) =>
    HttpClient.get(`http://127.0.0.1:${"port" in address ? address.port : 0}${path}`).pipe(
      Effect.flatMap(({ text }) => text),
      Effect.provide(FetchHttpClient.layer)
    )
  // Computed numbers are rounded in the response.
  const mid = Number((yield* rate).value.mid?.toPrecision(12))
  const direct = { price: (yield* list).value.coins[0]?.price, mid }
  const coins = yield* Schema.decodeEffect(ListResponse)(yield* get("/v1/coins?limit=1"))
  const naira = yield* Schema.decodeEffect(NairaResponse)(yield* get("/v1/naira"))
  return {
    direct,
    served: { price: coins.data.coins[0].price, mid: naira.data.mid },
    own: yield* get("/own"),
    keys: yield* get("/.well-known/jwks.json")
  }
}).pipe(
  // At a cold start on a busy machine the first data may come after the wait of a request, and a slow venue in between the two.
  Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 100 }),
  Effect.repeat({ schedule: Schedule.spaced("50 millis"), until: ({ direct, served }) => Equal.equals(direct, served) })
)

type Exports = (typeof Public)[keyof typeof Public]
type NeededBy<L> = L extends { readonly layerNoDeps: Layer.Layer<never, unknown, infer R> } ? R : never
type Provided = Context.Service.Identifier<Exports> | HttpClient.HttpClient | SqlClient

/** What a `layerNoDeps` leaves to the program and the package does not export. */
type Missing = Exclude<NeededBy<Exports>, Provided>

rulesIn(Serving.layerWorld, { excludeTestServices: true })("embedded", (rule) => {
  rule("one source alone calls only itself", function* () {
    let fetched = 0
    const counted: typeof fetch = (...request) => (fetched++, fetch(...request))
    const coins = Effect.flatMap(CoinGecko, (gecko) => gecko.coins.get)
    const { called, result } = yield* Effect.provide(coins, Layer.fresh(CoinGecko.layer)).pipe(
      Effect.provideService(FetchHttpClient.Fetch, counted),
      overSandbox
    )
    assert.isTrue(result.value.some(({ id }) => id === "bitcoin"))
    assert.deepStrictEqual([fetched, called], [1, ["COINGECKO"]])
  })

  rule("the naira rate alone calls only the sources of the naira", function* () {
    const rate = Effect.flatMap(Naira, (naira) => naira.rate)
    const { called, result } = yield* overSandbox(Effect.provide(rate, Layer.fresh(Naira.layer)))
    assert.isAbove(result.value.mid ?? 0, 0)
    assert.includeMembers(called, ["BYBIT_P2P", "CBN"])
    assert.deepStrictEqual(Arr.difference(called, NAIRA_SOURCES), [])
  })

  rule("prices over test layers call no source", function* () {
    const bitcoin = { id: "bitcoin", symbol: "BTC", price: 50_000, change_24h: 1, updated: now } as Coin
    const tether = { ...bitcoin, id: "tether", symbol: "USDT", price: 1 }
    const services = Conversions.layerNoDeps.pipe(
      Layer.provide([
        Coins.layerTest({
          coin: (id) => Effect.succeed(snapshot("a list of mine", id === "tether" ? tether : bitcoin)),
          fiats: Effect.succeed(new Map()),
          fiatChange: () => Effect.undefined
        }),
        P2pMarkets.layerTest().pipe(
          Layer.provide(
            Naira.layerTest({
              mid: Effect.succeed(snapshot("a desk of mine", 1500)),
              change24h: () => Effect.succeed(Option.none())
            })
          )
        ),
        ExchangeRates.layerTest({
          current: Effect.succeed(snapshot("a bank of mine", { rates: { USD: 1 }, observed: {} }))
        })
      ])
    )
    const price = Effect.flatMap(Conversions, (conversions) => conversions.price("bitcoin", "NGN"))
    const { called, result } = yield* overSandbox(Effect.provide(price, services))
    assert.strictEqual(result.price, 75_000_000)
    assert.strictEqual(result.source, "a list of mine + a desk of mine")
    assert.isTrue(true satisfies [Missing] extends [never] ? true : never)
    assert.deepStrictEqual(called, [])
  })

  rule("a service over fake sources that time out fails as without sources", function* () {
    const { CurrencyApi, DataSet, Frankfurter, OfficialRates, SourceError, TimedOut } = Public
    const failing = (source: string) =>
      DataSet.make<never>({
        key: source,
        source,
        every: "1 hour",
        fetch: Effect.fail(new SourceError({ source, reason: new TimedOut({ seconds: 20 }) }))
      })
    const [fx, official_rate, other] = yield* Effect.all([failing("a bank"), failing("its NGN"), failing("another")])
    const rates = ExchangeRates.layerNoDeps.pipe(
      Layer.provide([
        Frankfurter.layerTest({ fx, official_rate }),
        CurrencyApi.layerTest({ fx: other }),
        OfficialRates.layerTest({ current: Effect.succeed({ _tag: "Missing", reason: "official_rate_missing" }) })
      ])
    )
    const current = Effect.flatMap(ExchangeRates, (service) => service.current)
    const { called, result } = yield* overSandbox(Effect.flip(Effect.provide(current, rates)))
    assert.strictEqual(result._tag, "Unavailable")
    assert.deepStrictEqual(called, [])
  })

  const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  const signer = Server.signerOf(pem)
  const servers = {
    "Server.layer": Server.layer,
    "Server.layerRoutes beside the host's own route": HttpRouter.serve(
      Layer.merge(Server.layerRoutes, HttpRouter.add("GET", "/own", HttpServerResponse.text("the host's own"))),
      { disableLogger: true, disableListenLog: true }
    ).pipe(Layer.provide([Server.layerServices, Server.layerErrorReporter, Layer.succeed(Server.Signing, signer)]))
  }
  for (const [name, server] of Object.entries(servers)) {
    rule(`${name} and the host's own Coins.layer and Naira.layer poll each source once`, function* () {
      const host = Layer.mergeAll(Coins.layer, Naira.layer, server).pipe(
        Layer.provide(Server.layerAccessLocal({ dataDir: yield* temporaryFolder, maxKeys: 1000 })),
        Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 })),
        Layer.fresh
      )
      const { requestsTo, result } = yield* overSandbox(Effect.provide(bothWays, host))
      const lists = requestsTo("COINGECKO").filter(
        ({ path }) => path.includes("/coins/markets?") && path.includes("precision=full")
      )
      assert.lengthOf(lists, 1)
      assert.deepStrictEqual<object>(result.served, result.direct)
      assert.strictEqual(result.own === "the host's own", server !== Server.layer)
      assert.strictEqual(result.keys.includes(signer?.publicKey ?? "none"), server !== Server.layer, "it signs")
    })
  }
})
