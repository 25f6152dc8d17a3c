// How much a publication's word weighs. `primary` comes with the item; the rest from a reviewed list.
import type { EvidenceItem, EvidenceTier, EvidenceType } from "../domain/Evidence.ts"
import publishers from "./data/publishers.json" with { type: "json" }
import { clean } from "./Text.ts"

const tier1: ReadonlySet<string> = new Set(publishers.tier1)
const tier3: ReadonlySet<string> = new Set(publishers.tier3)

/** The tier of an item whose source does not say. */
export const tierOf = (type: EvidenceType, publisher: string): EvidenceTier => {
  if (type !== "news") return "primary"
  return tier1.has(clean(publisher).toLowerCase()) ? "tier1" : "tier2"
}

/** 0.6 to 1.05. */
export const tierWeight = (item: EvidenceItem): number => {
  if (item.tier === "primary") return 1.05
  if (item.tier === "tier1") return 1
  return tier3.has(clean(item.publisher).toLowerCase()) ? 0.6 : 0.8
}
