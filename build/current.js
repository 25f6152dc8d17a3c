// Whether the bundle in `dist` is newer than all that it is made of. JavaScript, because it runs before every start, and Node
// takes a tenth of a second to load what strips types.
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")

/** The bundle's entry. */
export const bundle = join(root, "dist/main.js")

/** The newest change under a path, in epoch milliseconds. A folder's own time shows what was added or removed. */
const changed = (path) => {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return readdirSync(path).reduce((newest, name) => Math.max(newest, changed(join(path, name))), stat.mtimeMs)
}

export const isCurrent = () => {
  const built = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return ["src", "build", "package.json", "package-lock.json"].every((name) => changed(join(root, name)) <= built)
}
