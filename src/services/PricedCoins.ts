// Coins with the prices that are served. A coin's price is the first that is believed: the consensus of exchanges, then the aggregators'
// prices. All other figures are the aggregators'. Computed in steps when a list or a ticker arrives, and replaced as a whole, so that
// every endpoint has the same price.
import { Array as Arr, DateTime, type Duration, Effect, Option, type Scope } from "effect"
import { type Coin, priceAlone } from "../domain/Coin.ts"
import * as CoinList from "../domain/CoinList.ts"
import { stablecoins } from "../domain/SpotMarket.ts"
import { confidenceOfAggregators, confidenceOfConsensus } from "../domain/coinConfidence.ts"
import type { Confidence } from "../domain/P2pRate.ts"
import { coinAtPrice } from "../domain/PlausibleMarket.ts"
import { joinSources, type Snapshot } from "../domain/Snapshot.ts"
import { QUOTE_DISAGREEMENT } from "../domain/Thresholds.ts"
import * as Age from "../sources/dataset/Age.ts"
import type { CoinLists } from "./CoinLists.ts"
import type { Row, RowsByKey } from "./judge/Judge.ts"
import * as Judging from "./judge/Judging.ts"
import * as Rules from "./judge/Rules.ts"
import * as Derived from "./refresh/Derived.ts"
import { inTurns } from "./refresh/inTurns.ts"
import * as Patience from "./refresh/Patience.ts"
import type { Served } from "./refresh/Served.ts"
import type { SpotPrice, SpotPrices, SpotPricesById } from "./SpotPrices.ts"
import { spotRows } from "./spotRows.ts"
import type { Unavailable } from "./refresh/Unavailable.ts"

/** A coin, stamped with the source and the time of its price. `spot`: the consensus of exchanges, if there is one, believed or not. */
export interface PricedCoin extends Snapshot<Coin> {
  readonly spot?: SpotPrice | undefined
  /** Set if aggregators answer but none lists the coin: it has a price but no other figures. */
  readonly isPriceAlone?: boolean
  /** Set if the price is the exchanges', also a former one that they no longer agree on. */
  readonly isOfExchanges?: boolean
  /** How sure the price is. Absent without a price, and in the past. */
  readonly confidence?: Confidence | undefined
}

type PricedRow = Row<Coin> & PricedCoin

/** The list of the largest coins, and each coin that a list or a consensus of exchanges has. `first` is the key of the list. */
export interface Priced extends Served<CoinList.CoinList, Coin> {
  readonly rows: ReadonlyMap<string, PricedRow>
}

export interface PricedCoins {
  /** Waits at a cold start only. */
  readonly answer: Effect.Effect<Priced, Unavailable>
  /** Never waits. */
  readonly current: Effect.Effect<Option.Option<Priced>>
}

/** Earlier than all times. */
const NEVER = DateTime.makeUnsafe(0)

/** The coin with its own figures, at a price from another source. */
export const atPrice = <C extends PricedCoin>(price: C, coin: Coin): C =>
  price.value === coin ? price : { ...price, value: coinAtPrice(coin, price.value) }

/** The consensus that is the served price; `undefined` if another price is served. */
export const servedConsensus = ({ isOfExchanges, spot, value }: PricedCoin): SpotPrice | undefined =>
  isOfExchanges === true && spot?.price === value.price ? spot : undefined

/** Coins per step; other work runs between steps. */
const COINS = 32

/** What the list is made of. */
interface Inputs {
  readonly served: Served<ReadonlyArray<Coin>, Coin> | undefined
  /** The rows of the source whose list is served. */
  readonly base: RowsByKey<Coin> | undefined
  readonly prices: SpotPricesById
  readonly rowsBySource: ReadonlyArray<RowsByKey<Coin>>
  /** The row of each coin's price. */
  readonly believed: RowsByKey<Coin>
  readonly isYoung: (row: Row<Coin>) => boolean
}

/** Builds the list of the largest coins from the priced rows. */
const listOf = (rows: Priced["rows"], { base, served }: Inputs): Priced => {
  // A coin whose row in the list is too old is listed at the price of exchanges.
  const parts = [...(base ?? rows).keys()].flatMap((id) => rows.get(id) ?? [])
  const sourcesOf = (of: RowsByKey<Coin>) => new Map(Array.from(of, ([id, { source }]) => [id, source]))
  const newest = (times: ReadonlyArray<DateTime.Utc>) => times.reduce(DateTime.max, NEVER)
  return {
    value: {
      ...CoinList.make(parts.map((row) => row.value)),
      sources: sourcesOf(rows),
      figures: sourcesOf(served?.rows ?? new Map())
    },
    source: joinSources([...(served === undefined ? [] : [served.source]), ...parts.map(({ source }) => source)]),
    // A list is as old as its figures. Each row has the time of its price.
    observedAt: served?.observedAt ?? newest(parts.map(({ observedAt }) => observedAt)),
    retrievedAt: newest(parts.map(({ retrievedAt }) => retrievedAt)),
    rows,
    first: served?.first ?? Rules.EXCHANGES
  }
}

