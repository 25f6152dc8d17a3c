// Drives the service's pure code for coins: the market of the exchanges, and the judgement between its prices and those of aggregators.
import { type Coin, priceAlone } from "../../src/domain/Coin.ts"
import { confidenceOfAggregators, confidenceOfConsensus } from "../../src/domain/coinConfidence.ts"
import type { Consensus } from "../../src/domain/Consensus.ts"
import type { FiatMarkets } from "../../src/domain/FiatMarket.ts"
import type { Pair } from "../../src/domain/Pair.ts"
import { ageOf, type Memory, noMemory } from "../../src/domain/PairAges.ts"
import { type Aggregated, candidatesOf, type Identities, type Identity } from "../../src/domain/PairIdentity.ts"
import { coinList } from "../../src/domain/PlausibleMarket.ts"
import { spotPairs } from "../../src/domain/PlausiblePairs.ts"
import { rememberOf } from "../../src/domain/rememberEach.ts"
import { dollarsInSteps, stablecoins } from "../../src/domain/SpotMarket.ts"
import type { Row, RowsByKey, Source } from "../../src/services/judge/Judge.ts"
import * as Rules from "../../src/services/judge/Rules.ts"
import { finish } from "../finish.ts"
import { HOUR, MINUTE } from "./Course.ts"
import { aggregators, type CoinRow, type Exchange, isStablecoin } from "./exchanges.ts"
import { isRead, type Judged, judged, reading, timeOf } from "./judged.ts"
import type { Driven, Figure, Held, HeldAnswers } from "./Scene.ts"

/** The pairs of an exchange's last answer with their true times, and what is remembered of its answers. */
interface Aged {
  readonly retrievedAt: number
  readonly pairs: ReadonlyArray<Pair>
  readonly memory: Memory
}

export interface CoinState {
  readonly identities: Identities
  readonly stablecoins: Judged<Coin>
  readonly prices: Judged<Coin>
  /** What the exchanges say now. */
  readonly consensus: ReadonlyMap<string, Consensus>
  readonly fiats: FiatMarkets
  /** By exchange. */
  readonly aged: ReadonlyMap<string, Aged>
}

/** The plausible pairs of an answer; none if it is refused. */
const pairsOf = rememberOf(({ retrievedAt, rows }: Held): ReadonlyArray<Pair> => {
  const pairs = rows.map(
    ({ at: observedAt, figures: { ask = null, bid = null, last = null, turnover }, name: market }) => {
      const [base = "", quote = ""] = market.split("/")
      return { market, base, quote, bid, ask, last, turnover: turnover ?? 0, observedAt }
    }
  )
  return spotPairs(pairs, { now: timeOf(retrievedAt) }).value ?? []
})

const makeCoin =
  (coins: ReadonlyArray<CoinRow>) =>
  (id: string, price: number | null, updated: number): Coin => {
    const place = coins.findIndex(([one]) => one === id)
    const names = { id, symbol: coins[place]?.[1] ?? "", name: id, image: null }
    return { ...priceAlone(names, { price, updated: timeOf(updated) }), rank: place + 1 }
  }

const readingsOf = (coinOf: ReturnType<typeof makeCoin>) =>
  aggregators.map(({ every, name }) =>
    reading(name, every, ({ retrievedAt, rows }) => {
      const listed = rows.map(({ at, figures, name }) => coinOf(name, figures["price"] ?? null, at))
      const { value } = coinList(listed, { now: timeOf(retrievedAt) })
      return (value ?? []).map((coin) => ({ key: coin.id, value: coin, at: coin.updated.epochMilliseconds }))
    })
  )

/** How old an aggregator's price may be to identify the coin of a pair: its lag, its interval, and five minutes. */
const ages = aggregators.map(({ every, publishes }) => every + publishes + 5 * MINUTE)

/** What aggregators say of the coins of pairs. */
const aggregatedOf = (coins: ReadonlyArray<CoinRow>, sources: ReadonlyArray<Source<Coin>>, now: number): Aggregated => {
  const fresh = sources.map(
    ({ rows }, n) =>
      new Map([...rows].filter(([, { observedAt }]) => now <= observedAt.epochMilliseconds + (ages[n] ?? 0)))
  )
  const pricesOf = (id: string) => fresh.flatMap((rows) => rows.get(id)?.value.price ?? [])
  const listed = coins.flatMap(([id]) => sources.flatMap(({ rows }) => rows.get(id)?.value ?? []).slice(0, 1))
  return {
    candidates: candidatesOf(listed.map((coin) => ({ ...coin, prices: pricesOf(coin.id) }))),
    pricesOf,
    isListed: (id) => (fresh.every((rows) => rows.size === 0) ? undefined : fresh.some((rows) => rows.has(id)))
  }
}

