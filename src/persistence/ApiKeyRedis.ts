// Stores key records in one Redis hash that all replicas read. Every write increments a version counter. Request counts
// are in one hash for each day, to which every replica adds.
import { Effect, Layer, Option } from "effect"
import { Redis } from "effect/persistence"
import type { KeyRecord } from "../access/ApiKey.ts"
import * as Store from "../access/ApiKeyStore.ts"
import { KEPT_DAYS } from "../access/KeyUsage.ts"
import { RedisLink } from "./RedisLink.ts"
import { sharedKey } from "./sharedKey.ts"

const RECORDS = sharedKey("keys")

const VERSION = sharedKey("keys:version")

/** The version of 0.2's records at the last import. */
const TAKEN = sharedKey("keys:taken")

/**
 * Version 0.2 stores its records under names without a hash tag. Its replicas may run beside this version, or after a
 * rollback, and both must know all keys. So its records are imported here, and writes go to both places. A cluster
 * rejects such names, and has no records of 0.2.
 */
const TAKE_OVER = `
local former = redis.pcall("GET", "cda:keys:version")
local refused = type(former) == "table"
if not refused and former and former ~= redis.call("GET", KEYS[3]) then
  local records = redis.call("HGETALL", "cda:keys")
  for n = 1, #records, 2 do redis.call("HSET", KEYS[1], records[n], records[n + 1]) end
  redis.call("INCR", KEYS[2])
  redis.call("SET", KEYS[3], former)
end
`

/** A script over the records. It first imports those of 0.2 if they have changed. */
const overRecords = (lua: string) =>
  Redis.script((...rest: ReadonlyArray<string>) => [RECORDS, VERSION, TAKEN, ...rest], {
    numberOfKeys: 3,
    lua: TAKE_OVER + lua
  })

const putScript = overRecords(`
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
if not refused then
  redis.call("HSET", "cda:keys", ARGV[1], ARGV[2])
  redis.call("SET", KEYS[3], redis.call("INCR", "cda:keys:version"))
end
return redis.call("INCR", KEYS[2])
`).withReturnType<number>()

const findScript = overRecords(`
local text = redis.call("HGET", KEYS[1], ARGV[1])
return text and string.sub(text, 1, ${Store.MOST_BYTES})
`).withReturnType<string | null>()

// A record that is too large is cut, and then no JSON.
const allScript = overRecords(`
local records = redis.call("HVALS", KEYS[1])
for n, text in ipairs(records) do records[n] = string.sub(text, 1, ${Store.MOST_BYTES}) end
return records
`).withReturnType<ReadonlyArray<string>>()

const versionScript = overRecords(`return redis.call("GET", KEYS[2])`).withReturnType<string | null>()

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

/** Alternating fields and numbers of a hash, then those of 0.2's hash of that name. */
const readScript = Redis.script((key: string) => [key, key.replace(sharedKey(""), "cda:")], {
  numberOfKeys: 1,
  lua: `
local flat = redis.call("HGETALL", KEYS[1])
for _, part in ipairs(redis.pcall("HGETALL", ARGV[1])) do flat[#flat + 1] = part end
return flat
`
}).withReturnType<ReadonlyArray<string>>()

/** The number of each field. `combine` merges the numbers of a field that occurs twice. */
const numbersOf = (flat: ReadonlyArray<string>, combine: (a: number, b: number) => number) => {
  const numbers = new Map<string, number>()
  for (let n = 0; n < flat.length; n += 2) {
    const [field = "", number] = [flat[n], Number(flat[n + 1])]
    const other = numbers.get(field)
    numbers.set(field, other === undefined ? number : combine(other, number))
  }
  return numbers
}

const sum = (a: number, b: number): number => a + b

/** Stores records in Redis. Fails with `Store.ApiKeyStoreError` while Redis is down. */
export const layer: Layer.Layer<Store.ApiKeyStore, never, RedisLink> = Layer.effect(
  Store.ApiKeyStore,
  Effect.gen(function* () {
    const link = yield* RedisLink
    const failed = Effect.mapError(() => new Store.ApiKeyStoreError({ detail: "Redis does not answer" }))

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
      version: link
        .eval(versionScript)()
        .pipe(
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
          Effect.map(read(USES + day), (flat) => [day, numbersOf(flat, sum)] as const)
        )
        return new Map(
          Array.from(numbersOf(yield* read(LAST), Math.max), ([hash, last]) => {
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
