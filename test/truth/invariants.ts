// What holds after every step, whatever happens: the law of CONTRACT.md, part 7, said of any figure.
import { rangeOf } from "./Course.ts"
import type { Expected, Figure } from "./Scene.ts"

/** A step at which something is checked. `t`: the true time; `now`: that of our clock. */
export interface Moment {
  readonly t: number
  readonly now: number
  /** Since when the figure's sources can say it; `undefined` if they cannot now. */
  readonly supportedSince: number | undefined
  readonly grace: number
}

type Invariant = (figure: Figure | undefined, expected: Expected, moment: Moment) => boolean

const isOverdue = ({ grace, supportedSince, t }: Moment): boolean =>
  supportedSince !== undefined && t - supportedSince > grace

/** How far a figure is from the truth of its times, as a share; 0 if there is no figure. */
export const distanceOf = (figure: Figure | undefined, { times, truth }: Expected): number => {
  if (figure === undefined || figure.value === null) return 0
  const [low, high] = rangeOf(truth, ...times(figure.observedAt))
  return Math.max(0, low / figure.value - 1, figure.value / high - 1)
}

/** Each by the sentence that a report prints when it is broken. */
export const invariants: Readonly<Record<string, Invariant>> = {
  "a figure is true at its time": (figure, expected) =>
    distanceOf(figure, expected) <= expected.tolerance ||
    Math.abs((figure?.value ?? Number.NaN) / (expected.instead ?? Number.NaN) - 1) <= expected.tolerance,
  "what is sure is true": (figure, expected) =>
    figure?.confidence !== "high" || distanceOf(figure, expected) <= (expected.sureTolerance ?? Infinity),
  "a figure is missing only while its sources cannot say it": (figure, _, moment) =>
    (figure !== undefined && figure.value !== null) || !isOverdue(moment),
  "a stamp is not newer than the present": (figure, _, { now, t }) =>
    figure === undefined || figure.observedAt <= Math.max(now, t),
  "a stamp is not older than allowed": (figure, { oldest }, moment) =>
    figure === undefined || figure.value === null || figure.observedAt >= oldest || !isOverdue(moment),
  "a customer does not sell for more than one buys": (figure) =>
    figure?.sides === undefined || figure.sides.buy >= figure.sides.sell,
  "nothing is sure while a source lies": (figure, { isDoubtful }) => figure?.confidence !== "high" || !isDoubtful
}

/** The first invariant that is broken. */
export const brokenBy = (figure: Figure | undefined, expected: Expected, moment: Moment): string | undefined =>
  Object.entries(invariants).find(([, holds]) => !holds(figure, expected, moment))?.[0]
