#!/usr/bin/env node
// The entry point of the process. Enables Node's compile cache, which halves the start time of the bundle from the
// second start on, then imports everything else.
import Module from "node:module"
import { join } from "node:path"
import { argv, env, exit, stderr, umask, versions } from "node:process"
import { apply } from "./node/engineOptions.ts"

// As `engines` in package.json says. What an older Node lacks would end it with a stack trace instead.
const [major = 0, minor = 0] = versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  stderr.write(`crypto-data-api needs Node 22.19 or newer, and this is Node ${versions.node}.\n`)
  exit(78)
}

// Other commands end before their memory matters.
const words = argv.slice(2)
const long = ["serve", "sandbox", "value", "watch"]
if (words.every((word) => word.startsWith("-")) || long.some((name) => words.includes(name))) apply()

// What the process writes is for its owner alone, in whatever folder: keys, snapshots, the history, the lock.
umask(0o077)

// In the package's own folder, else in the user's cache. Never in a folder that other users can write to: the cache is
// executable code. Without a writable folder only the start is slower. A user of a number alone, as in a container, may have no home.
const home = env["HOME"] ?? env["USERPROFILE"]
const folders = [join(import.meta.dirname, "../node_modules/.cache")]
if (home !== undefined) folders.push(join(home, ".cache/crypto-data-api"))
const { FAILED } = Module.constants.compileCacheStatus
folders.some((folder) => Module.enableCompileCache(folder).status !== FAILED)

// Node writes the cache at exit, which a killed process never reaches. After 15 s a server has compiled all that a
// start needs.
setTimeout(() => Module.flushCompileCache(), 15_000).unref()

// Before any schema is built.
await import("effect/schema/SchemaJITCompiler/enable")
await import("./cli/CommandLine.ts")
