// Coins with the prices that are served. A coin's price is the first that is fresh and plausible: the consensus of
// exchanges, then the aggregators' prices. All other figures are the aggregators'. Computed in steps when a list or a
// ticker arrives, and replaced as a whole, so that every endpoint has the same price.
import { Array as Arr, Clock, DateTime, type Duration, Effect, Option, Semaphore } from "effect"
import { type Coin, priceAlone } from "../domain/Coin.ts"
import * as CoinList from "../domain/CoinList.ts"
import { QUOTE_DISAGREEMENT } from "../domain/Plausibility.ts"
import { coinAtPrice } from "../domain/PlausibleMarket.ts"
import { joinSources, type Snapshot } from "../domain/Snapshot.ts"
import * as Age from "../sources/dataset/Age.ts"
import type { CoinLists } from "./CoinLists.ts"
import { choose, type Claim, type Claims, type PassedOver, type Row, type RowsByKey } from "./refresh/choose.ts"
import { CurrentDependencies, Dependencies, read, VersionedRef } from "./refresh/Dependencies.ts"
import { inTurns } from "./refresh/inTurns.ts"
import * as Patience from "./refresh/Patience.ts"
import { passedOverReport } from "./judge/passedOverReport.ts"
import { coinRows } from "./refresh/Rows.ts"
import type { Served } from "./refresh/Served.ts"
import type { SpotPrice, SpotPrices, SpotPricesById } from "./SpotPrices.ts"
import { EXCHANGES, spotRows } from "./spotRows.ts"
import type { Unavailable } from "./refresh/Unavailable.ts"

