// Look-ups that replicas make together through Redis: the keys wanted by any of them, the lease to fetch them, and the
// results. The first process to take the lease fetches the batch; the others read its result. Every result expires, so
// their number is bounded by the calls that a source's budget allows.
import { Duration, Effect } from "effect"
import { Redis } from "effect/persistence"
import type { LookupLease, Lookups } from "../sources/dataset/Replicas.ts"
import * as RedisLeases from "./RedisLeases.ts"
import type { RedisLink } from "./RedisLink.ts"

const WANTED = "cda:wanted:"

/** Milliseconds after which a wanted key is forgotten unless a process looks for it again. */
const WANTED_FOR = 10_000

/**
 * Returns text and remaining milliseconds per key, and `""` and 0 for a key without a result, which it adds to the
 * wanted ones.
 */
const readOrWant = Redis.script(
  (topic: string, keys: ReadonlyArray<string>) => [
    ...keys.map((key) => resultKey(topic, key)),
    WANTED + topic,
    WANTED_FOR,
    ...keys
  ],
  {
    numberOfKeys: (_topic, keys) => keys.length + 1,
    lua: `
local found = {}
for i = 1, #KEYS - 1 do
  local text = redis.call("GET", KEYS[i])
  if text then
    found[2 * i - 1] = text
    found[2 * i] = redis.call("PTTL", KEYS[i])
  else
    found[2 * i - 1] = ""
    found[2 * i] = 0
    redis.call("SADD", KEYS[#KEYS], ARGV[i + 1])
    redis.call("PEXPIRE", KEYS[#KEYS], ARGV[1])
  end
end
return found
`
  }
).withReturnType<ReadonlyArray<string | number>>()

/**
 * Removes and returns wanted keys. Waiting processes add keys again while they are being fetched, so keys that have a
 * result by now are left out.
 */
const takeWanted = Redis.script((topic: string, most: number) => [WANTED + topic, resultKey(topic, ""), most], {
  numberOfKeys: 2,
  lua: `
local wanted = {}
for _, key in ipairs(redis.call("SPOP", KEYS[1], ARGV[1])) do
  if redis.call("EXISTS", KEYS[2] .. key) == 0 then wanted[#wanted + 1] = key end
end
return wanted
`
}).withReturnType<ReadonlyArray<string>>()

/** Results of look-ups as texts, each valid for `millis`. */
type Results = Parameters<LookupLease["publish"]>[0]

/**
 * Writes results only while `holder` has the lease: a process that was frozen does not overwrite newer results of
 * another.
 */
const writeResults = Redis.script(
  (holder: string, topic: string, results: Results) => [
    RedisLeases.keyOf(leaseNameOf(topic)),
    ...results.map(({ key }) => resultKey(topic, key)),
    holder,
    ...results.flatMap(({ millis, text }) => [text, millis])
  ],
  {
    numberOfKeys: (_holder, _topic, results) => results.length + 1,
    lua: `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
for i = 2, #KEYS do redis.call("SET", KEYS[i], ARGV[2 * i - 2], "PX", ARGV[2 * i - 1]) end
return 1
`
  }
).withReturnType<number>()

const resultKey = (topic: string, key: string): string => `cda:answer:${topic}:${key}`

const leaseNameOf = (topic: string): string => `ask:${topic}`

/** Makes the look-ups of a topic over `link`; `me` names this process. */
export const make = (link: RedisLink["Service"], me: string) => {
  let leases = 0
  return (topic: string): Lookups => ({
    look: (keys) =>
      Effect.match(link.eval(readOrWant)(topic, keys), {
        onFailure: () => undefined,
        onSuccess: (found) =>
          new Map(
            keys.flatMap((key, n) => {
              const text = String(found[2 * n] ?? "")
              const left = Duration.millis(Math.max(0, Number(found[2 * n + 1] ?? 0)))
              return text === "" ? [] : [[key, { text, left }] as const]
            })
          )
      }),

    acquire: Effect.suspend(() => {
      const holder = `${me}:${leases++}`
      const names = [leaseNameOf(topic)]
      const hold = link.eval(RedisLeases.hold)(holder, names)
      const lease: LookupLease = {
        renewed: Effect.ignore(hold).pipe(Effect.delay(RedisLeases.RENEW_EVERY), Effect.forever),
        wanted: (most) => Effect.orElseSucceed(link.eval(takeWanted)(topic, most), () => []),
        publish: (results) => Effect.ignore(link.eval(writeResults)(holder, topic, results)),
        release: Effect.ignore(link.eval(RedisLeases.release)(holder, names))
      }
      return Effect.match(hold, {
        onFailure: () => undefined,
        onSuccess: ([isHeld]) => (isHeld === 1 ? lease : undefined)
      })
    })
  })
}
