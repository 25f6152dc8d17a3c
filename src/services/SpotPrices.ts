// The prices of coins from the exchanges where they are traded, computed when tickers arrive, never for a request. Aggregators identify
// the coin of a pair. Identities are saved, so that prices survive restarts and outages of aggregators.
import { Clock, type Config, Context, DateTime, Duration, Effect, Equal, Layer } from "effect"
import type { Coin } from "../domain/Coin.ts"
import * as CoinRegistry from "../domain/CoinRegistry.ts"
import { type Consensus, type ExchangeQuote, LEAST_EXCHANGES } from "../domain/Consensus.ts"
import { derived } from "../domain/Decimal.ts"
import { type Pair, TICKER_AGE } from "../domain/Pair.ts"
import type { Identities, Identity } from "../domain/PairIdentity.ts"
import { joinSources, type Snapshot } from "../domain/Snapshot.ts"
import * as Warnings from "../domain/Warnings.ts"
import { type CoinTicker, tickersOf } from "../domain/CoinTickers.ts"
import type { FiatMarket, FiatRate } from "../domain/FiatMarket.ts"
import { dollarsInSteps, stablecoins as stablecoinIds, type Tickers } from "../domain/SpotMarket.ts"
import { EVERY } from "../sources/exchange/tickers.ts"
import { dataSetsOf, layerWith, type SourcesWith } from "../sources/Sources.ts"
import { aggregatedAt } from "./aggregatedCoins.ts"
import { CoinLists } from "./CoinLists.ts"
import { type FiatPair, fiatPairsOf, type Markets, marketsOf } from "./coinMarkets.ts"
import { memoized } from "../domain/rememberEach.ts"
import type { RowsByKey } from "./judge/Judge.ts"
import * as Judging from "./judge/Judging.ts"
import * as Rules from "./judge/Rules.ts"
import * as Derived from "./refresh/Derived.ts"
import { FirstAnswer } from "./refresh/FirstAnswer.ts"
import { inTurns } from "./refresh/inTurns.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { whole } from "./refresh/Rows.ts"
import { spotRows } from "./spotRows.ts"
import * as PairIdentities from "./PairIdentities.ts"

/** A consensus price of at least three exchanges, in USD, with the coin's symbol and name. */
export interface SpotPrice extends Pick<Identity, "symbol" | "name"> {
  readonly price: number
  /** Between them are the middle 80 % of the weight. */
  readonly low: number
  readonly high: number
  /** The weighted mean distance of their pairs from it, percent. */
  readonly dispersion: number
  /** The price at each of them, the heaviest first. */
  readonly exchanges: ReadonlyArray<ExchangeQuote>
}

/** By coin id; each has the time of its oldest pair, and its exchanges as the source. */
export type SpotPricesById = ReadonlyMap<string, Snapshot<SpotPrice>>

/** What fiats cost on the exchanges, by code. It may be used while it is credible (`FiatMarket.ts`). Each has the time of its oldest pair, and its exchanges as the source. */
export type FiatRates = ReadonlyMap<string, Snapshot<FiatRate>>

/** The interval between polls of an exchange, in milliseconds. */
const DUE = Duration.toMillis(EVERY)

/** The delay from new tickers to new prices: one computation for the exchanges that answer meanwhile. */
const TOGETHER = "4 seconds"

/** The same while there are no prices yet. */
const AT_FIRST = "100 millis"

interface Spot {
  readonly prices: SpotPricesById
  readonly stablecoins: RowsByKey<Coin>
  readonly fiats: FiatRates
}

/** How much older than its lag and its interval an aggregator's price may be to identify the coin of a pair. */
const MARGIN = Duration.minutes(5)

