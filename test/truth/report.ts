// A failure as text: what was served, what was true, what happened, and what each source said.
import type { Figure, Held } from "./Scene.ts"
import type { Broken } from "./simulate.ts"

const time = (t: number): string => (Number.isFinite(t) ? `${new Date(t).toISOString().slice(0, 19)}Z` : "never")

const served = (figure: Figure | undefined): string =>
  figure === undefined
    ? "nothing"
    : `${figure.value} by ${figure.source}, of ${time(figure.observedAt)}${figure.confidence === undefined ? "" : `, ${figure.confidence}`}`

const rowsOf = (source: string, { isFailing, retrievedAt, rows }: Held, figure: string): ReadonlyArray<string> => {
  const own = rows.filter(({ of }) => of === figure)
  const state = `${source}, answered ${time(retrievedAt)}${isFailing ? ", failing since" : ""}`
  const texts = own
    .slice(0, 6)
    .map(({ at, figures, name }) => `    ${name}, of ${time(at)}: ${JSON.stringify(figures)}`)
  return [`  ${state}: ${own.length} rows`, ...texts]
}

/** The lines of a report. */
export const reportOf = (seed: number, scene: string, broken: Broken): ReadonlyArray<string> => [
  `seed ${seed}, ${broken.scene}: not so: ${broken.rule}`,
  `  ${broken.figure} at ${time(broken.t)}: served ${served(broken.served)}; true is ${broken.truth}`,
  ...broken.begun.map(({ from, name, until }) => `  ${time(from)} to ${time(until)}: ${name}`),
  ...[...broken.held].flatMap(([source, held]) => rowsOf(source, held, broken.figure)),
  `  again: npm run truth -- --seed ${seed} --worlds 1 --scene ${scene}`
]