const consensusRows = (
  prices: ReadonlyMap<string, Consensus>,
  coinOf: ReturnType<typeof makeCoin>,
  now: number
): RowsByKey<Coin> =>
  new Map(
    [...prices].map(([id, { exchanges, observedAt, price }]) => [
      id,
      {
        key: Rules.EXCHANGES,
        value: coinOf(id, price, observedAt),
        source: exchanges.map(({ exchange }) => exchange).join(" + "),
        observedAt: timeOf(observedAt),
        retrievedAt: timeOf(now)
      }
    ])
  )

const onlyStablecoins = ({ freshUntil, rows }: Source<Coin>): Source<Coin> => ({
  freshUntil,
  rows: new Map([...rows].filter(([id]) => isStablecoin(id)))
})

export const coinsDriven = (exchanges: ReadonlyArray<Exchange>, coins: ReadonlyArray<CoinRow>): Driven<CoinState> => {
  const judge = judged(Rules.coins, HOUR)
  const coinOf = makeCoin(coins)
  const readings = readingsOf(coinOf)
  const start: CoinState = {
    identities: new Map(),
    stablecoins: judge.start,
    prices: judge.start,
    consensus: new Map(),
    fiats: new Map(),
    aged: new Map()
  }
  const confidenceOf = ({ consensus, prices }: CoinState, { key, value: { id, price } }: Row<Coin>) => {
    if (price === null) return undefined
    const now = consensus.get(id)
    const dollars = Object.values(stablecoins).flatMap((one) => consensus.get(one) ?? [])
    if (key === Rules.EXCHANGES) return now?.price === price ? confidenceOfConsensus(now, dollars) : "low"
    const told = prices.sources.filter(({ rows }) => rows.get(id)?.key !== Rules.EXCHANGES)
    return confidenceOfAggregators(
      price,
      told.map(({ rows }) => rows.get(id)?.value.price ?? null)
    )
  }
  const agedBy = (before: CoinState["aged"], held: HeldAnswers): CoinState["aged"] =>
    new Map(
      [...held].flatMap(([name, answer]): ReadonlyArray<[string, Aged]> => {
        const [exchange, last] = [exchanges.find((one) => one.name === name), before.get(name)]
        if (exchange === undefined) return []
        const { retrievedAt } = answer
        if (last !== undefined && (answer.isFailing || last.retrievedAt === retrievedAt)) return [[name, last]]
        const datedBy = exchange.isDatingPairs ? "pair" : "answer"
        return [[name, { retrievedAt, ...ageOf(last?.memory ?? noMemory, pairsOf(answer), datedBy) }]]
      })
    )
  return {
    start,
    isUsable: (source, answer) =>
      exchanges.some(({ name }) => name === source) ? pairsOf(answer).length > 0 : isRead(readings, source, answer),
    step: (state, held, now) => {
      const listed = judge.sourcesOf(held, readings)
      const aged = agedBy(state.aged, held)
      const consensusOf = (prices: ReadonlyMap<string, Consensus>) => ({
        rows: consensusRows(prices, coinOf, now),
        freshUntil: Infinity
      })
      const { dollars, market: rest } = finish(
        dollarsInSteps({
          tickers: [...aged].map(([exchange, { pairs }]) => ({ exchange, pairs })),
          identities: state.identities,
          aggregated: aggregatedOf(coins, listed, now),
          now
        })
      )
      const stablecoins = judge.step(state.stablecoins, [consensusOf(dollars), ...listed].map(onlyStablecoins), now)
      const believed = judge
        .rowsAt(stablecoins, now)
        .flatMap(([id, { value }]) => (value.price === null ? [] : [[id, value.price] as const]))
      const market = finish(rest(new Map(believed)))
      const prices = judge.step(state.prices, [consensusOf(market.prices), ...listed], now)
      const { fiats, identities, prices: consensus } = market
      return { identities, stablecoins, aged, prices, consensus, fiats }
    },
    served: (state, now) =>
      new Map(
        [...judge.rowsAt(state.prices, now), ...judge.rowsAt(state.stablecoins, now)].map(
          ([id, row]): [string, Figure] => [
            id,
            {
              value: row.value.price,
              observedAt: row.observedAt.epochMilliseconds,
              source: row.source,
              confidence: confidenceOf(state, row)
            }
          ]
        )
      ),
    saved: ({ identities, prices, stablecoins }) =>
      JSON.stringify([[...identities], judge.saved(stablecoins), judge.saved(prices)]),
    recorded: ({ prices, stablecoins }) => ({
      ...start,
      stablecoins: judge.recorded(stablecoins),
      prices: judge.recorded(prices)
    }),
    restored: (text) => {
      const [identities, stablecoins, prices]: [ReadonlyArray<[string, Identity]>, string, string] = JSON.parse(text)
      return {
        ...start,
        identities: new Map(identities),
        stablecoins: judge.restored(stablecoins),
        prices: judge.restored(prices)
      }
    }
  }
}
