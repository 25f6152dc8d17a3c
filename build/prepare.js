// Makes the bundle that `npm start` runs: after `npm ci` in a clone, where it can be made, and first of `npm run build`. Says what is
// missing otherwise. After `npm ci` files of the bundle before stay, because a server may be running from them. JavaScript, because the
// Node that npm runs on may be too old for TypeScript.
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { argv, execPath, exit, stderr } from "node:process"

const isInstalled = (name) => {
  try {
    return import.meta.resolve(name) !== ""
  } catch {
    return false
  }
}

const end = (sentence) => {
  stderr.write(`${sentence}\n`)
  exit(1)
}

const bundle = (...flags) =>
  execFileSync(execPath, [join(import.meta.dirname, "bundle.ts"), "dist", ...flags], { stdio: "inherit" })

// The package has this file alone, for `npm start` in an unpacked one.
const canBundle = existsSync(join(import.meta.dirname, "bundle.ts")) && isInstalled("rolldown")

if (argv[2] === "build") {
  if (canBundle) bundle()
  else
    end(
      "The development dependencies are missing, which `npm ci --omit=dev` leaves out. Run `npm ci --include=dev`, then build again."
    )
} else if (argv[2] === "start") {
  if (!existsSync(join(import.meta.dirname, "../dist/main.js"))) {
    end(
      "There is no bundle to start: run `npm ci --include=dev`, which makes it; `npm ci` with NODE_ENV=production or `--omit=dev` cannot. Without it: node src/main.ts serve"
    )
  }
} else if (canBundle) bundle("--keep")
