// The program file that tests start as a process.
import { join } from "node:path"
import { env } from "node:process"

/** The bundle of this run if there is one, else the sources. */
export const program = env["CDA_TEST_PROGRAM"] ?? join(import.meta.dirname, "../src/main.ts")
