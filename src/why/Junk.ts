// Items that are never evidence, however well they match: forecasts, lists, advertising, and text that addresses a
// machine (WHY.md §3.6).
import type { EvidenceItem } from "../domain/Evidence.ts"
import junk from "./data/junk.json" with { type: "json" }
import routine from "./data/routine.json" with { type: "json" }
import { matcher } from "./Lexicon.ts"

const isPromotion = matcher(junk.promotion)
const isForecastOrList = matcher(junk.titles)

/** Whether a title is of something that happens every week: patch notes, meet-ups, maintenance. */
export const isRoutine = matcher(routine.titles)

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

/** Whether folded lower-case text is a forecast, a list or advertising. Of summaries only plain giveaways count. */
export const isNoise = (title: string, summary: string): boolean =>
  isPromotion(title) || isPromotion(summary) || isForecastOrList(title)
