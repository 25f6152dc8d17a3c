// Runs after `npm ci` in a clone: makes the bundle that `npm start` runs. Without the development dependencies there is nothing to
// make it with, and `npm start` runs the sources. Files of the bundle before stay, because a server may be running from them.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { execPath } from "node:process"
import { isCurrent } from "./current.js"

const isInstalled = (name) => {
  try {
    return import.meta.resolve(name) !== ""
  } catch {
    return false
  }
}

if (isInstalled("rolldown") && !isCurrent()) {
  execFileSync(execPath, [join(import.meta.dirname, "bundle.ts"), "dist", "--keep"], { stdio: "inherit" })
}
