// How likely a text tells of an event that moves a coin, and which way: multinomial logistic regression over its words,
// each with the one before it, the beginnings and ends of longer ones, their classes (`Tokens`) and their leaning
// (`Polarity`). So a word that no frame holds still counts. The
// weights come from labelled headlines (`npm run why:fit`); no rule reads them for what they say of a single word.
import { rememberEach } from "../domain/rememberEach.ts"
import model from "./data/headlineModel.json" with { type: "json" }
import { polarityOf } from "./Polarity.ts"
import { type Token, tokenize } from "./Tokens.ts"
import { valueIn } from "./WordList.ts"

/** How likely a text tells of no event, of good news, and of bad news; the three sum to 1. */
export interface Outlook {
  readonly none: number
  readonly good: number
  readonly bad: number
}

/** Letters at the beginning and the end of a word that stand for words akin to it. */
const AFFIX = 4

const stemOf = (lemma: string): string => {
  let stem = lemma
  if (stem.length > 4 && stem.endsWith("ies")) stem = `${stem.slice(0, -3)}y`
  else if (stem.length > 3 && stem.endsWith("s") && !stem.endsWith("ss")) stem = stem.slice(0, -1)
  if (stem.length > 5 && stem.endsWith("ing")) stem = stem.slice(0, -3)
  else if (stem.length > 4 && stem.endsWith("ed")) stem = stem.slice(0, -2)
  if (stem.length > 4 && stem.endsWith("e")) stem = stem.slice(0, -1)
  return stem.slice(0, 8)
}

const numberOf = (classes: ReadonlySet<string>): string =>
  classes.has("PERCENT") ? "#%" : classes.has("MONEY") ? "#$" : classes.has("AMOUNT") ? "#a" : "#n"

const wordOf = ({ classes, lemma, word }: Token): string => (/^[$€£]?\d/.test(word) ? numberOf(classes) : stemOf(lemma))

/** What the model sees of a masked text, each once. */
export const featuresOf = (text: string): ReadonlySet<string> => {
  const features = new Set<string>()
  let before = "^"
  for (const token of tokenize(text)) {
    const word = wordOf(token)
    features.add(word)
    features.add(`${before}_${word}`)
    before = word
    if (word.length > AFFIX) features.add(`${word.slice(0, AFFIX)}-`)
    if (word.length > AFFIX + 1) features.add(`-${word.slice(-AFFIX)}`)
    token.classes.forEach((name) => name !== "FILLER" && features.add(name))
  }
  const leaning = polarityOf(text)
  if (leaning !== 0) features.add(leaning > 0 ? "+" : "-")
  if (Math.abs(leaning) > 1) features.add(leaning > 0 ? "++" : "--")
  return features
}

/** Weights are held as whole hundredths. */
const UNIT = 100

type Weights = readonly [good: number, bad: number]

/** The weights of a feature; `null` for none. A process meets the same features again and again. */
const weightsOf = rememberEach(8000, (feature: string): Weights | null => {
  const value = valueIn(model.weights, feature)
  const [good = 0, bad = 0] = value?.split("|").map((hundredths) => Number(hundredths) / UNIT) ?? []
  return value === undefined ? null : [good, bad]
})

/** The log-odds of good news and of bad news against none. */
const oddsOf = (text: string): readonly [good: number, bad: number] => {
  let [up, down, count] = [0, 0, 1]
  for (const feature of featuresOf(text)) {
    const weight = weightsOf(feature)
    if (weight === null) continue
    up += weight[0]
    down += weight[1]
    count++
  }
  const [good = 0, bad = 0] = model.bias
  const scale = Math.sqrt(count)
  return [good + up / scale, bad + down / scale]
}

/** How much a summary counts beside its headline. */
const SUMMARY = 0.4

/** No text says more than this: log-odds. */
const MOST = 7

const bounded = (odds: number): number => Math.max(-MOST, Math.min(MOST, odds))

/** The outlook of a masked headline with its summary. */
export const outlookOf = (title: string, summary: string): Outlook => {
  const [good, bad] = oddsOf(title)
  const [moreGood, moreBad] = summary === "" ? [0, 0] : oddsOf(summary)
  const up = Math.exp(bounded(good) + SUMMARY * bounded(moreGood))
  const down = Math.exp(bounded(bad) + SUMMARY * bounded(moreBad))
  const all = 1 + up + down
  return { none: 1 / all, good: up / all, bad: down / all }
}
