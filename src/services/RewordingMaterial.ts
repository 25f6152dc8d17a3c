// What may be cited in rewording one explanation: the figures, the list of what was searched, and the items that the engine has
// admitted, the best first: its own drivers' reports lead. They keep their ids; the others get the next ones.
import { DateTime } from "effect"
import type { EvidenceItem } from "../domain/Evidence.ts"
import type { Explained } from "../why/Explain.ts"
import type { Citation, Explanation } from "../why/Explanation.ts"
import type { Figure } from "../why/Figures.ts"
import { clean } from "../why/Text.ts"
import { contextOf, type VerifierContext } from "../why/Verifier.ts"
import type { WhyInput } from "../why/WhyInput.ts"

/** The most items that the model is shown. */
export const MOST_ITEMS = 12

/** A source that a sentence may cite. */
export type CitableSource = CitableFigure | CitableItem

/** A figure, or what was searched. */
export interface CitableFigure {
  readonly _tag: "Figure"
  readonly citation: Omit<Citation, "n">
  readonly figure: Figure
  /** Its numbers by name; what nobody said is left out. */
  readonly facts: Readonly<Record<string, number>>
}

/** An admitted item. */
export interface CitableItem {
  readonly _tag: "Item"
  readonly citation: Omit<Citation, "n">
  readonly item: EvidenceItem
  readonly kind: string | null
  readonly score: number
}

/** The engine's explanation with all that may be cited in rewording it. */
export interface RewordingMaterial {
  readonly explanation: Explanation
  readonly sources: ReadonlyArray<CitableSource>
  /** What the verifier judges sentences by: the same sources, under the same ids. */
  readonly context: VerifierContext
}

/** Puts together what the engine was given and what it made of it. */
export const materialOf = (input: WhyInput, explained: Explained): RewordingMaterial => {
  const { admitted, explanation, figures, items } = explained
  const byId = new Map(input.evidence.map((item) => [item.id, item]))
  const ids = new Map([...items].map(([id, itemId]) => [itemId, id]))
  for (const { itemId } of admitted) if (!ids.has(itemId)) ids.set(itemId, `e${ids.size + 1}`)
  const idOf = (itemId: string) => ids.get(itemId) ?? itemId
  const context = contextOf(input, explained, idOf)
  const shownItems = admitted.slice(0, MOST_ITEMS).flatMap(({ itemId, kind, score }): ReadonlyArray<CitableItem> => {
    const item = byId.get(itemId)
    return item === undefined ? [] : [{ _tag: "Item", citation: citationOf(idOf(itemId), item), item, kind, score }]
  })
  const facts = factsOf(input, explanation)
  const shownFigures = [...figures.values()].flatMap((figure): ReadonlyArray<CitableFigure> => {
    const known = Object.fromEntries(
      Object.entries(facts[figure.id] ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
    )
    if (Object.keys(known).length === 0) return []
    const { id, publisher, title, type, url } = figure
    const published_at = iso(id === "c1" ? input.asOf : input.figures.observedAt)
    const citation = { id, type, title: clean(title), url, publisher: clean(publisher), published_at }
    return [{ _tag: "Figure", citation, figure, facts: known }]
  })
  return { explanation, sources: [...shownFigures, ...shownItems], context }
}

const citationOf = (id: string, item: EvidenceItem): Omit<Citation, "n"> => ({
  id,
  type: item.type,
  title: clean(item.title),
  url: item.url,
  publisher: clean(item.publisher),
  published_at: iso(DateTime.min(item.publishedAt, item.firstSeenAt))
})

const iso = (time: DateTime.Utc): string => DateTime.formatIso(time).replace(/\.000Z$/, "Z")

const factsOf = (
  { derivatives, market, move }: WhyInput,
  { coverage, volume_ratio_7d }: Explanation
): Readonly<Record<string, Readonly<Record<string, number | null>>>> => ({
  m1: { bitcoin_change_24h_percent: market.btcChange24h },
  m2: {
    change_24h_percent: move.changePct,
    price_usd: move.price,
    volume_24h_usd: move.volume24h,
    volume_in_seven_day_averages: volume_ratio_7d
  },
  m3: {
    top_100_median_change_24h_percent: market.top100MedianChange24h,
    top_100_up_percent: market.top100UpPct,
    total_capitalisation_change_24h_percent: market.totalCapChange24h,
    ether_change_24h_percent: market.ethChange24h
  },
  m4: Object.fromEntries(
    market.sectors.map(({ change24h, id }) => [`median_change_24h_percent_of_other_coins_in_${id}`, change24h])
  ),
  m5: {
    liquidations_24h_usd: derivatives?.liquidations24h ?? null,
    open_interest_change_24h_percent: derivatives?.openInterestChangePct ?? null
  },
  c1: { items_searched: coverage.items_considered, hours_searched: coverage.window_hours }
})
