// The servers that are measured, and how each is started: the service as its package runs it, the peers beside it.
import { NodeServices } from "@effect/platform-node"
import { DateTime, Effect, Random } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as ApiKey from "../../src/access/ApiKey.ts"
import * as ApiKeyFiles from "../../src/persistence/ApiKeyFiles.ts"
import { ApiKeyStore } from "../../src/access/ApiKeyStore.ts"
import { TRUSTED_PROXIES } from "./peers/Contract.ts"
import { freePort, startServer } from "./Processes.ts"

/** In the order of the table. */
export const serverNames = ["service", "fastify", "hono", "stringify", "encoded"] as const

/** `stringify` and `encoded` are bare node:http. */
export type ServerName = (typeof serverNames)[number]

/** Enough that no key runs into its limit at any rate that is possible here. */
const KEYS = { business: 2000, developer: 32 }

/** Keys as they are drawn for callers. */
export interface Keys {
  readonly business: ReadonlyArray<string>
  readonly developer: ReadonlyArray<string>
}

/** Draws keys and puts them where the service looks for them. */
export const makeKeys = Effect.gen(function* () {
  const store = yield* ApiKeyStore
  const created = yield* DateTime.now
  const draw = Effect.fnUntraced(function* (plan: "business" | "developer") {
    const key = ApiKey.fromRandom(yield* Effect.replicateEffect(Random.nextIntBetween(0, 62, { halfOpen: true }), 32))
    const hash = ApiKey.hashOf(key)
    yield* store.put({ hash, plan, label: "bench", created, expires: null, revoked: null })
    return key
  })
  return {
    business: yield* Effect.replicateEffect(draw("business"), KEYS.business, { concurrency: 16 }),
    developer: yield* Effect.replicateEffect(draw("developer"), KEYS.developer)
  }
})

/** The keys in files under `dataDir`. */
export const makeKeyFiles = (dataDir: string): Effect.Effect<Keys> =>
  makeKeys.pipe(
    Effect.provide(ApiKeyFiles.layer(join(dataDir, "keys"))),
    Effect.provide(NodeServices.layer),
    // Without keys there is nothing to measure.
    Effect.orDie
  )

/** Where a run keeps its files. */
export interface Folders {
  readonly dataDir: string
  /** What the peers serve. */
  readonly peerFile: string
  readonly log: string
  /** Whether the service is started without any option of the engine or the allocator, unlike `npm start`. */
  readonly isBare: boolean
}

/** What `npm start` runs: variables of the environment, then `node` with its options, the program and its command. */
const npmStart = (
  isBare: boolean
): { readonly env: Readonly<Record<string, string>>; readonly args: ReadonlyArray<string> } => {
  const { scripts }: { readonly scripts: { readonly start: string } } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8")
  )
  const words = scripts.start.split(" ")
  const node = words.indexOf("node")
  const program = words.slice(node + 1).filter((word) => !word.startsWith("--"))
  if (isBare) return { env: {}, args: program }
  return {
    env: Object.fromEntries(words.slice(0, node).map((word) => word.split("=", 2))),
    args: words.slice(node + 1)
  }
}

/** Starts a server, the service as `npm start` does. `env` is the service's, and only it reads any. */
export const start = Effect.fnUntraced(function* (
  name: ServerName,
  folders: Folders,
  env: Readonly<Record<string, string>>
) {
  const port = yield* freePort
  if (name !== "service") {
    const entry = join(import.meta.dirname, "peers", "serve.ts")
    return yield* startServer([entry, name, folders.peerFile, String(port)], { env: {}, port, log: folders.log })
  }
  const own = { HOST: "127.0.0.1", PORT: String(port), DATA_DIR: folders.dataDir, TRUSTED_PROXIES, LOG_LEVEL: "Warn" }
  const { args, env: options } = npmStart(folders.isBare)
  return yield* startServer(args, { env: { ...options, ...own, ...env }, port, log: folders.log })
})
