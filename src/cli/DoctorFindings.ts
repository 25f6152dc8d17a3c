// One finding of the doctor: a line in words that an operator can act on, and how much it matters.
import { Duration } from "effect"

/**
 * `degraded`: something is wrong and a fallback serves; `failing`: users would notice; `off`: not in use.
 */
export type Level = "ok" | "degraded" | "failing" | "off"

export type Area = "network" | "settings" | "machine" | "sources" | "served"

export interface Finding {
  readonly area: Area
  readonly name: string
  readonly level: Level
  readonly text: string
}

export const findingIn =
  (area: Area, name: string) =>
  (level: Level, text: string): Finding => ({ area, name, level, text })

/** 0 all well, 1 a fallback serves, 2 users would notice. */
export const exitCode = (findings: ReadonlyArray<Finding>): 0 | 1 | 2 =>
  findings.some(({ level }) => level === "failing") ? 2 : findings.some(({ level }) => level === "degraded") ? 1 : 0

/** A time span for people: `12 s`, `5 min`, `3 h`, `2 days`. */
export const span = (duration: Duration.Duration): string => {
  const seconds = Math.round(Duration.toSeconds(duration))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

/** A figure for people, with at most two decimals. */
export const figure = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 2 })
