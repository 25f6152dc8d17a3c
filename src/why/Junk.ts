// Items that are never evidence, however well they match: forecasts, lists, advertising, and text that addresses a
// machine (WHY.md §3.6).
import { Record } from "effect"
import type { EvidenceItem } from "../domain/Evidence.ts"
import junk from "./data/junk.json" with { type: "json" }
import routine from "./data/routine.json" with { type: "json" }
import { matcher } from "./Lexicon.ts"

const junkTests = Record.map(junk.kinds, matcher)

/** Whether a title tells of something that happens every week: patch notes, meet-ups, maintenance. */
export const isRoutine = matcher(routine.titles)

/** Why an item is no evidence. */
export type JunkKind = keyof typeof junkTests

/** What a client may take for markup or a link. */
const MARKUP = /<\/?[a-z!?][^<>]*>|https?:|www\.|\[[^\]]*\]\(|&[#a-z0-9]+;|[`{}]|javascript:|\*\*/i
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u

/** Whether a text may be quoted as it is. */
export const isQuotable = (text: string): boolean => !MARKUP.test(text) && !INVISIBLE.test(text)

/**
 * Whether an item is never cited, whatever it says: its source has marked it because it addresses a machine, or what
 * would be quoted of it cannot be.
 */
export const isInjection = ({ hidesInstructions, publisher, title }: EvidenceItem): boolean =>
  hidesInstructions === true || !isQuotable(`${publisher} ${title}`)

/** The kind of junk that folded lower-case text is; `null` for none. Of summaries only plain giveaways count. */
export const junkOf = (title: string, summary: string): JunkKind | null => {
  if (junkTests.promo(title) || junkTests.promo(summary)) return "promo"
  if (junkTests.spam_prediction(title)) return "spam_prediction"
  if (junkTests.listicle(title)) return "listicle"
  return null
}
