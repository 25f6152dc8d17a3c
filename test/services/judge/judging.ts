// A step of the judge over what sources have, observed at minutes.
import * as Judge from "../../../src/services/judge/Judge.ts"
import { jump } from "../../../src/domain/Thresholds.ts"
import { instant, NOW } from "../scripted.ts"

/** A figure of a source, observed at a minute. */
export type Said = readonly [figure: number | null, source: string, minute: number]

export const minuteOf = (minute: number) => NOW + minute * 60_000

export const sourceOf = <R>(
  value: R,
  source: string,
  minute: number,
  key = "x",
  freshUntil = Infinity
): Judge.Source<R> => {
  const at = instant(minuteOf(minute))
  return { rows: new Map([[key, { value, key: source, source, observedAt: at, retrievedAt: at }]]), freshUntil }
}

export type Figure = number | null

export const prices: Judge.Rules<Figure> = { figures: (figure) => [figure], jump: () => jump }

export const see = <R>(rules: Judge.Rules<R>, state: Judge.State<R>, ...sources: ReadonlyArray<Judge.Source<R>>) =>
  Judge.step(rules, state, { sources, maxAge: Infinity }, minuteOf(1e6))
