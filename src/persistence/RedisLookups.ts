// Look-ups that replicas share through Redis: the result of each key, or the claim of the process that is finding it out. Results
// and claims expire, so their number is bounded by the calls that a source's budget allows.
import { Duration, Effect } from "effect"
import { Redis } from "effect/persistence"
import { alone, type Claim, type SharedResult } from "../sources/dataset/Replicas.ts"
import type { RedisLink } from "./RedisLink.ts"

/** After so long without renewal a claim expires: a dead or frozen process keeps the others waiting for no longer. */
const CLAIMED_FOR = Duration.seconds(6)

/** No result begins like this: results are JSON. */
const CLAIMED = "claimed by "

const keyOf = (topic: string, key: string): string => `cda:answer:${topic}:${key}`

/** Returns text and remaining milliseconds per key. The text of a key without one becomes `claim`. */
const readOrClaim = Redis.script(
  (claim: string, topic: string, keys: ReadonlyArray<string>) => [
    ...keys.map((key) => keyOf(topic, key)),
    claim,
    Duration.toMillis(CLAIMED_FOR)
  ],
  {
    numberOfKeys: (_claim, _topic, keys) => keys.length,
    lua: `
local found = {}
for i, key in ipairs(KEYS) do
  local text = redis.call("GET", key)
  if not text then redis.call("SET", key, ARGV[1], "PX", ARGV[2]) end
  found[2 * i - 1] = text or ARGV[1]
  found[2 * i] = redis.call("PTTL", key)
end
return found
`
  }
).withReturnType<ReadonlyArray<string | number>>()

/** Writes results in place of `claim`; an empty one removes it. What another process has put there since stays. */
const settle = Redis.script(
  (claim: string, topic: string, results: ReadonlyArray<SharedResult>) => [
    ...results.map(({ key }) => keyOf(topic, key)),
    claim,
    ...results.flatMap(({ left, text }) => [text, Math.max(1, Math.floor(Duration.toMillis(left)))])
  ],
  {
    numberOfKeys: (_claim, _topic, results) => results.length,
    lua: `
for i, key in ipairs(KEYS) do
  if redis.call("GET", key) == ARGV[1] then
    redis.call("SET", key, ARGV[2 * i], "PX", ARGV[2 * i + 1])
    if ARGV[2 * i] == "" then redis.call("DEL", key) end
  end
end
return 0
`
  }
).withReturnType<number>()

/** Makes the claims over `link`; `me` names this process. */
export const make = (link: RedisLink["Service"], me: string) => {
  let claims = 0
  return Effect.fnUntraced(
    function* (topic: string, keys: ReadonlyArray<string>) {
      const claim = `${CLAIMED}${me}:${claims++}`
      const found = yield* link.eval(readOrClaim)(claim, topic, keys)
      const texts = keys.map((key, n): SharedResult => {
        return { key, text: String(found[2 * n]), left: Duration.millis(Number(found[2 * n + 1])) }
      })
      const mine = texts.filter(({ text }) => text === claim)
      const end = (results: ReadonlyArray<SharedResult>) => Effect.ignore(link.eval(settle)(claim, topic, results))
      return {
        results: texts.filter(({ text }) => !text.startsWith(CLAIMED)),
        mine: mine.map(({ key }) => key),
        renew: end(mine.map(({ key }) => ({ key, text: claim, left: CLAIMED_FOR }))),
        publish: Effect.flatMap(end),
        release: end(mine.map((one) => ({ ...one, text: "" })))
      } satisfies Claim
    },
    (claiming, topic, keys) => Effect.catch(claiming, () => alone.claim(topic, keys))
  )
}
