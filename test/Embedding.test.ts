// Parts of the library by themselves, in a program of others: each asks its own sources and no others, and a service stands on test
// layers as well as on real ones.
import { assert, layer } from "@effect/vitest"
import { Array as Arr, ConfigProvider, DateTime, Effect, Layer, Option } from "effect"
import { CoinGecko, Coins, Conversions, ExchangeRates, Naira, type Coin, type Snapshot } from "../src/index.ts"
import { Sandbox, simulatedNames } from "../src/sandbox/SandboxUpstreams.ts"
import * as Serving from "./cli/ServingProcess.ts"

/** Which upstreams were asked while the program ran over the sandbox, which alone has its settings from the host's provider. */
const askedBy = <A, E>(program: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox
    const before = yield* sandbox.calls
    const provider = ConfigProvider.layer(ConfigProvider.fromUnknown(yield* Serving.settings))
    const result = yield* Effect.provide(program, provider)
    const after = yield* sandbox.calls
    return { result, asked: simulatedNames.filter((name) => after[name] > before[name]) }
  })

const NAIRA_SOURCES = ["BYBIT_P2P", "BITGET_P2P", "QUIDAX", "LUNO", "CBN", "FRANKFURTER"]

const now = DateTime.makeUnsafe("2026-11-20T12:00:00Z")

const said = <A>(source: string, value: A): Snapshot.Snapshot<A> => ({
  value,
  source,
  observedAt: now,
  retrievedAt: now
})

layer(Serving.layerWorld, { excludeTestServices: true })("embedded", (it) => {
  it.effect("one source alone asks itself alone", () =>
    Effect.gen(function* () {
      const markets = Effect.flatMap(CoinGecko, (gecko) => gecko.markets.get)
      const { asked, result } = yield* askedBy(Effect.provide(markets, Layer.fresh(CoinGecko.layer)))
      assert.isTrue(result.value.some(({ id }) => id === "bitcoin"))
      assert.deepStrictEqual(asked, ["COINGECKO"])
    })
  )

  it.effect("the naira rate alone asks those who know of the naira", () =>
    Effect.gen(function* () {
      const rate = Effect.flatMap(Naira, (naira) => naira.rate)
      const { asked, result } = yield* askedBy(Effect.provide(rate, Layer.fresh(Naira.layer)))
      assert.isAbove(result.value.mid ?? 0, 0)
      assert.includeMembers(asked, ["BYBIT_P2P", "CBN"])
      assert.deepStrictEqual(Arr.difference(asked, NAIRA_SOURCES), [])
    })
  )

  it.effect("prices over test layers ask nobody", () =>
    Effect.gen(function* () {
      const bitcoin = { id: "bitcoin", symbol: "BTC", price: 50_000, change_24h: 1, updated: now } as Coin
      const tether = { ...bitcoin, id: "tether", symbol: "USDT", price: 1 }
      const services = Conversions.layerNoDeps.pipe(
        Layer.provide([
          Coins.layerTest({
            coin: (id) => Effect.succeed(said("a list of mine", id === "tether" ? tether : bitcoin)),
            quote: () => Effect.succeed(Option.none())
          }),
          Naira.layerTest({
            mid: Effect.succeed(said("a desk of mine", 1500)),
            change24h: Effect.succeed(Option.none())
          }),
          ExchangeRates.layerTest({
            current: Effect.succeed(said("a bank of mine", { rates: { USD: 1 }, observed: {} }))
          })
        ])
      )
      const price = Effect.flatMap(Conversions, (conversions) => conversions.price("bitcoin", "NGN"))
      const { asked, result } = yield* askedBy(Effect.provide(price, services))
      assert.strictEqual(result.price, 75_000_000)
      assert.strictEqual(result.source, "a list of mine + a desk of mine")
      assert.deepStrictEqual(asked, [])
    })
  )
})
