#!/usr/bin/env node
import "effect/schema/SchemaJITCompiler/enable"
// Where the process begins: Node is told to keep what it compiles, then everything else is loaded. The bundle of the package
// starts in about half the time with what an earlier start left behind.
import { constants, enableCompileCache, flushCompileCache } from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"

// Beside the package, else with the user's other caches; never in a folder that others write to, for what is read back is run.
// Where neither can be written to, the start is slower and all else the same.
const folders = [join(import.meta.dirname, "../node_modules/.cache"), join(homedir(), ".cache/crypto-data-api")]
const { FAILED } = constants.compileCacheStatus
folders.some((folder) => enableCompileCache(folder).status !== FAILED)

// A process that is killed leaves nothing behind at its end. By then a server has run all that a start runs.
setTimeout(flushCompileCache, 15_000).unref()

await import("./node/V8Flags.ts")
await import("./cli/CommandLine.ts")
