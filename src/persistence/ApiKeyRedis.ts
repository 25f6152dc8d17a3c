// Stores key records in one Redis hash that all replicas read, together with a counter that every write increments.
import { Effect, Layer, Option } from "effect"
import { Redis } from "effect/persistence"
import type { KeyRecord } from "../access/ApiKey.ts"
import * as Store from "../access/ApiKeyStore.ts"
import { RedisLink } from "./RedisLink.ts"

const RECORDS = "cda:keys"

const VERSION = "cda:keys:version"

const putScript = Redis.script((hash: string, record: string) => [RECORDS, VERSION, hash, record], {
  numberOfKeys: 2,
  lua: `redis.call("HSET", KEYS[1], ARGV[1], ARGV[2]) return redis.call("INCR", KEYS[2])`
}).withReturnType<number>()

/** Stores records in Redis. Fails with `Store.ApiKeyStoreError` while Redis is down. */
export const layer: Layer.Layer<Store.ApiKeyStore, never, RedisLink> = Layer.effect(
  Store.ApiKeyStore,
  Effect.gen(function* () {
    const link = yield* RedisLink
    const failed = Effect.mapError(() => new Store.ApiKeyStoreError({ detail: "Redis does not answer" }))

    return Store.ApiKeyStore.of({
      find: (hash) =>
        link.send<string | null>("HGET", RECORDS, hash).pipe(
          failed,
          Effect.map((text) => Option.flatMap(Option.fromNullishOr(text), Store.decodeRecord))
        ),
      all: link.send<ReadonlyArray<string>>("HVALS", RECORDS).pipe(
        failed,
        Effect.flatMap((texts) => Store.decodeAll(texts, "an entry in Redis"))
      ),
      version: link.send<string | null>("GET", VERSION).pipe(
        Effect.map((version) => version ?? Store.NO_RECORDS),
        failed
      ),
      put: Effect.fn("ApiKeyRedis.put")((record: KeyRecord) =>
        link.eval(putScript)(record.hash, Store.encodeRecord(record)).pipe(failed, Effect.asVoid)
      )
    })
  })
)
