// Source and time of an answer, from its snapshots.
import { DateTime, Option } from "effect"
import type { Coin } from "../../domain/Coin.ts"
import type { CoinTicker } from "../../domain/CoinTickers.ts"
import type { CoinList } from "../../domain/CoinList.ts"
import { joinSources, type Snapshot } from "../../domain/Snapshot.ts"
import type { HistoryOf } from "../../services/history/Histories.ts"

export interface Stamp {
  readonly source: string
  readonly updated: DateTime.Utc
}

export const stampOf = ({ observedAt, source }: Snapshot<unknown>): Stamp => ({ source, updated: observedAt })

/** The sources of all parts and their oldest time; `undefined` without parts. */
export const joined = (parts: ReadonlyArray<Stamp>): Stamp | undefined => {
  const [first] = parts
  if (first === undefined) return undefined
  const sources = new Set<string>()
  let { updated } = first
  for (const part of parts) {
    sources.add(part.source)
    if (part.updated.epochMilliseconds < updated.epochMilliseconds) updated = part.updated
  }
  return { source: joinSources(sources), updated }
}

/** The stamp of some coins: of the list, and of those that were looked up separately. */
export const stampOfCoins = (list: Snapshot<CoinList>, coins: ReadonlyArray<Snapshot<Coin>>): Stamp =>
  joined([list, ...coins.filter(({ value }) => list.value.byId.get(value.id) !== value)].map(stampOf)) ?? stampOf(list)

/** The stamp of a coin's pairs: of those that make its price, else that of the coin. */
export const stampOfTickers = (tickers: ReadonlyArray<CoinTicker>, coin: Snapshot<Coin>): Stamp =>
  joined(
    tickers.flatMap(({ exchange, observedAt, reason }) =>
      reason === null ? [{ source: exchange, updated: DateTime.makeUnsafe(observedAt) }] : []
    )
  ) ?? stampOf(coin)

/** The stamp if nothing is recorded. `time`: the requested one, epoch milliseconds. */
export const ownRecordAt = (time: number): Stamp => ({ source: "own record", updated: DateTime.makeUnsafe(time) })

/** Source and time of a history. `start`: the time if it has no point, epoch milliseconds. */
export const stampOfHistory = ({ source, updated }: HistoryOf<unknown>, start: number): Stamp =>
  Option.match(updated, { onNone: () => ownRecordAt(start), onSome: (newest) => ({ source, updated: newest }) })