/** A coin, stamped with the source and the time of its price. `spot`: the consensus of exchanges, if there is one. */
export interface PricedCoin extends Snapshot<Coin> {
  readonly spot?: SpotPrice | undefined
  /** Set if aggregators answer but none lists the coin: it has a price but no other figures. */
  readonly isPriceAlone?: boolean
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

/** Coins per step of the choice; other work runs between steps. */
const COINS = 32

/** The next prices, computed a few coins at a time. */
interface Made {
  readonly next: Priced | undefined
  readonly claims: Claims
  readonly passedOver: ReadonlyArray<PassedOver>
  /** When the first price becomes too old, epoch milliseconds. */
  readonly goodUntil: number
}

/** The inputs of the prices. */
interface Inputs {
  readonly served: Served<ReadonlyArray<Coin>, Coin> | undefined
  readonly prices: SpotPricesById
  /** The rows of stablecoins, which are chosen already: pairs are converted by them. */
  readonly stablecoins: RowsByKey<Coin>
  readonly rowsBySource: ReadonlyArray<RowsByKey<Coin>>
  /** The rows that were served until now. */
  readonly former: RowsByKey<Coin>
  readonly claims: Claims
  readonly isYoung: (row: Row<Coin>) => boolean
}

const only = <A>(
  ids: ReadonlyArray<string>,
  of: ReadonlyMap<string, A>,
  isWanted: (one: A, id: string) => boolean = () => true
): ReadonlyMap<string, A> =>
  new Map(
    ids.flatMap((id) => {
      const one = of.get(id)
      return one !== undefined && isWanted(one, id) ? [[id, one] as const] : []
    })
  )

/** Builds the list of the largest coins from the served rows. */
const listOf = (
  rows: Priced["rows"],
  listed: RowsByKey<Coin>,
  served: Inputs["served"],
  rowsBySource: Inputs["rowsBySource"]
): Priced => {
  // A coin whose row in the list is too old is listed at the price of exchanges.
  const base = rowsBySource.find((of) => served !== undefined && of.values().next().value?.key === served.first)
  const parts = [...(base ?? rows).keys()].flatMap((id) => rows.get(id) ?? [])
  const sourcesOf = (of: RowsByKey<Coin>) => new Map(Array.from(of, ([id, { source }]) => [id, source]))
  const newest = (times: ReadonlyArray<DateTime.Utc>) => times.reduce(DateTime.max, NEVER)
  return {
    value: { ...CoinList.make(parts.map((row) => row.value)), sources: sourcesOf(rows), figures: sourcesOf(listed) },
    source: joinSources([...(served === undefined ? [] : [served.source]), ...parts.map(({ source }) => source)]),
    // A list is as old as its figures. Each row has the time of its price.
    observedAt: served?.observedAt ?? newest(parts.map(({ observedAt }) => observedAt)),
    retrievedAt: newest(parts.map(({ retrievedAt }) => retrievedAt)),
    rows,
    first: served?.first ?? EXCHANGES
  }
}

/** Computes the served rows; it yields wherever other work may run. */
function* inSteps(
  { claims, former, rowsBySource, isYoung, prices, served, stablecoins }: Inputs,
  maxAge: Duration.Duration
): Generator<void, Made> {
  const listed: RowsByKey<Coin> = served?.rows ?? new Map()
  /** The coin's listed row. If its price is more than 10 % off the served one, a row of another source whose price is not. */
  const figuresOf = (id: string, price: number | null) => {
    const isNear = ({ value }: Row<Coin>) =>
      value.price !== null && price !== null && Math.abs(value.price / price - 1) <= QUOTE_DISAGREEMENT
    const own = listed.get(id)
    if (own === undefined || isNear(own)) return own
    return rowsBySource.flatMap((of) => of.get(id) ?? []).find((row) => isNear(row) && isYoung(row)) ?? own
  }
  // The coins with a consensus of exchanges now, and those served from one until now.
  const ids = new Set(prices.keys())
  for (const [id, { key }] of former) if (key === EXCHANGES) ids.add(id)
  for (const id of stablecoins.keys()) ids.delete(id)
  const rows = new Map<string, PricedRow>(listed)
  const made = { claims: new Map<string, Claim>(), passedOver: [] as Array<PassedOver>, goodUntil: Infinity }
  const put = (chosen: RowsByKey<Coin>) => {
    for (const [id, price] of chosen) {
      const row = atPrice(price, figuresOf(id, price.value.price)?.value ?? priceAlone(price.value, price.value))
      rows.set(id, { ...row, spot: prices.get(id)?.value, isPriceAlone: served !== undefined && !listed.has(id) })
      made.goodUntil = Math.min(made.goodUntil, Age.servableUntil(price, maxAge))
    }
  }
  put(stablecoins)
  for (const some of Arr.chunksOf(ids, COINS)) {
    yield
    const choice = choose({
      // The served row of a coin's list comes before all other rows, and each list counts once.
      sources: [
        spotRows(only(some, prices), [...rowsBySource, former]),
        only(some, listed),
        ...rowsBySource.map((of) => only(some, of, ({ key }, id) => listed.get(id)?.key !== key))
      ],
      former,
      claims,
      isYoung,
      figures: coinRows.figures,
      expected: coinRows.expected,
      isCrossChecked: true
    })
    for (const [name, claim] of choice.claims) made.claims.set(name, claim)
    made.passedOver.push(...choice.passedOver)
    put(choice.rows)
  }
  yield
  return { ...made, next: rows.size === 0 ? undefined : listOf(rows, listed, served, rowsBySource) }
}

/** Subscribes to the lists and the prices. Rows observed longer than `maxAge` ago are not served. */
export const make = Effect.fnUntraced(function* (
  lists: CoinLists["Service"],
  spot: SpotPrices["Service"],
  maxAge: Duration.Duration
): Effect.fn.Return<PricedCoins> {
  const origin = new VersionedRef<Priced | undefined>(undefined)
  const report = passedOverReport("coin prices")
  let claims: Claims = new Map()
  let madeOf: ReadonlyArray<unknown> = []

  const isGood = Effect.map(Clock.currentTimeMillis, (now) => now <= origin.goodUntil)

  /** Computes the served prices again if an input changed or a price is too old, then replaces them as a whole. */
  const remake = Effect.gen(function* () {
    const reads = new Dependencies()
    const noted = Effect.provideService(CurrentDependencies, reads)
    const served = Option.getOrUndefined(yield* noted(lists.current))
    const prices = yield* spot.current
    const stablecoins = yield* spot.stablecoins
    const inputs = [served, prices, stablecoins]
    if (inputs.every((one, n) => one === madeOf[n]) && (yield* isGood)) return
    const rowsBySource = yield* lists.rowsBySource
    const now = yield* DateTime.now
    const isYoung = (row: Row<Coin>) => Age.isServable(row, maxAge, now)
    const former = origin.value?.rows ?? new Map()
    const made = yield* inTurns(inSteps({ served, prices, stablecoins, rowsBySource, former, claims, isYoung }, maxAge))
    claims = made.claims
    madeOf = inputs
    origin.replace(made.next, Math.min(made.goodUntil, reads.goodUntil))
    // The exchanges behind a consensus change all the time, so they are reported under one name.
    yield* report(made.passedOver.map((one) => (one.source.includes(" + ") ? { ...one, source: EXCHANGES } : one)))
  }).pipe(Effect.provideService(CurrentDependencies, undefined))
  // One at a time: each starts from the result of the last.
  const remade = remake.pipe(
    Effect.catchDefect((defect) => Effect.logError("bug while computing the prices of coins", defect)),
    Effect.withSpan("PricedCoins.remake"),
    Semaphore.makeUnsafe(1).withPermits(1)
  )
  yield* lists.listen(remade)
  yield* spot.listen(remade)

  /** The last result. Computes a new one first if a price in it is too old. */
  const current = Effect.gen(function* () {
    // Records these as read, so that an answer is outdated when they are replaced.
    yield* lists.current
    yield* spot.current
    if (origin.value === undefined || !(yield* isGood)) yield* remade
    return yield* read(origin)
  })

  return {
    current: Effect.map(current, Option.fromUndefinedOr),
    answer: Effect.gen(function* () {
      // If no list arrives soon, only the prices of exchanges are served.
      const isAlone = origin.value?.first === EXCHANGES
      const listed = yield* Effect.result(isAlone ? Patience.briefly(lists.answer) : lists.answer)
      const priced = yield* current
      if (priced !== undefined) return priced
      return yield* Effect.andThen(Effect.fromResult(listed), Effect.die(new Error("a list of coins without a row")))
    })
  }
})
