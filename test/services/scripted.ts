// Sources whose answers a test dictates, behind the data sets that live sources have.
import { Context, DateTime, Duration, Effect, Layer, type Schema, type Scope } from "effect"
import { TestClock } from "effect/testing"
import type { Coin } from "../../src/domain/Coin.ts"
import * as Snapshot from "../../src/domain/Snapshot.ts"
import { SpotPrices } from "../../src/services/SpotPrices.ts"
import { CoinLists } from "../../src/services/CoinLists.ts"
import { Coins } from "../../src/services/Coins.ts"
import { CoinGecko } from "../../src/sources/market/CoinGecko.ts"
import { CoinPaprika } from "../../src/sources/market/CoinPaprika.ts"
import * as DataSet from "../../src/sources/dataset/DataSet.ts"
import { type SourceError, SourceError as Failed, Unreachable, Unusable } from "../../src/sources/client/SourceError.ts"
import type { EvidenceItem } from "../../src/domain/Evidence.ts"

/** A Friday at noon, UTC. */
export const NOW = Date.UTC(2026, 10, 20, 12)

/** It is {@link NOW}. */
export const atNoon = TestClock.setTime(NOW)

/** Epoch milliseconds as an instant. */
export const instant = (millis: number): DateTime.Utc => DateTime.makeUnsafe(millis)

/** The failure of a source that cannot be reached. */
export const unreachable = (source: string): SourceError =>
  new Failed({ source, reason: new Unreachable({ detail: "ECONNREFUSED" }) })

/** The failure of a source that has nothing usable. */
export const unusable = (source: string): SourceError =>
  new Failed({ source, reason: new Unusable({ detail: "nothing" }) })

/** A data set, what it says next, and how often it was asked. */
export interface Scripted<A> {
  readonly feed: DataSet.DataSet<A>
  /** A value from now on, observed `age` milliseconds before each time it is asked for. */
  readonly says: (value: A, age?: number) => void
  /** The same, observed at one moment, whenever it is asked for. */
  readonly saysAsOf: (value: A, observedAt: number) => void
  /** A value observed when it comes, so long after it was asked for. */
  readonly saysAfter: (value: A, delay: Duration.Input) => void
  /** A failure, silence or a bug from now on. */
  readonly does: (effect: Effect.Effect<never, SourceError>) => void
  readonly fails: () => void
  readonly asked: () => number
}

/** A source that fails until it is told what to say. With a schema it is saved. */
export const scripted = <A>(
  source: string,
  every: Duration.Input = "1 minute",
  schema?: Schema.Codec<A, unknown>,
  key: string = source,
  lag?: Duration.Input
): Effect.Effect<Scripted<A>, never, Scope.Scope> =>
  Effect.gen(function* () {
    let asked = 0
    let answer: Effect.Effect<{ readonly value: A; readonly observedAt: DateTime.Utc | number }, SourceError> =
      Effect.fail(unreachable(source))
    const fetch = Effect.suspend(() => {
      asked++
      return Effect.zipWith(answer, DateTime.now, ({ observedAt, value }, retrievedAt) =>
        Snapshot.make({
          value,
          source,
          observedAt:
            typeof observedAt === "number" ? DateTime.subtract(retrievedAt, { milliseconds: observedAt }) : observedAt,
          retrievedAt
        })
      )
    })
    return {
      feed: yield* DataSet.make({
        key,
        source,
        every,
        ...(lag !== undefined && { lag }),
        fetch,
        ...(schema !== undefined && {
          keeping: { origin: "https://upstream.example", schema, most: 1_000_000 }
        })
      }),
      says: (value, age = 0) => void (answer = Effect.succeed({ value, observedAt: age })),
      saysAsOf: (value, at) => void (answer = Effect.succeed({ value, observedAt: instant(at) })),
      saysAfter: (value, delay) => void (answer = Effect.delay(Effect.succeed({ value, observedAt: 0 }), delay)),
      does: (effect) => void (answer = effect),
      fails: () => void (answer = Effect.fail(unreachable(source))),
      asked: () => asked
    }
  })

