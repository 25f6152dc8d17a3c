// Stores key records in one Redis hash that all replicas read. Every write increments a version counter. Request counts
// are in one hash for each day, to which every replica adds.
import { Array as Arr, Effect, Layer, Option } from "effect"
import { Redis } from "effect/persistence"
import type { KeyRecord } from "../access/ApiKey.ts"
import * as Store from "../access/ApiKeyStore.ts"
import { KEPT_DAYS } from "../access/KeyUsage.ts"
import { connectionFailure } from "../domain/connectionFailure.ts"
import { RedisLink } from "./RedisLink.ts"
import { sharedKey } from "./sharedKey.ts"

const RECORDS = sharedKey("keys")

const VERSION = sharedKey("keys:version")

const putScript = Redis.script((hash: string, text: string) => [RECORDS, VERSION, hash, text], {
  numberOfKeys: 2,
  lua: `
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
return redis.call("INCR", KEYS[2])
`
}).withReturnType<number>()

// A record that is too large is cut, and then no JSON.
const findScript = Redis.script((hash: string) => [RECORDS, hash], {
  numberOfKeys: 1,
  lua: `
local text = redis.call("HGET", KEYS[1], ARGV[1])
return text and string.sub(text, 1, ${Store.MOST_BYTES})
`
}).withReturnType<string | null>()

const allScript = Redis.script(() => [RECORDS], {
  numberOfKeys: 1,
  lua: `
local records = redis.call("HVALS", KEYS[1])
for n, text in ipairs(records) do records[n] = string.sub(text, 1, ${Store.MOST_BYTES}) end
return records
`
}).withReturnType<ReadonlyArray<string>>()

const USES = sharedKey("keys:uses:")

const LAST = sharedKey("keys:last")

const WRITER = sharedKey("keys:writer:")

/** Seconds until the counts of a day, and the last batch number of a writer, expire. */
const KEPT = (KEPT_DAYS + 2) * 86_400

// A batch is sent again if its reply is lost. Its number keeps it from being added twice.
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

// A script, because the client answers the command itself with a list or a map, by the protocol.
const readScript = Redis.script((key: string) => [key], {
  numberOfKeys: 1,
  lua: `return redis.call("HGETALL", KEYS[1])`
}).withReturnType<ReadonlyArray<string>>()

/** The number of each field of a hash, from its alternating fields and numbers. */
const numbersOf = (flat: ReadonlyArray<string>): ReadonlyMap<string, number> =>
  new Map(Arr.chunksOf(flat, 2).map(([field = "", number]) => [field, Number(number)]))

/** Stores records in Redis. Fails with `Store.ApiKeyStoreError` while Redis is down. */
export const layer: Layer.Layer<Store.ApiKeyStore, never, RedisLink> = Layer.effect(
  Store.ApiKeyStore,
  Effect.gen(function* () {
    const link = yield* RedisLink
    const failed = Effect.mapError(({ cause }: Redis.RedisError) => {
      const detail = `Redis fails (${connectionFailure(cause)}). Check REDIS_URL and the server there`
      return new Store.ApiKeyStoreError({ detail })
    })

    return Store.ApiKeyStore.of({
      find: (hash) =>
        link
          .eval(findScript)(hash)
          .pipe(
            failed,
            Effect.map((text) => Option.flatMap(Option.fromNullishOr(text), Store.decodeRecord))
          ),
      all: link
        .eval(allScript)()
        .pipe(
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
        const read = (key: string) => Effect.map(link.eval(readScript)(key), numbersOf)
        const byDay = yield* Effect.forEach(days, (day) =>
          Effect.map(read(USES + day), (counts) => [day, counts] as const)
        )
        return new Map(
          Array.from(yield* read(LAST), ([hash, last]) => {
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
