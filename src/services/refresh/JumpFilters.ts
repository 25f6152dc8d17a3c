// Which figures of each kind of data are compared with those held. Data whose figure is held back keeps its former value, with
// the time of that value.
import type { Coin } from "../../domain/Coin.ts"
import type { FiatQuotes } from "../../domain/FiatQuotes.ts"
import type { FxRates } from "../../domain/FxRates.ts"
import type { GlobalMarket } from "../../domain/GlobalMarket.ts"
import * as Jumps from "../../domain/JumpFilter.ts"
import type { PriceHistory } from "../../domain/PriceHistory.ts"
import type { JumpFilter } from "./Refresher.ts"

/** A price that is missing now is compared as this: a jump to almost nothing. */
const UNPRICED = Number.MIN_VALUE

/** Compares figures by key. `keep`: `next`, with the former values where a figure is held back. */
const jumpFilter =
  <A>(
    figures: (value: A) => ReadonlyMap<string, number | null>,
    keep: (next: A, former: A, isHeldBack: (key: string) => boolean) => A
  ): JumpFilter<A> =>
  (held, next, pending) => {
    const former = figures(held.value)
    const reviewed = Jumps.review({
      held: (key) => former.get(key),
      next: [...figures(next.value)].map(([key, figure]) => [key, Math.max(figure ?? 0, UNPRICED)] as const),
      source: next.source,
      pending
    })
    if (reviewed.heldBack.size === 0) return { ...reviewed, snapshot: next }
    const value = keep(next.value, held.value, (key) => reviewed.heldBack.has(key))
    return { ...reviewed, snapshot: value === held.value ? held : { ...next, value } }
  }

const rowJumps = <Row extends { readonly id: string }>(figure: (row: Row) => number | null) =>
  jumpFilter<ReadonlyArray<Row>>(
    (rows) => new Map(rows.map((row) => [row.id, figure(row)])),
    (next, former, isHeldBack) => {
      const held = new Map(former.map((row) => [row.id, row]))
      return next.map((row) => (isHeldBack(row.id) ? (held.get(row.id) ?? row) : row))
    }
  )

/** Coins, by their price in USD. */
export const coinJumps: JumpFilter<ReadonlyArray<Coin>> = rowJumps(({ price }) => price)

/** Hourly prices, by the last of each series. */
export const historyJumps: JumpFilter<ReadonlyArray<PriceHistory>> = rowJumps(({ prices }) => prices.at(-1) ?? null)

const quoteKey = (id: string, fiat: string): string => `${id} ${fiat}`

export const quoteJumps: JumpFilter<FiatQuotes> = jumpFilter(
  (coins) =>
    new Map([...coins].flatMap(([id, quotes]) => [...quotes].map(([fiat, { price }]) => [quoteKey(id, fiat), price]))),
  (next, former, isHeldBack) => {
    const stand = (id: string, fiat: string) => (isHeldBack(quoteKey(id, fiat)) ? former.get(id)?.get(fiat) : undefined)
    return new Map(
      [...next].map(([id, quotes]) => [
        id,
        new Map([...quotes].map(([fiat, quote]) => [fiat, stand(id, fiat) ?? quote]))
      ])
    )
  }
)

/** Currency by currency; a former rate keeps its day. */
export const fxJumps: JumpFilter<FxRates> = jumpFilter(
  ({ rates }) => new Map(Object.entries(rates)),
  (next, former, isHeldBack) => {
    const kept = <B>(values: Readonly<Record<string, B>>) =>
      Object.fromEntries(Object.entries(values).filter(([code]) => code in next.rates && isHeldBack(code)))
    return {
      rates: { ...next.rates, ...kept(former.rates) },
      observed: { ...next.observed, ...kept(former.observed) }
    }
  }
)

/** Figures of one thing: while any of them is held back the former value stands whole. */
export const figureJumps = <A>(figures: (value: A) => Readonly<Record<string, number | null>>): JumpFilter<A> =>
  jumpFilter(
    (value) => new Map(Object.entries(figures(value)).filter(([, figure]) => figure !== null)),
    (_next, former) => former
  )

/** The whole market. The number of coins is not compared: sources count differently. */
export const globalJumps: JumpFilter<GlobalMarket> = figureJumps(
  ({ btc_dominance, eth_dominance, market_cap, volume_24h }) => ({
    btc_dominance,
    eth_dominance,
    market_cap,
    volume_24h
  })
)
