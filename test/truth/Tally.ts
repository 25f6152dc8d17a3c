// What the figures of many worlds were like: how far from the truth, and how sure. Errors are counted in steps, because there are millions.
import { distanceOf } from "./invariants.ts"
import type { Expected, Figure } from "./Scene.ts"

/** Sees a figure after a step. `t`: the true time. */
export type Note = (figure: Figure | undefined, expected: Expected, t: number) => void

/** The steps of errors, as a share. */
const STEP = 1e-6
const STEPS = 20_000

/**
 * So near are figures that only a minority may be wrong about. Each pair wanders by 0.1 %, and a liar makes the price that of the outermost
 * of the others: 0.1 % of the coin, 0.1 % of the fiat's pair and 0.1 % of what is on its other side; half a minute adds to it.
 */
export const BORNE = 0.004

const percent = (share: number, digits = 3): string => `${(100 * share).toFixed(digits)} %`

interface Errors {
  count: number
  worst: number
  readonly steps: Uint32Array
}

const errors = (): Errors => ({ count: 0, worst: 0, steps: new Uint32Array(STEPS) })

const add = (to: Errors, error: number): void => {
  const step = Math.min(STEPS - 1, Math.floor(error / STEP))
  to.steps[step] = (to.steps[step] ?? 0) + 1
  to.count++
  to.worst = Math.max(to.worst, error)
}

const medianOf = ({ count, steps }: Errors): number => {
  let passed = 0
  return steps.findIndex((one) => (passed += one) * 2 >= count) * STEP
}

/** Counts all figures: those of exchanges within what is borne by their distance from the truth of the moment, all by their confidence. */
export const make = () => {
  const [weekdays, sundays] = [errors(), errors()]
  const sure = errors()
  const confidences = new Map<string, number>()
  const note: Note = (figure, expected, t) => {
    if (figure === undefined || figure.value === null) return
    const error = Math.abs(figure.value / expected.truth(t) - 1)
    if (expected.tolerance <= BORNE) add(new Date(t).getUTCDay() === 0 ? sundays : weekdays, error)
    if (figure.confidence === undefined) return
    confidences.set(figure.confidence, (confidences.get(figure.confidence) ?? 0) + 1)
    if (figure.confidence === "high") add(sure, distanceOf(figure, expected))
  }
  const lines = (): ReadonlyArray<string> => {
    const all = [...confidences.values()].reduce((sum, one) => sum + one, 0)
    const named = [
      ["weekdays", weekdays],
      ["Sundays", sundays],
      ["high, beside the truth of its time", sure]
    ] as const
    return [
      ...named.flatMap(([name, some]) =>
        some.count === 0
          ? []
          : `  ${name}: ${some.count} figures, median ${percent(medianOf(some))} from the truth, worst ${percent(some.worst)}`
      ),
      ...(all === 0
        ? []
        : [`  ${[...confidences].map(([name, count]) => `${percent(count / all, 1)} ${name}`).join(", ")}`])
    ]
  }
  return { note, lines }
}
