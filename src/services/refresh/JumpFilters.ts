// How each kind of answer is doubted: which of its figures are compared, and what stands in for one that is held back.
import * as Jumps from "../../domain/JumpFilter.ts"
import type { Coin } from "../../domain/Coin.ts"
import type { FxRates } from "../../domain/FxRates.ts"
import type { JumpFilter } from "./Refresher.ts"

/** Coin by coin: a doubted one keeps its former row, with that row's time. */
export const coinJumps: JumpFilter<ReadonlyArray<Coin>> = (believed, next, doubts) => {
  const former = new Map(believed.value.map((coin) => [coin.id, coin]))
  const prices = next.value.flatMap((coin) => (coin.price === null ? [] : [[coin.id, coin.price] as const]))
  const verdict = Jumps.review({
    believed: (id) => former.get(id)?.price,
    next: prices,
    source: next.source,
    doubts
  })
  if (verdict.heldBack.size === 0) return { ...verdict, snapshot: next }
  const value = next.value.map((coin) => (verdict.heldBack.has(coin.id) ? (former.get(coin.id) ?? coin) : coin))
  return { ...verdict, snapshot: { ...next, value } }
}

/** Currency by currency: a doubted one keeps its former rate, with that rate's day. */
export const fxJumps: JumpFilter<FxRates> = (believed, next, doubts) => {
  const verdict = Jumps.review({
    believed: (code) => believed.value.rates[code],
    next: Object.entries(next.value.rates),
    source: next.source,
    doubts
  })
  if (verdict.heldBack.size === 0) return { ...verdict, snapshot: next }
  const keep = <A>(former: Readonly<Record<string, A>>, latest: Readonly<Record<string, A>>) =>
    Object.fromEntries(
      Object.entries(latest).map(([code, value]) => [
        code,
        verdict.heldBack.has(code) ? (former[code] ?? value) : value
      ])
    )
  const value = {
    rates: keep(believed.value.rates, next.value.rates),
    observed: keep(believed.value.observed, next.value.observed)
  }
  return { ...verdict, snapshot: { ...next, value } }
}

/** A single figure: while it is doubted the former answer stands whole, with its own time. */
export const figureJumps =
  <A>(figure: (value: A) => number): JumpFilter<A> =>
  (believed, next, doubts) => {
    const verdict = Jumps.review({
      believed: () => figure(believed.value),
      next: [["", figure(next.value)]],
      source: next.source,
      doubts
    })
    return { ...verdict, snapshot: verdict.heldBack.size > 0 ? believed : next }
  }
