// Items that are never evidence, however well they match: forecasts, lists, advertising, and text that addresses a
// machine (WHY.md §3.6).
import type { EvidenceItem } from "../domain/Evidence.ts"
import junk from "./data/junk.json" with { type: "json" }
import routine from "./data/routine.json" with { type: "json" }
import { rememberOf } from "../domain/rememberEach.ts"
import { matcher } from "./Lexicon.ts"
import type { PoolItem } from "./Pool.ts"

const isPromotion = matcher(junk.promotion)
const isForecastOrList = matcher(junk.titles)

/** Whether a title is of something that happens every week: patch notes, meet-ups, maintenance. */
export const isRoutine = matcher(routine.titles)

/** What a client may take for markup or a link. */
const MARKUP = /<\/?[a-z!?][^<>]*>|https?:|www\.|\[[^\]]*\]\(|&[#a-z0-9]+;|[`{}]|javascript:|\*\*/i
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u

/** Whether its source has marked an item because it addresses a machine, or what would be quoted of it cannot be. */
export const isInjection = ({ hidesInstructions, publisher, title }: EvidenceItem): boolean =>
  hidesInstructions === true || [publisher, title].some((text) => MARKUP.test(text) || INVISIBLE.test(text))

/** Whether an item is never cited, whatever it says: a forecast, a list or advertising. Of summaries only plain giveaways count. */
export const isJunk = rememberOf(
  ({ item, summary, title }: PoolItem): boolean =>
    isInjection(item) || isPromotion(title.lower) || isPromotion(summary.lower) || isForecastOrList(title.lower)
)
