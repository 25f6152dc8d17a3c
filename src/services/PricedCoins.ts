// Coins with the prices that are served: of each coin the first price that is young enough and believed, of the consensus of
// exchanges and then of the aggregators. All other figures are the aggregators'. Made when a list or a ticker arrives, and never for
// a request; every endpoint reads the same one, so that all have the same price.
import { DateTime, type Duration, Effect, Option } from "effect"
import { type Coin, priceAlone } from "../domain/Coin.ts"
import * as CoinList from "../domain/CoinList.ts"
import { QUOTE_DISAGREEMENT } from "../domain/Plausibility.ts"
import { coinAtPrice } from "../domain/PlausibleMarket.ts"
import { joinSources, type Snapshot } from "../domain/Snapshot.ts"
import * as Age from "../sources/dataset/Age.ts"
import type { CoinLists } from "./CoinLists.ts"
import { choose, type Claims, type PassedOver, type Row, type RowsByKey } from "./refresh/choose.ts"
import { read, VersionedRef } from "./refresh/Dependencies.ts"
import * as Patience from "./refresh/Patience.ts"
import { passedOverReport } from "./refresh/passedOverReport.ts"
import { coinRows } from "./refresh/Rows.ts"
import type { Served } from "./refresh/Served.ts"
import type { SpotPrice, SpotPrices, SpotPricesById } from "./SpotPrices.ts"
import { EXCHANGES, spotRows } from "./spotRows.ts"
import type { Unavailable } from "./refresh/Unavailable.ts"

