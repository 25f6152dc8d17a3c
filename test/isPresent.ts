// The parts that a machine may lack. Without one its tests count as skipped, and with `REQUIRE_ALL=1`, as in `.ci/run`, they fail.
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { env, stdout } from "node:process"

/** Passes on whether a part is there; `what` names it. Throws where it is missing and `REQUIRE_ALL=1` stands. */
export const isPresent = (what: string, isThere: boolean): boolean => {
  if (!isThere && env["REQUIRE_ALL"] === "1") throw new Error(`REQUIRE_ALL=1, and ${what} is missing`)
  if (!isThere) stdout.write(`SKIPPED: the tests with ${what}, which is missing\n`)
  return isThere
}

/** Where a program is on the `PATH`. */
export const pathOf = (program: string): string | undefined =>
  (env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })

/** Whether programs are on the `PATH`. */
export const hasPrograms = (...programs: ReadonlyArray<string>): boolean =>
  isPresent(
    programs.join(" and "),
    programs.every((program) => pathOf(program) !== undefined)
  )