/** Gives each price the other figures of its coin; it yields wherever other work may run. */
function* inSteps(inputs: Inputs): Generator<void, Priced | undefined> {
  const { believed, isYoung, prices, rowsBySource, served } = inputs
  const listed: RowsByKey<Coin> = served?.rows ?? new Map()
  /** The coin's figures by the first source whose price is within 10 % of the served one; by the list if none is, as in a crash. */
  const figuresOf = (id: string, price: number | null): Coin | undefined => {
    const near = [listed, ...rowsBySource].flatMap((of) => {
      const row = of.get(id)
      const isNear = price !== null && Math.abs((row?.value.price ?? NaN) / price - 1) <= QUOTE_DISAGREEMENT
      return row !== undefined && isNear && isYoung(row) ? [row.value] : []
    })
    const [first, ...others] = Arr.dedupe(near)
    return first === undefined ? listed.get(id)?.value : Rules.withoutOutliers(first, others)
  }
  const dollars = Object.values(stablecoins).flatMap((id) => prices.get(id)?.value ?? [])
  const confidenceOf = ({ key, value: { id, price } }: Row<Coin>): Confidence | undefined => {
    if (price === null) return undefined
    if (key !== Rules.EXCHANGES) {
      const young = rowsBySource.flatMap((of) => of.get(id) ?? []).filter(isYoung)
      return confidenceOfAggregators(
        price,
        young.map(({ value }) => value.price)
      )
    }
    // A former price is served while the exchanges do not agree on one, or while theirs is not believed.
    const now = prices.get(id)?.value
    return now !== undefined && now.price === price ? confidenceOfConsensus(now, dollars) : "low"
  }
  const rows = new Map<string, PricedRow>()
  for (const some of Arr.chunksOf(believed, COINS)) {
    yield
    for (const [id, row] of some) {
      const { value } = row
      const figures = row.key === Rules.EXCHANGES ? (figuresOf(id, value.price) ?? priceAlone(value, value)) : value
      rows.set(id, {
        ...atPrice(row, figures),
        spot: prices.get(id)?.value,
        isPriceAlone: served !== undefined && !listed.has(id),
        isOfExchanges: row.key === Rules.EXCHANGES,
        confidence: confidenceOf(row)
      })
    }
  }
  yield
  return rows.size === 0 ? undefined : listOf(rows, inputs)
}

/** Subscribes to the lists and the prices. Rows observed longer than `maxAge` ago are not served. */
export const make = Effect.fnUntraced(function* (
  lists: CoinLists["Service"],
  spot: SpotPrices["Service"],
  maxAge: Duration.Duration
): Effect.fn.Return<PricedCoins, never, Scope.Scope> {
  const judging = yield* Judging.make({ name: "coin prices", rules: Rules.coins, maxAge })

  const compute = Effect.fnUntraced(function* (former: Priced | undefined) {
    const served = Option.getOrUndefined(yield* lists.current)
    const [prices, stablecoins] = [yield* spot.current, yield* spot.stablecoins]
    const [rowsBySource, states] = [yield* lists.rowsBySource, yield* lists.states]
    const exchanges = { rows: spotRows(prices, rowsBySource), freshUntil: Infinity }
    const { rows } = yield* judging.seeInTurns([exchanges, ...states])
    const now = yield* DateTime.now
    const isYoung = (row: Row<Coin>) => Age.isServable(row, maxAge, now)
    // A coin that only exchanges have keeps its last price while they do not agree.
    const left = [...(former?.rows ?? [])].filter(
      ([id, row]) => row.key === Rules.EXCHANGES && !rows.has(id) && isYoung(row)
    )
    // Pairs are converted by these prices of stablecoins, so they are served.
    const believed = new Map([...rows, ...left, ...[...stablecoins].filter(([, row]) => isYoung(row))])
    const base = states.find(({ key }) => key === served?.first)?.rows
    const value = yield* inTurns(inSteps({ served, base, prices, rowsBySource, believed, isYoung }))
    return { value, goodUntil: Math.min(...Array.from(believed.values(), (row) => Age.servableUntil(row, maxAge))) }
  })

  const priced = yield* Derived.make<Priced | undefined>({
    name: "the prices of coins",
    initial: undefined,
    inputs: [lists.listen, spot.listen],
    compute
  })
  const current = priced.fresh

  return {
    current: Effect.map(current, Option.fromUndefinedOr),
    answer: Effect.gen(function* () {
      // If no list arrives soon, only the prices of exchanges are served.
      const isAlone = (yield* priced.current)?.first === Rules.EXCHANGES
      const listed = yield* Effect.result(isAlone ? Patience.briefly(lists.answer) : lists.answer)
      const coins = yield* current
      if (coins !== undefined) return coins
      return yield* Effect.andThen(Effect.fromResult(listed), Effect.die(new Error("a list of coins without a row")))
    })
  }
})
