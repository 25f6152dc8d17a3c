// The metrics that docs/running.md has, by name or by how their names begin.
import { readFileSync } from "node:fs"

const text = readFileSync(new URL("../../docs/running.md", import.meta.url), "utf8")

const names = Array.from(text.matchAll(/`((?:cda|process|nodejs)_[a-z_]*)`/g), ([, name = ""]) => name)

export const isDocumented = (metric: string): boolean =>
  names.some((name) => (name.endsWith("_") ? metric.startsWith(name) : metric === name))
