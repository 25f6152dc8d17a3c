// What a server needs of Node and of the allocator to stay small. docs/running.md says what each option saves. Most of them have an
// effect only from the start of a process on: one that lacks them replaces itself, in place, so that signals, exit codes, files and
// the process id stay what they are.
import { accessSync, constants } from "node:fs"
import Process from "node:process"
import { setFlagsFromString } from "node:v8"

/** Options of `node`. */
export const OPTIONS = ["--max-semi-space-size=8", "--heap-growing-percent=20", "--no-allocation-site-pretenuring"]

/** Variables of glibc. */
export const VARIABLES = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "30000" }

/** `max-semi-space-size` of each way to write it. */
const nameOf = (option: string): string =>
  option
    .replace(/^--(no-)?/, "")
    .replace(/=.*/, "")
    .replaceAll("_", "-")

/**
 * Gives the process the options that it lacks; what the operator has given stays. Does not return where the process is replaced. Without
 * `execve` (Windows), or with a channel to a parent, which would not survive that (pm2, cluster), only what Node changes later is set.
 */
export const apply = (): void => {
  const { argv, channel, env, execArgv, execPath } = Process
  const given = new Set([...execArgv, ...(env["NODE_OPTIONS"] ?? "").split(" ")].map(nameOf))
  const options = OPTIONS.filter((option) => !given.has(nameOf(option)))
  if (options.length === 0 && Object.keys(VARIABLES).every((name) => env[name] !== undefined)) return
  try {
    if (channel === undefined && Process.execve !== undefined) {
      // A failed `execve` would end the process.
      accessSync(execPath, constants.X_OK)
      Process.execve(execPath, [execPath, ...options, ...execArgv, ...argv.slice(1)], { ...VARIABLES, ...env })
    }
  } catch {}
  for (const option of options) setFlagsFromString(option)
}