/** Consensus prices of coins from exchanges, in USD. */
export class SpotPrices extends Context.Service<
  SpotPrices,
  {
    /** All current prices; another map after each computation. Never waits. */
    readonly current: Effect.Effect<SpotPricesById>
    /**
     * The served prices of USDT and USDC, by coin id, by which pairs in them are converted: that of the exchanges or of an aggregator,
     * whichever is believed. Never waits.
     */
    readonly stablecoins: Effect.Effect<RowsByKey<Coin>>
    /** The current rates of fiats on the exchanges. Never waits. */
    readonly fiats: Effect.Effect<FiatRates>
    /** The pairs of a coin, used or not. Never waits. */
    readonly tickers: (id: string) => Effect.Effect<ReadonlyArray<CoinTicker>>
    /** The identified pairs of coins, by coin id: one per exchange, in USD, else in USDT, else in USDC. */
    readonly markets: Effect.Effect<Markets>
    /** The pairs of fiats, by code: one per exchange. */
    readonly fiatPairs: Effect.Effect<ReadonlyMap<string, ReadonlyArray<FiatPair>>>
    /** Runs `react` after the prices, or those of stablecoins, were replaced. It must not fail. */
    readonly listen: (react: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("crypto-data-api/services/SpotPrices") {
  static readonly layerNoDeps: Layer.Layer<
    SpotPrices,
    Config.ConfigError,
    CoinLists | SourcesWith<"tickers" | "coins">
  > = Layer.effect(
    SpotPrices,
    Effect.gen(function* () {
      const lists = yield* CoinLists
      const sources = yield* dataSetsOf("tickers")
      const stablecoins = yield* Judging.make({
        name: "stablecoin prices",
        rules: Rules.coins,
        maxAge: yield* maxAges.coins
      })
      const ages = new Map(
        Array.from(yield* dataSetsOf("coins"), ({ every, key, lag }) => [
          key,
          Duration.toMillis(Duration.sum(Duration.sum(every, lag), MARGIN))
        ])
      )
      const identities = yield* PairIdentities.make
      let listed: ReadonlyArray<Tickers> = []
      const tickers = yield* Refresher.make({
        name: "tickers",
        sources,
        rows: whole<ReadonlyArray<Pair>>(),
        maxAge: Duration.millis(TICKER_AGE),
        // Large responses: the service starts first.
        startAfter: "100 millis"
      })

      const report = Warnings.make()
      const asked = sources.filter(({ isOff }) => !isOff)
      const firstAnswer = yield* FirstAnswer
      /** Logs once an outage that too few exchanges answer. Where no source does, the exchanges are not the cause. */
      const reportCount = Effect.suspend(() => {
        const answering = asked.filter((one) => one.state().snapshot !== undefined && !one.state().isFailing).length
        // An exchange without a result so far may still answer.
        const isFew = firstAnswer.hasCome && answering < LEAST_EXCHANGES && asked.every((one) => one.state().isSettled)
        const few =
          `${answering} of ${asked.length} exchanges answer, and the price of a coin needs ${LEAST_EXCHANGES}: prices come from ` +
          "aggregators. SOURCES_DISABLED switches off exchanges that refuse this place"
        return report("exchanges", isFew ? few : undefined)
      })

      const compute = Effect.fnUntraced(function* (former: Spot) {
        yield* reportCount
        const now = yield* Clock.currentTimeMillis
        const [aggregated, states] = [yield* lists.rowsBySource, yield* lists.states]
        listed = (yield* tickers.rowsBySource).flatMap((rows) =>
          Array.from(rows.values(), ({ source, value }) => ({ exchange: source, pairs: value }))
        )
        const coins = aggregatedAt(Math.floor(now / 60_000), ages, ...aggregated)
        const retrievedAt = DateTime.makeUnsafe(now)
        const known = identities.current()
        const { dollars, market: rest } = yield* inTurns(
          dollarsInSteps({ tickers: listed, identities: known, aggregated: coins, now })
        )
        const consensus = spotRows(snapshotsOf(dollars, known, retrievedAt), aggregated)
        const { rows: believed } = yield* stablecoins.see(
          [{ rows: consensus, freshUntil: Infinity }, ...states].map(({ rows, ...state }) => ({
            ...state,
            rows: onlyStablecoins(rows)
          }))
        )
        const served = [...believed].flatMap(([id, { value }]) =>
          value.price === null ? [] : [[id, value.price] as const]
        )
        const market = yield* inTurns(rest(new Map(served)))
        identities.replace(market.identities)
        const hasPrices = market.prices.size > 0 || market.fiats.size > 0
        // Where the exchanges have no price, only other prices of stablecoins are a change.
        const isSame =
          !hasPrices && former.prices.size + former.fiats.size === 0 && Equal.equals(former.stablecoins, believed)
        if (isSame) return undefined
        const prices = snapshotsOf(market.prices, market.identities, retrievedAt)
        const fiats = new Map([...market.fiats].map(([code, one]) => [code, fiatRateOf(one, retrievedAt)]))
        const value: Spot = { prices, stablecoins: believed, fiats }
        return hasPrices ? { value, due: now + DUE } : { value }
      })

      const computed = yield* Derived.make<Spot>({
        name: "the prices of exchanges",
        initial: { prices: new Map(), stablecoins: NONE, fiats: new Map() },
        inputs: [lists.listen, tickers.listen],
        gather: ({ prices }) => (prices.size === 0 ? AT_FIRST : TOGETHER),
        compute
      })
      return SpotPrices.of({
        current: Effect.map(computed.current, ({ prices }) => prices),
        markets: Effect.sync(() => marketsOf(listed, identities.current())),
        fiatPairs: Effect.sync(() => fiatPairsOf(listed)),
        tickers: Effect.fnUntraced(function* (id: string) {
          const { fiats, prices, stablecoins } = yield* computed.current
          const dollars = new Map([
            ["USD", 1],
            ...Array.from(fiats, ([code, { value }]) => [code, 1 / value.rate] as const)
          ])
          for (const [symbol, stablecoin] of Object.entries(stablecoinIds)) {
            const price = stablecoins.get(stablecoin)?.value.price ?? undefined
            if (price !== undefined) dollars.set(symbol, price)
          }
          const now = yield* Clock.currentTimeMillis
          return tickersOf(id, {
            tickers: listed,
            identities: identities.current(),
            dollars,
            isPriced: prices.has(id),
            now
          })
        }),
        listen: computed.listen,
        stablecoins: Effect.map(computed.current, (of) => of.stablecoins),
        fiats: Effect.map(computed.current, ({ fiats }) => fiats)
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([CoinLists.layer, layerWith("tickers", "coins")]))

  /** Without `stablecoins` no stablecoin's price is chosen beforehand. */
  static readonly layerTest = (service: Partial<SpotPrices["Service"]>) =>
    Layer.mock(SpotPrices)({ stablecoins: Effect.succeed(NONE), fiats: Effect.succeed(new Map()), ...service })
}

const NONE: RowsByKey<Coin> = new Map()

const onlyStablecoins = (rows: RowsByKey<Coin>): RowsByKey<Coin> =>
  new Map(
    Object.values(stablecoinIds).flatMap((id) => {
      const row = rows.get(id)
      return row === undefined ? [] : [[id, row] as const]
    })
  )

const namesOf = memoized((identities: Identities) => {
  const known = new Map(Array.from(identities.values(), (one) => [one.id, one]))
  return (id: string): Pick<Identity, "symbol" | "name"> | undefined => known.get(id) ?? CoinRegistry.byId(id)
})

const snapshotsOf = (
  prices: ReadonlyMap<string, Consensus>,
  identities: Identities,
  retrievedAt: DateTime.Utc
): SpotPricesById =>
  new Map(
    [...prices].flatMap(([id, one]) => {
      const names = namesOf(identities)(id)
      return names === undefined ? [] : [[id, snapshotOf(one, names, retrievedAt)]]
    })
  )

const fiatRateOf = (
  { confidence, exchanges, observedAt, rate }: FiatMarket,
  retrievedAt: DateTime.Utc
): Snapshot<FiatRate> => ({
  value: { rate, confidence },
  source: joinSources(exchanges.map(({ exchange }) => exchange)),
  observedAt: DateTime.makeUnsafe(observedAt),
  retrievedAt
})

const snapshotOf = (
  { dispersion, exchanges, high, low, observedAt, price }: Consensus,
  { name, symbol }: Pick<Identity, "symbol" | "name">,
  retrievedAt: DateTime.Utc
): Snapshot<SpotPrice> => ({
  value: {
    symbol: symbol.toUpperCase(),
    name,
    price: derived(price),
    low: derived(low),
    high: derived(high),
    dispersion: derived(dispersion),
    exchanges: exchanges.map((one) => ({ ...one, price: derived(one.price) }))
  },
  source: joinSources(exchanges.map(({ exchange }) => exchange)),
  observedAt: DateTime.makeUnsafe(observedAt),
  retrievedAt
})
