// How well supported an answer is (WHY.md §3.9): a number about the evidence, not about the future.
import type { Level } from "./Explanation.ts"

/** What speaks for an answer. */
export interface Support {
  readonly score: number
  readonly publishers: number
  readonly primary: boolean
  readonly onTime: boolean
  readonly share: number
  readonly speculative: boolean
  readonly onlyTier2: boolean
  readonly degraded: boolean
  readonly contradicted: boolean
}

/** The answer: a level, the number behind it, and why. */
export interface Confidence {
  readonly level: Level
  readonly score: number
  readonly reasons: ReadonlyArray<string>
}

const LEVELS: ReadonlyArray<Level> = ["low", "medium", "high"]

const levelOf = (score: number): Level => (score >= 0.75 ? "high" : score >= 0.5 ? "medium" : "low")

const atMost = (level: Level, cap: Level): Level => (LEVELS.indexOf(level) <= LEVELS.indexOf(cap) ? level : cap)

const stepDown = (level: Level): Level => LEVELS[Math.max(0, LEVELS.indexOf(level) - 1)] ?? "low"

const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

/** A small number in letters, so that text carries no figure that no source states. */
export const inWords = (count: number): string => COUNTS[count] ?? "many"

/** Weighs the support of an answer. */
export const confidence = (support: Support): Confidence => {
  const corroboration = support.publishers >= 3 ? 1 : support.publishers === 2 ? 0.6 : 0
  const raw =
    0.3 * support.score +
    0.2 * corroboration +
    (support.primary ? 0.2 : 0) +
    (support.onTime ? 0.15 : 0) +
    0.15 * support.share
  const score = Math.round(Math.min(1, raw) * 100) / 100
  let level = levelOf(score)
  if (support.onlyTier2 && support.publishers <= 1) level = atMost(level, "medium")
  if (support.contradicted) level = stepDown(level)
  if (support.speculative || support.degraded) level = "low"
  const reasons = [
    support.primary ? "primary source" : null,
    support.publishers > 1
      ? `${inWords(support.publishers)} publishers`
      : support.publishers === 1
        ? "one publisher"
        : null,
    support.onTime ? "on time" : null,
    support.contradicted ? "reports disagree" : null,
    support.speculative ? "speculation" : null,
    support.degraded ? "some feeds are down" : null
  ].filter((reason) => reason !== null)
  return { level, score, reasons }
}
