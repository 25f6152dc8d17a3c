// The service over every kind of Redis that people run: in cluster mode, over TLS with a user of its own, over a Unix socket, and Valkey.
// The same is tried on each: what `doctor` finds, limits, keys, their use, turns and budgets of two replicas.
import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Layer, Redacted, type Scope } from "effect"
import { join } from "node:path"
import * as ApiKey from "../../src/access/ApiKey.ts"
import { ApiKeyStore } from "../../src/access/ApiKeyStore.ts"
import { usual } from "../../src/access/Plan.ts"
import { RateLimiter } from "../../src/access/RateLimiter.ts"
import { makeMemoryWindows } from "../../src/access/WindowStore.ts"
import { redis as findingOf } from "../../src/cli/DoctorDatabases.ts"
import * as ApiKeyRedis from "../../src/persistence/ApiKeyRedis.ts"
import * as RedisReplicas from "../../src/persistence/RedisReplicas.ts"
import * as RedisWindowStore from "../../src/persistence/RedisWindowStore.ts"
import { recordOf } from "../cli/NewKey.ts"
import { certificate, trusting } from "../certificates.ts"
import { hasPrograms, pathOf } from "../isPresent.ts"
import { freePort, temporaryFolder } from "../resources.ts"
import { patientLink } from "./patientLink.ts"
import * as RedisProcess from "./RedisProcess.ts"

const SECRET = "hunter2"

/** Servers of one cluster that know each other, each with a third of the slots where there are three. */
const cluster = Effect.fnUntraced(function* (size: 1 | 3) {
  const servers = yield* Effect.forEach(Array.from({ length: size }), () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryFolder, "nodes.conf")
      const bus = String(yield* freePort)
      const options = ["--cluster-enabled", "yes", "--cluster-config-file", file, "--cluster-port", bus]
      const server = yield* RedisProcess.makeWith(...options)
      yield* server.start
      return { ...server, bus }
    })
  )
  const bounds = size === 1 ? [0, 16_384] : [0, 5461, 10_923, 16_384]
  for (const [n, server] of servers.entries()) {
    yield* server.ask(`CLUSTER ADDSLOTSRANGE ${bounds[n] ?? 0} ${(bounds[n + 1] ?? 0) - 1}`)
    for (const { bus, url } of servers.slice(0, n)) {
      yield* server.ask(`CLUSTER MEET 127.0.0.1 ${new URL(url).port} ${bus}`)
    }
  }
  for (const server of servers) {
    yield* Effect.repeat(Effect.andThen(Effect.sleep("20 millis"), server.ask("CLUSTER INFO")), {
      until: (lines) => lines.includes("cluster_state:ok")
    })
  }
  return servers.map(({ url }) => url)
})

const acl = `ACL SETUSER service on >${SECRET} resetkeys resetchannels -@all +@all ~cda:*`

/** Each kind: the programs that it needs, and the addresses by which the service reaches it. */
const kinds: ReadonlyArray<
  readonly [string, ReadonlyArray<string>, Effect.Effect<ReadonlyArray<string>, unknown, Scope.Scope>]
> = [
  ["a cluster of one node", ["redis-server"], cluster(1)],
  ["a cluster of three nodes, by each of them", ["redis-server"], cluster(3)],
  [
    "a user of its own, who may use keys of the service alone",
    ["redis-server"],
    Effect.gen(function* () {
      const server = yield* RedisProcess.make
      yield* server.start
      yield* server.ask(acl)
      return [server.url.replace("redis://", `redis://service:${SECRET}@`)]
    })
  ],
  [
    "TLS, with a user of its own",
    ["redis-server", "openssl"],
    Effect.gen(function* () {
      const { cert, certFile, keyFile } = yield* certificate()
      yield* trusting(cert)
      const port = yield* freePort
      const files = ["--tls-cert-file", certFile, "--tls-key-file", keyFile, "--tls-ca-cert-file", certFile]
      const server = yield* RedisProcess.makeWith("--tls-port", String(port), "--tls-auth-clients", "no", ...files)
      yield* server.start
      yield* server.ask(acl)
      return [`rediss://service:${SECRET}@127.0.0.1:${port}`]
    })
  ],
  [
    "a Unix socket, with a password",
    ["redis-server"],
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "redis.sock")
      const server = yield* RedisProcess.makeWith("--unixsocket", path, "--databases", "4")
      yield* server.start
      yield* server.ask(acl)
      return [`unix://service:${SECRET}@${path}?db=3`]
    })
  ],
  [
    "Valkey",
    ["valkey-server"],
    Effect.gen(function* () {
      const server = yield* RedisProcess.makeOf("valkey-server")
      yield* server.start
      return [server.url]
    })
  ]
]

/** One process of the service. */
const processOver = Effect.fnUntraced(function* (url: string) {
  const limiter = Layer.effect(RateLimiter, Effect.map(RedisWindowStore.make(makeMemoryWindows()), RateLimiter.over))
  const context = yield* Layer.build(
    Layer.merge(ApiKeyRedis.layer, limiter).pipe(Layer.provideMerge(patientLink(url)), Layer.fresh)
  )
  return {
    limiter: Context.get(context, RateLimiter),
    store: Context.get(context, ApiKeyStore),
    replicas: yield* Effect.provideContext(RedisReplicas.make, context)
  }
})

const record = recordOf(ApiKey.fromRandom(Array.from({ length: 32 }, () => 7)), "business")

describe.each(kinds)("over %s", (_name, programs, addresses) => {
  // Older Debians have no Valkey: not even `REQUIRE_ALL=1` asks for it.
  const canRun = programs.includes("valkey-server") ? pathOf("valkey-server") !== undefined : hasPrograms(...programs)
  it.live.skipIf(!canRun)("two processes share all, and doctor is content", () =>
    Effect.gen(function* () {
      const urls = yield* addresses
      for (const url of urls) {
        // On a busy machine it may add that the answer was slow.
        const { text } = yield* findingOf(Redacted.make(url))
        assert.match(text, /^connects, may be written to/)
      }
      const first = urls[0] ?? assert.fail()
      const [one, two] = [yield* processOver(first), yield* processOver(urls.at(-1) ?? first)]
      yield* one.limiter.consume("ip:192.0.2.1", usual("free"))
      assert.strictEqual((yield* two.limiter.consume("ip:192.0.2.1", usual("free"))).remaining, 58)

      yield* one.store.put(record)
      assert.deepStrictEqual(yield* two.store.all, [record])
      const day = "2026-11-27"
      const uses = [{ hash: record.hash, requests: 2, last: 5 }]
      yield* one.store.addUses({ writer: "one", number: 1, day, uses })
      yield* two.store.addUses({ writer: "two", number: 1, day, uses })
      assert.deepStrictEqual((yield* one.store.uses([day])).get(record.hash), { days: { [day]: 4 }, last: 5 })

      yield* one.replicas.look([{ key: "figure", version: "", wants: true, most: 1000 }])
      const keptFor = Duration.minutes(1)
      yield* one.replicas.settle([{ key: "figure", text: "1", keptFor, dueIn: keptFor }])
      assert.strictEqual(
        (yield* two.replicas.look([{ key: "figure", version: "", wants: true, most: 1000 }]))[0]?.text,
        "1"
      )
      const log = { key: "0:all", calls: 1, millis: 60_000 }
      yield* one.replicas.budget("SOURCE", "budget").take([log])
      assert.isAbove((yield* two.replicas.budget("SOURCE", "budget").take([log]))?.wait ?? 0, 0)
    }).pipe(Effect.scoped)
  )
})
