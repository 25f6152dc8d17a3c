// Stores key records in one Redis hash that all replicas read, together with a counter that every write increments.
import { Effect, Layer, Option, Schema } from "effect"
import { Redis } from "effect/persistence"
import { KeyRecord } from "../access/ApiKey.ts"
import { ApiKeyStore, ApiKeyStoreError, NO_RECORDS } from "../access/ApiKeyStore.ts"
import { RedisLink } from "./RedisLink.ts"

const RecordJson = Schema.fromJsonString(KeyRecord)

const decodeOption = Schema.decodeOption(RecordJson)

const RECORDS = "cda:keys"

const VERSION = "cda:keys:version"

const putScript = Redis.script((hash: string, record: string) => [RECORDS, VERSION, hash, record], {
  numberOfKeys: 2,
  lua: `redis.call("HSET", KEYS[1], ARGV[1], ARGV[2]) return redis.call("INCR", KEYS[2])`
}).withReturnType<number>()

/** Stores records in Redis. Fails with `ApiKeyStoreError` while Redis is down. */
export const layer: Layer.Layer<ApiKeyStore, never, RedisLink> = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const link = yield* RedisLink
    const failed = Effect.mapError(() => new ApiKeyStoreError({ detail: "Redis does not answer" }))
    const read = (text: string) =>
      Schema.decodeEffect(RecordJson)(text).pipe(
        Effect.map(Option.some),
        Effect.catch(() =>
          Effect.as(Effect.logWarning("an entry in Redis is not a key record and is left out"), Option.none())
        )
      )

    return ApiKeyStore.of({
      find: (hash) =>
        link.send<string | null>("HGET", RECORDS, hash).pipe(
          failed,
          Effect.map((text) => Option.flatMap(Option.fromNullishOr(text), decodeOption))
        ),
      all: link.send<ReadonlyArray<string>>("HVALS", RECORDS).pipe(
        failed,
        Effect.flatMap((texts) => Effect.forEach(texts, read)),
        Effect.map((records) => records.flatMap(Option.toArray))
      ),
      version: link.send<string | null>("GET", VERSION).pipe(
        Effect.map((version) => version ?? NO_RECORDS),
        failed
      ),
      put: Effect.fn("ApiKeyRedis.put")(function* (record: KeyRecord) {
        const text = yield* Effect.orDie(Schema.encodeEffect(RecordJson)(record))
        yield* link.eval(putScript)(record.hash, text).pipe(failed)
      })
    })
  })
)
