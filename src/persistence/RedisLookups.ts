// Questions that equal processes have at the same time, put together in Redis: what each wants to know, whose it is to ask (a lease
// while it takes), and what came of it. Every answer runs out; how many there are is bounded by how often sources are asked.
import { Duration, Effect } from "effect"
import { Redis } from "effect/persistence"
import type { Lookups } from "../sources/dataset/Replicas.ts"
import * as RedisLeases from "./RedisLeases.ts"
import type { RedisLink } from "./RedisLink.ts"

const ANSWERS = "cda:answer:"

const WANTED = "cda:wanted:"

/** What nobody has looked for again for this long, in milliseconds, is wanted no more. */
const WANTED_FOR = 10_000

/** Reads what is known, text and milliseconds left in turn; what is not is put up as wanted. */
const readOrWant = Redis.script(
  (topic: string, keys: ReadonlyArray<string>) => [
    ...keys.map((key) => answerKey(topic, key)),
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

/** Takes what is wanted; whoever waits puts up anew what is being asked, so what is answered by now is left out. */
const takeWanted = Redis.script((topic: string, most: number) => [WANTED + topic, answerKey(topic, ""), most], {
  numberOfKeys: 2,
  lua: `
local wanted = {}
for _, key in ipairs(redis.call("SPOP", KEYS[1], ARGV[1])) do
  if redis.call("EXISTS", KEYS[2] .. key) == 0 then wanted[#wanted + 1] = key end
end
return wanted
`
}).withReturnType<ReadonlyArray<string>>()

/** An answer as text, and for how many milliseconds it is one. */
export interface Told {
  readonly key: string
  readonly text: string
  readonly millis: number
}

/** Whoever was frozen in the middle does not replace what another has asked meanwhile. */
const writeAnswers = Redis.script(
  (holder: string, topic: string, told: ReadonlyArray<Told>) => [
    RedisLeases.keyOf(leaseOf(topic)),
    ...told.map(({ key }) => answerKey(topic, key)),
    holder,
    ...told.flatMap(({ millis, text }) => [text, millis])
  ],
  {
    numberOfKeys: (_holder, _topic, told) => told.length + 1,
    lua: `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
for i = 2, #KEYS do redis.call("SET", KEYS[i], ARGV[2 * i - 2], "PX", ARGV[2 * i - 1]) end
return 1
`
  }
).withReturnType<number>()

const answerKey = (topic: string, key: string): string => `${ANSWERS}${topic}:${key}`

const leaseOf = (topic: string): string => `ask:${topic}`

/** Questions over `link`, for the process called `me`. */
export const make = (link: RedisLink["Service"], me: string) => {
  let claims = 0
  return (topic: string): Lookups => ({
    look: (keys: ReadonlyArray<string>) =>
      link
        .use((redis) => redis.eval(readOrWant)(topic, keys))
        .pipe(
          Effect.map(
            (found) =>
              new Map(
                keys.flatMap((key, n) => {
                  const text = String(found[2 * n] ?? "")
                  const left = Duration.millis(Math.max(0, Number(found[2 * n + 1] ?? 0)))
                  return text === "" ? [] : [[key, { text, left }] as const]
                })
              )
          ),
          Effect.orElseSucceed(() => undefined)
        ),

    acquire: Effect.suspend(() => {
      const holder = `${me}:${claims++}`
      const lease = [leaseOf(topic)]
      const hold = link.use((redis) => redis.eval(RedisLeases.hold)(holder, lease))
      const claim = {
        renewed: Effect.ignore(hold).pipe(Effect.delay(RedisLeases.RENEW_EVERY), Effect.forever),
        wanted: (most: number) =>
          Effect.orElseSucceed(
            link.use((redis) => redis.eval(takeWanted)(topic, most)),
            () => []
          ),
        publish: (told: ReadonlyArray<Told>) =>
          Effect.ignore(link.use((redis) => redis.eval(writeAnswers)(holder, topic, told))),
        release: Effect.ignore(link.use((redis) => redis.eval(RedisLeases.release)(holder, lease)))
      }
      return hold.pipe(
        Effect.map(([isHeld]) => (isHeld === 1 ? claim : undefined)),
        Effect.orElseSucceed(() => undefined)
      )
    })
  })
}
