// What the processes that tests start are run from.
import { join } from "node:path"
import { env } from "node:process"

/** The bundle where there is one for this run, else the sources. */
export const program = env["CDA_TEST_PROGRAM"] ?? join(import.meta.dirname, "../src/main.ts")
