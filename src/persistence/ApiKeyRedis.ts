// Stores key records in one Redis hash that all replicas read, together with a counter that every write increments. How often keys
// were used is in one hash for each day, to which every replica adds.
import { Effect, Layer, Option } from "effect"
import { Redis } from "effect/persistence"
import type { KeyRecord } from "../access/ApiKey.ts"
import * as Store from "../access/ApiKeyStore.ts"
import { KEPT_DAYS } from "../access/KeyUsage.ts"
import { RedisLink } from "./RedisLink.ts"

const RECORDS = "cda:keys"

const VERSION = "cda:keys:version"

const putScript = Redis.script((hash: string, record: string) => [RECORDS, VERSION, hash, record], {
  numberOfKeys: 2,
  lua: `redis.call("HSET", KEYS[1], ARGV[1], ARGV[2]) return redis.call("INCR", KEYS[2])`
}).withReturnType<number>()

const USES = "cda:keys:uses:"

const LAST = "cda:keys:last"

const WRITER = "cda:keys:writer:"

/** Seconds for which a day is kept, and the number of the last batch of a writer. */
const KEPT = (KEPT_DAYS + 2) * 86_400

// The reply to a batch may be lost, and the batch sent again: it is added once.
const addScript = Redis.script(
  ({ day, number, uses, writer }: Store.UseBatch) => [
    USES + day,
    LAST,
    WRITER + writer,
    number,
    KEPT,
    ...uses.flatMap(({ hash, last, requests }) => [hash, requests, last])
  ],
  {
    numberOfKeys: 3,
    lua: `
if redis.call("GET", KEYS[3]) == ARGV[1] then return 0 end
for n = 3, #ARGV, 3 do
  redis.call("HINCRBY", KEYS[1], ARGV[n], ARGV[n + 1])
  local last = redis.call("HGET", KEYS[2], ARGV[n])
  if not last or tonumber(last) < tonumber(ARGV[n + 2]) then redis.call("HSET", KEYS[2], ARGV[n], ARGV[n + 2]) end
end
redis.call("EXPIRE", KEYS[1], ARGV[2])
redis.call("SET", KEYS[3], ARGV[1], "EX", ARGV[2])
return 1
`
  }
).withReturnType<number>()

/** The fields of a hash and their numbers, one after the other. */
const readScript = Redis.script((key: string) => [key], {
  numberOfKeys: 1,
  lua: `return redis.call("HGETALL", KEYS[1])`
}).withReturnType<ReadonlyArray<string>>()

const numbersOf = (flat: ReadonlyArray<string>): ReadonlyArray<readonly [hash: string, number: number]> =>
  flat.flatMap((hash, n) => (n % 2 === 0 ? [[hash, Number(flat[n + 1])] as const] : []))

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
      ),
      addUses: Effect.fn("ApiKeyRedis.addUses")((batch: Store.UseBatch) =>
        link.eval(addScript)(batch).pipe(failed, Effect.asVoid)
      ),
      uses: Effect.fnUntraced(function* (days: ReadonlyArray<string>) {
        const read = link.eval(readScript)
        const byDay = yield* Effect.forEach(days, (day) =>
          Effect.map(read(USES + day), (flat) => [day, new Map(numbersOf(flat))] as const)
        )
        return new Map(
          numbersOf(yield* read(LAST)).map(([hash, last]) => {
            const entries = byDay.flatMap(([day, counts]) => {
              const requests = counts.get(hash)
              return requests === undefined ? [] : [[day, requests] as const]
            })
            return [hash, { days: Object.fromEntries(entries), last }] as const
          })
        )
      }, failed)
    })
  })
)
