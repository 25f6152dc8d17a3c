// The lint rule of imports. `.oxlintrc.json` lists for each room of `src` what it may import, and which packages are not for all.
import { dirname, relative, resolve } from "node:path"

const src = resolve(import.meta.dirname, "../src")
const adapter = /^sources\/((fx|p2p)\/[A-Z]\w+|market\/Coin[A-Z][a-z]+|news\/(Announcements|DefiLlama|NewsFeeds))\.ts$/

/** Packages that are bundled with the page. */
const bundled = /^(preact|uplot)(\/|$)/

const isIn = (path: string) => (room: string) => path === room || path.startsWith(room === "node:" ? room : `${room}/`)

/** Why a file must not import that, both as paths in `src` or names of packages; nothing if it may. */
export const refusal = (rooms: Readonly<Record<string, string>>, from: string, to: string, isType = false) => {
  // The longest name that a path begins with is its room.
  const room = Object.keys(rooms).toSorted().findLast(isIn(from))
  if (room === undefined) return undefined
  if (/\/browser\/(?!Fiats)/.test(from) && !isType && !isIn(to)(dirname(from)) && !bundled.test(to))
    return "a browser takes only types from outside"
  if (adapter.test(from) && adapter.test(to)) return "adapters do not import each other"
  const isAllowed = !Object.keys(rooms).some(isIn(to)) || [room, ...(rooms[room]?.split(" ") ?? [])].some(isIn(to))
  return isAllowed ? undefined : `${room} may import only: ${rooms[room]}`
}

type Import = { source?: { value?: unknown } | null; importKind?: string }
type Context = { filename: string; options: [Record<string, string>]; report: (fault: object) => void }
const create = ({ filename, options: [rooms], report }: Context) => {
  const check = ({ importKind, source }: Import) => {
    if (typeof source?.value !== "string") return
    const to = source.value.startsWith(".") ? relative(src, resolve(dirname(filename), source.value)) : source.value
    const message = refusal(rooms, relative(src, filename), to, importKind === "type")
    if (message !== undefined) report({ node: source, message })
  }
  return {
    ImportDeclaration: check,
    ExportNamedDeclaration: check,
    ExportAllDeclaration: check,
    ImportExpression: check
  }
}
const imports = { meta: { schema: [{ type: "object" }] }, create }
export default { meta: { name: "rooms" }, rules: { imports } }