/** A coin, stamped by the source of its price and its time; what exchanges say of it, where they have a consensus. */
export interface PricedCoin extends Snapshot<Coin> {
  readonly spot?: SpotPrice | undefined
  /** Set where aggregators answer, but none lists the coin: no other figure of it is known. */
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

/** The time of no part. */
const NEVER = DateTime.makeUnsafe(0)

/** The coin with its other figures, at a price that is another source's. */
export const atPrice = <C extends PricedCoin>(price: C, coin: Coin): C =>
  price.value === coin ? price : { ...price, value: coinAtPrice(coin, price.value) }

/** Starts to follow the lists and the prices. Rows observed longer than `maxAge` ago are not served. */
export const make = Effect.fnUntraced(function* (
  lists: CoinLists["Service"],
  spot: SpotPrices["Service"],
  maxAge: Duration.Duration
): Effect.fn.Return<PricedCoins> {
  const origin = new VersionedRef<Priced | undefined>(undefined)
  const report = passedOverReport("coin prices")
  let claims: Claims = new Map()
  let madeOf: ReadonlyArray<unknown> = []

  /** The choice among the prices of coins of which exchanges have a consensus, or had one when they were chosen last. */
  const chosenOf = (
    prices: SpotPricesById,
    served: RowsByKey<Coin>,
    held: ReadonlyArray<RowsByKey<Coin>>,
    now: DateTime.Utc
  ) => {
    const former: RowsByKey<Coin> = origin.value?.rows ?? new Map()
    const consensus = spotRows(prices, [...held, former])
    const ids = new Set(consensus.keys())
    for (const [id, { key }] of former) if (key === EXCHANGES) ids.add(id)
    const some = (rows: RowsByKey<Coin>, isWanted: (id: string, row: Row<Coin>) => boolean): RowsByKey<Coin> => {
      const found = new Map<string, Row<Coin>>()
      for (const id of ids) {
        const row = rows.get(id)
        if (row !== undefined && isWanted(id, row)) found.set(id, row)
      }
      return found
    }
    return choose({
      // What the lists serve of a coin comes before what else they hold, and no list is heard twice.
      sources: [
        consensus,
        some(served, () => true),
        ...held.map((rows) => some(rows, (id, { key }) => served.get(id)?.key !== key))
      ],
      former,
      claims,
      isYoung: (row) => Age.isServable(row, maxAge, now),
      figures: coinRows.figures,
      expected: coinRows.expected,
      isCrossChecked: true
    })
  }

  /** Replaces what is served; gives what was passed over. Nothing comes in between. */
  const replace = (
    served: Served<ReadonlyArray<Coin>, Coin> | undefined,
    prices: SpotPricesById,
    held: ReadonlyArray<RowsByKey<Coin>>,
    now: DateTime.Utc
  ): ReadonlyArray<PassedOver> => {
    const listed: RowsByKey<Coin> = served?.rows ?? new Map()
    const choice = chosenOf(prices, listed, held, now)
    claims = choice.claims
    /** The coin as lists serve it; as another source has it where the price there is not that of the coin. */
    const figuresOf = (id: string, price: number | null) => {
      const isNear = ({ value }: Row<Coin>) =>
        value.price !== null && price !== null && Math.abs(value.price / price - 1) <= QUOTE_DISAGREEMENT
      const own = listed.get(id)
      if (own === undefined || isNear(own)) return own
      const others = held.flatMap((of) => of.get(id) ?? [])
      return others.find((row) => isNear(row) && Age.isServable(row, maxAge, now)) ?? own
    }
    const rows = new Map<string, PricedRow>(listed)
    for (const [id, price] of choice.rows) {
      const row = atPrice(price, figuresOf(id, price.value.price)?.value ?? priceAlone(price.value, price.value))
      rows.set(id, { ...row, spot: prices.get(id)?.value, isPriceAlone: served !== undefined && !listed.has(id) })
    }
    // A row of the list that is too old itself is in it at the price of exchanges.
    const base = held.find((of) => served !== undefined && of.values().next().value?.key === served.first)
    const parts = [...(base ?? rows).keys()].flatMap((id) => rows.get(id) ?? [])
    const sources = new Map(Array.from(rows, ([id, { source }]) => [id, source]))
    const figures = new Map(Array.from(listed, ([id, { source }]) => [id, source]))
    const newest = (times: ReadonlyArray<DateTime.Utc>) => times.reduce(DateTime.max, NEVER)
    const next: Priced = {
      value: { ...CoinList.make(parts.map((row) => row.value)), sources, figures },
      source: joinSources([...(served === undefined ? [] : [served.source]), ...parts.map(({ source }) => source)]),
      // A list is as old as its figures. Each row has the time of its price.
      observedAt: served?.observedAt ?? newest(parts.map(({ observedAt }) => observedAt)),
      retrievedAt: newest(parts.map(({ retrievedAt }) => retrievedAt)),
      rows,
      first: served?.first ?? EXCHANGES
    }
    origin.replace(
      rows.size === 0 ? undefined : next,
      Math.min(...Array.from(choice.rows.values(), (row) => Age.servableUntil(row, maxAge)))
    )
    return choice.passedOver
  }

  const remake = Effect.gen(function* () {
    const served = Option.getOrUndefined(yield* lists.current)
    const prices = yield* spot.current
    const now = yield* DateTime.now
    if (served === madeOf[0] && prices === madeOf[1] && now.epochMilliseconds <= origin.goodUntil) return
    const held = yield* lists.held
    const passedOver = yield* Effect.sync(() => {
      madeOf = [served, prices]
      return replace(served, prices, held, now)
    })
    // Which exchanges made a consensus changes all the time.
    yield* report(passedOver.map((one) => (one.source.includes(" + ") ? { ...one, source: EXCHANGES } : one)))
  })
  const react = Effect.withSpan(
    Effect.catchDefect(remake, (defect) => Effect.logError("a bug in the prices of coins", defect)),
    "PricedCoins.remake"
  )
  yield* lists.listen(react)
  yield* spot.listen(react)

  const current = Effect.andThen(remake, read(origin))

  return {
    current: Effect.map(current, Option.fromUndefinedOr),
    answer: Effect.gen(function* () {
      // Prices of exchanges alone are served where no list comes soon.
      const isAlone = origin.value?.first === EXCHANGES
      const listed = yield* Effect.result(isAlone ? Patience.briefly(lists.answer) : lists.answer)
      const priced = yield* current
      if (priced !== undefined) return priced
      return yield* Effect.andThen(Effect.fromResult(listed), Effect.die(new Error("a list of coins without a row")))
    })
  }
})