/** A coin of which nothing is known but what a test is about. */
export const coin = (id: string, fields: Partial<Coin> = {}): Coin => ({
  id,
  symbol: id.slice(0, 4).toUpperCase(),
  name: id,
  rank: null,
  price: 1,
  market_cap: null,
  volume_24h: null,
  circulating_supply: null,
  total_supply: null,
  max_supply: null,
  change_1h: null,
  change_24h: null,
  change_7d: null,
  updated: instant(NOW),
  high_24h: null,
  low_24h: null,
  ath: null,
  ath_date: null,
  image: null,
  ...fields
})

/** A report of a newsroom of the first rank, so many hours old. */
export const report = (id: string, title: string, hoursAgo: number): EvidenceItem => ({
  id,
  type: "news",
  tier: "tier1",
  title,
  summary: "",
  url: `https://www.theblock.co/${id}`,
  publisher: "The Block",
  publishedAt: instant(NOW - hoursAgo * 3_600_000),
  firstSeenAt: instant(NOW - hoursAgo * 3_600_000),
  precision: "instant"
})

/** So many coins in order of size, named by their place from `from`. */
export const coinsFrom = (from: number, count: number): ReadonlyArray<Coin> =>
  Array.from({ length: count }, (_, n) => coin(`coin-${from + n}`, { market_cap: 1e9 - (from + n) * 1000 }))

/** A list as a source answers a single question with. */
export const listOf = (value: ReadonlyArray<Coin>, source = "CoinGecko") =>
  Effect.map(DateTime.now, (now) => Snapshot.make({ value, source, observedAt: now, retrievedAt: now }))

/** A CoinGecko with nothing to say but what a test gives it, and the pages and look-ups it was asked for. */
export const gecko = Effect.fnUntraced(function* (service: Partial<CoinGecko["Service"]> = {}) {
  const [markets, global, history, registry] = yield* Effect.all([
    scripted<ReadonlyArray<Coin>>("CoinGecko"),
    scripted<never>("CoinGecko"),
    scripted<never>("CoinGecko"),
    scripted<never>("CoinGecko", "1 day")
  ])
  const pages: Array<number> = []
  const lookUps: Array<ReadonlyArray<string>> = []
  const full: CoinGecko["Service"] = {
    origin: "https://coingecko.example",
    coins: markets.feed,
    global: global.feed,
    hourlyPrices: history.feed,
    lessUrgentAfter: Duration.seconds(65),
    registry: registry.feed,
    page: () => Effect.fail(unreachable("CoinGecko")),
    coinsById: () => Effect.fail(unreachable("CoinGecko")),
    closes: () => Effect.fail(unreachable("CoinGecko")),
    ...service
  }
  return {
    markets,
    pages,
    lookUps,
    service: {
      ...full,
      page: (n) =>
        Effect.andThen(
          Effect.sync(() => void pages.push(n)),
          full.page(n)
        ),
      coinsById: (ids) =>
        Effect.andThen(
          Effect.sync(() => void lookUps.push(ids)),
          full.coinsById(ids)
        )
    } satisfies CoinGecko["Service"]
  }
})

/** Coins over a CoinGecko, the list of a CoinPaprika, and what exchanges agree on. */
export const coinsOver = Effect.fnUntraced(function* (
  source: CoinGecko["Service"],
  paprika: DataSet.DataSet<ReadonlyArray<Coin>>,
  exchanges: Layer.Layer<SpotPrices> = withoutExchanges
) {
  const { feed: global } = yield* scripted<never>("none")
  const context = yield* Layer.build(
    Coins.layerNoDeps.pipe(
      Layer.provide(CoinLists.layerNoDeps),
      Layer.provide([CoinGecko.layerTest(source), CoinPaprika.layerTest({ coins: paprika, global }), exchanges])
    )
  )
  yield* TestClock.adjust(1)
  return Context.get(context, Coins)
})

/** No exchange has a price of any coin. */
export const withoutExchanges = SpotPrices.layerTest({ current: Effect.succeed(new Map()), listen: (react) => react })
