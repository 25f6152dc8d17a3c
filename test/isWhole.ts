import { env } from "node:process"

/** Whether a test runs in full, as `.ci/run` does with `TESTS=all`. Otherwise it runs a fixed share that takes seconds. */
export const isWhole = env["TESTS"] === "all"
