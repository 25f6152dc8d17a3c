// What sharing costs: the service alone on its memory, then one and two replicas on one Redis, on the price by key. Redis itself
// runs where it runs. Its database 15 has to be empty, and is emptied afterwards.
import { Effect, Layer, Redacted, Schedule } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "redis"
import * as ApiKeyRedis from "../../src/persistence/ApiKeyRedis.ts"
import { linkTo } from "../../src/node/StateLayers.ts"
import { RedisLink } from "../../src/persistence/RedisLink.ts"
import { cases } from "./Cases.ts"
import * as Load from "./Load.ts"
import { firstAnswer, type Running } from "./Processes.ts"
import { type Folders, makeKeys, start } from "./Servers.ts"
import * as World from "./World.ts"

/** What was measured, over all replicas together. */
export interface Shared {
  readonly replicas: number
  /** Requests a second, all replicas together. */
  readonly rate: number
  /** Microseconds of a replica's processor time for a request. */
  readonly cpu: number
}

const emptyDatabase = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = await createClient({ url }).connect()
      const size = await client.dbSize()
      if (size > 0) throw new Error(`Database 15 of REDIS_URL holds ${size} keys: the benchmark wants it empty.`)
      return client
    }),
    (client) =>
      Effect.promise(async () => {
        await client.flushDb()
        client.destroy()
      })
  )

const keysIn = (url: string) => {
  const link = linkTo(Redacted.make(url))
  const isUp = Effect.flatMap(RedisLink, (redis) =>
    Effect.repeat(redis.isUp, { until: (up) => up, schedule: Schedule.spaced("50 millis") })
  )
  return Effect.andThen(isUp, makeKeys).pipe(
    Effect.provide(ApiKeyRedis.layer.pipe(Layer.provideMerge(link))),
    // Without keys there is nothing to measure.
    Effect.orDie
  )
}

/** Measures one and two replicas on the Redis at `redisUrl`. */
export const run = Effect.fnUntraced(function* (
  redisUrl: string,
  options: { seconds: number; rounds: number; log: string }
) {
  const [asked] = cases
  if (asked === undefined) return []
  const address = new URL(redisUrl)
  address.pathname = "/15"
  const url = address.href
  yield* emptyDatabase(url)
  const keys = yield* keysIn(url)
  const env = { ...(yield* World.settings), REDIS_URL: url }
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "crypto-data-api-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const folders: Omit<Folders, "dataDir"> = { peerFile: join(folder, "none"), log: options.log, isBare: false }
  const files = Load.writeFiles(folder, keys.business, [])
  const replicas: Array<Running> = []
  const results: Array<Shared> = []
  for (const count of [1, 2]) {
    const replica = yield* start("service", { ...folders, dataDir: join(folder, `data-${count}`) }, env)
    yield* firstAnswer(replica, "/readyz", performance.now())
    replicas.push(replica)
    const warm = new Map<Running, Load.Round>()
    for (const each of replicas) warm.set(each, yield* Load.warmUp(each, files, asked, options.seconds))
    for (let n = 0; n < options.rounds; n++) {
      const rounds = yield* Effect.all(
        replicas.map((each) =>
          Load.measure(each, files, asked, {
            seconds: options.seconds,
            warm: warm.get(each) ?? { rate: 0, cpu: 0, bytes: 0, requests: 0 }
          })
        ),
        { concurrency: "unbounded" }
      )
      const rate = rounds.reduce((sum, round) => sum + round.rate, 0)
      const cpu = rounds.reduce((sum, round) => sum + (round.cpu * round.rate) / rate, 0)
      results.push({ replicas: count, rate, cpu })
    }
  }
  return results
}, Effect.scoped)
