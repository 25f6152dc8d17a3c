import { env } from "node:process"

/** Whether a test runs in full, as `.ci/run` does with `TESTS=all`. Otherwise it runs a fixed share that takes seconds. */
export const isWhole = env["TESTS"] === "all"

/** All cells of a table, or without `TESTS=all` the one at this place, counted round. A table without cells tests nothing. */
export const shareOf = <A>(cells: ReadonlyArray<A>, place: number): ReadonlyArray<A> => {
  if (cells.length === 0) throw new Error("A table without cells")
  return isWhole ? cells : cells.slice(place % cells.length, (place % cells.length) + 1)
}

/** All cells of a table, or without `TESTS=all` every third from the first on. */
export const thirdOf = <A>(cells: ReadonlyArray<A>): ReadonlyArray<A> =>
  isWhole ? cells : cells.filter((_, n) => n % 3 === 0)
