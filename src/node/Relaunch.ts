// Replaces this process by itself, once, with what the memory allocator and V8 read only when a process starts. Without
// this, glibc gives each of a dozen threads a heap of its own: measured after the same load, 40 MiB more. `execve` keeps
// the process id, the standard streams, the arguments and the environment, and costs one start of a bare Node.
//
// `MALLOC_ARENA_MAX` is also the mark that this has happened; who sets it has decided already. Where a process cannot be
// replaced, it goes on as it is: outside Linux, in a Node without `execve`, and as a child with an IPC channel, which
// would be closed.
import { accessSync, constants } from "node:fs"
import Process from "node:process"

/**
 * - The young generation, of two halves of so many MiB. Left alone it grows to 64 MiB, all of which is soon touched.
 * - A regular expression is compiled to machine code at its first use instead of its second. The word lists of the
 *   explanations are hundreds of them, and the first explanation of a process takes a sixth less. It is set
 *   here because Node warns of crashes where a flag is changed while V8 runs.
 * - V8's own functions are not mapped a second time next to the compiled code, once for each thread that runs JavaScript:
 *   2 MiB. A call of one reads its address first, which costs less than could be told from noise.
 */
export const v8Options: ReadonlyArray<string> = [
  "--max-semi-space-size=4",
  "--no-regexp-tier-up",
  "--no-short-builtin-calls"
]

/**
 * One heap of glibc for all threads. Pieces of more than 30,000 bytes go back to the system as soon as they are freed:
 * V8's compilers take memory in pieces of 32 KiB, tens of MiB for a moment.
 */
const allocator = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "30000" }

const { argv, argv0, env, execArgv, execPath, platform } = Process

if (
  platform === "linux" &&
  env["MALLOC_ARENA_MAX"] === undefined &&
  // The commands that run until they are stopped.
  ["serve", "sandbox", "mcp"].includes(argv[2] ?? "") &&
  Process.channel === undefined
) {
  try {
    // Node ends the process when `execve` fails.
    accessSync(execPath, constants.X_OK)
    Process.execve?.(execPath, [argv0, ...v8Options, ...execArgv, ...argv.slice(1)], { ...env, ...allocator })
  } catch {
    // It goes on as it is.
  }
}
