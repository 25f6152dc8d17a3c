// What is never evidence, however well it matches: forecasts, charts, lists, advertising, and anything that talks to a machine.
import type { EvidenceItem } from "../domain/Evidence.ts"
import { junkTests, routineTests } from "./Lexicon.ts"
import { clean, decodeEntities, fold } from "./Text.ts"

/** Why an item was dropped. */
export type JunkKind = "injection" | "spam_prediction" | "technical_analysis" | "listicle" | "promo" | "price_report"

/** Letters that look Latin, as they are used to slip past a word list. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [..."аеорсухіѕјԁɡӏո"].map((letter, i) => [letter, "aeopcyxisjdgln"[i] ?? letter] as const)
)

const unmask = (text: string): string => [...text].map((letter) => LOOKALIKES.get(letter) ?? letter).join("")

/** Raw text with what markup would hide laid open. */
const laidOpen = (raw: string): string =>
  unmask(fold(decodeEntities(raw).replaceAll(/[\p{Cf}\u{E0000}-\u{E007F}]/gu, "")).toLowerCase())

/** Whether an item carries an instruction to a model that might read it, in the open or hidden. */
export const isInjection = (item: EvidenceItem): boolean => {
  const raw = `${item.title} \n ${item.summary}`
  return (
    junkTests.injection(laidOpen(raw)) ||
    junkTests.injection(unmask(fold(clean(raw)).toLowerCase())) ||
    junkTests.injection(unmask(fold(clean(item.publisher)).toLowerCase()))
  )
}

/** What kind of junk a folded lower-case title and summary are, if any. Titles are judged strictly, summaries by plain giveaways. */
export const junkOf = (title: string, summary: string): JunkKind | null => {
  if (junkTests.promo(title) || junkTests.promo(summary)) return "promo"
  if (junkTests.spam_prediction(title)) return "spam_prediction"
  if (junkTests.technical_analysis(title)) return "technical_analysis"
  if (junkTests.listicle(title)) return "listicle"
  if (junkTests.price_report(title)) return "price_report"
  if (junkTests.technical_analysis(summary)) return "technical_analysis"
  return null
}

/** Whether an item tells of something that happens every week. */
export const isRoutine = (title: string, summary: string): boolean =>
  routineTests.title(title) || routineTests.summary(summary)
