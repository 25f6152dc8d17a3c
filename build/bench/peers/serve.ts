// A peer as a process of its own: `node serve.ts NAME FILE PORT`, where the harness wrote the file.
import { readFileSync } from "node:fs"
import Process from "node:process"
import { givenBy, type Given } from "./Contract.ts"

// Each is loaded only where it runs: no peer pays for the start of another.
const peers: Readonly<Record<string, () => Promise<(given: Given, port: number) => unknown>>> = {
  fastify: async () => (await import("./FastifyPeer.ts")).listen,
  hono: async () => (await import("./HonoPeer.ts")).listen,
  stringify: async () => (await import("./BarePeer.ts")).listenStringifying,
  encoded: async () => (await import("./BarePeer.ts")).listenEncoded
}

const [name = "", path = "", port = ""] = Process.argv.slice(2)
const load = peers[name]
if (load === undefined) throw new Error(`no peer is called ${name}`)
const listen = await load()
await listen(givenBy(JSON.parse(readFileSync(path, "utf8"))), Number(port))
