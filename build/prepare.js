// Runs after `npm ci` in a clone: makes the bundle that `npm start` runs. Without the development dependencies there is nothing to
// make it with. Files of the bundle before stay, because a server may be running from them. JavaScript, because the Node that npm
// runs on may be too old for TypeScript.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { execPath } from "node:process"

const isInstalled = (name) => {
  try {
    return import.meta.resolve(name) !== ""
  } catch {
    return false
  }
}

if (isInstalled("rolldown")) {
  execFileSync(execPath, [join(import.meta.dirname, "bundle.ts"), "dist", "--keep"], { stdio: "inherit" })
}
