// Shares texts between replicas through Redis: one hash for each key, with its text, its version, when it is due, and who has the turn
// (the lease) until when. All times are by the clock of Redis. While Redis is down every turn is `unknown`.
import { Array as Arr, Clock, Duration, Effect, Random } from "effect"
import { Redis } from "effect/persistence"
import {
  type Asked,
  CLAIMED_FOR,
  HEAD_START,
  type Look,
  type ReplicasService,
  type Settled,
  TOO_LARGE
} from "../sources/dataset/Replicas.ts"
import * as RedisBudgets from "./RedisBudgets.ts"
import { RedisLink } from "./RedisLink.ts"
import { sharedKey } from "./sharedKey.ts"

const entryOf = ({ key }: { readonly key: string }): string => sharedKey(`entry:${key}`)

/** The start of both scripts. `lookAt` ignores times that a clock running ahead has written. */
const NOW = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/**
 * Returns for each key its text if the version differs from this process's (or {@link TOO_LARGE}), the version, whether `me` has the turn, and the milliseconds
 * until it is due. `me` takes a due turn that no other has; its last owner has a head start. A renewal takes no turn that another had last.
 */
const lookAt = Redis.script(
  (me: string, asked: ReadonlyArray<Asked>) => [
    ...asked.map(entryOf),
    me,
    Duration.toMillis(CLAIMED_FOR),
    Duration.toMillis(HEAD_START),
    TOO_LARGE,
    ...asked.flatMap(({ isRenewal, most, version, wants }) => [version, wants ? (isRenewal === true ? 2 : 1) : 0, most])
  ],
  {
    numberOfKeys: (_me, asked) => asked.length,
    lua: `${NOW}
local me, claim, head = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local found = {}
for i, key in ipairs(KEYS) do
  local entry = redis.call("HMGET", key, "version", "at", "due", "by", "until")
  local version, at, due = entry[1] or "", tonumber(entry[2] or 0), tonumber(entry[3] or 0)
  local by, ends = entry[4] or "", tonumber(entry[5] or 0)
  if at > now then due = 0 end
  if ends > now + claim then ends = 0 end
  local isMine = by == me and ends > now
  local known, wants, most = ARGV[3 * i + 2], ARGV[3 * i + 3], tonumber(ARGV[3 * i + 4])
  local isFree = by == me or by == "" or wants == "1" and (ends > 0 or due + head <= now)
  if wants ~= "0" and due <= now and (isMine or ends <= now and isFree) then
    isMine = true
    redis.call("HSET", key, "by", me, "until", now + claim)
    if redis.call("PTTL", key) < claim then redis.call("PEXPIRE", key, claim) end
  end
  local isNew = version ~= "" and version ~= known
  local text = isNew and (redis.call("HSTRLEN", key, "text") > most and ARGV[4] or redis.call("HGET", key, "text"))
  found[4 * i - 3] = text or ""
  found[4 * i - 2] = version
  found[4 * i - 1] = isMine and 1 or 0
  found[4 * i] = math.max(0, due - now)
end
return found
`
  }
).withReturnType<ReadonlyArray<string | number>>()

/** Writes entries; `dueIn` ends the turn. Returns the new versions, empty for entries without a text or with another owner by now. */
const settleAll = Redis.script(
  (me: string, settled: ReadonlyArray<Settled>) => [
    ...settled.map(entryOf),
    me,
    ...settled.flatMap(({ dueIn, keptFor, text = "" }) => [
      text,
      dueIn === undefined ? "" : Math.floor(Duration.toMillis(dueIn)),
      Math.max(1, Math.floor(Duration.toMillis(keptFor)))
    ])
  ],
  {
    numberOfKeys: (_me, settled) => settled.length,
    lua: `${NOW}
local me = ARGV[1]
local written = {}
for i, key in ipairs(KEYS) do
  local text, dueIn, keptFor = ARGV[3 * i - 1], tonumber(ARGV[3 * i]), ARGV[3 * i + 1]
  local entry = redis.call("HMGET", key, "by", "until")
  local by, ends = entry[1] or "", tonumber(entry[2] or 0)
  written[i] = ""
  if by == me or by == "" or (not dueIn and ends <= now) then
    if text ~= "" then
      written[i] = time[1] .. "." .. time[2]
      redis.call("HSET", key, "text", text, "version", written[i])
    end
    if dueIn then
      redis.call("HSET", key, "at", now, "due", now + dueIn, "by", text ~= "" and me or "", "until", 0)
    end
    redis.call("PEXPIRE", key, keptFor)
  end
end
return written
`
  }
).withReturnType<ReadonlyArray<string>>()

/** Makes the service over `RedisLink`, under a new id for this process. */
export const make = Effect.gen(function* () {
  const link = yield* RedisLink
  const me = `${(yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)).toString(36)}-${yield* Clock.currentTimeMillis}`

  return {
    look: (asked) =>
      link
        .eval(lookAt)(me, asked)
        .pipe(
          // A proxy in front of Redis may reply with nothing.
          Effect.filterOrFail((found) => Array.isArray(found) && found.length === 4 * asked.length),
          Effect.map((found) =>
            Arr.chunksOf(found, 4).map(([text, version, isMine, dueIn]): Look => {
              return {
                text: text === "" ? undefined : String(text),
                version: String(version),
                turn: isMine === 1 ? "mine" : "other",
                dueIn: Duration.millis(Number(dueIn))
              }
            })
          ),
          Effect.orElseSucceed(() =>
            asked.map(({ version }): Look => {
              return { text: undefined, version, turn: "unknown", dueIn: Duration.zero }
            })
          )
        ),

    settle: (settled) =>
      link
        .eval(settleAll)(me, settled)
        .pipe(
          Effect.filterOrFail((written) => Array.isArray(written) && written.length === settled.length),
          Effect.orElseSucceed(() => settled.map(() => ""))
        ),

    budget: RedisBudgets.make(link, me)
  } satisfies ReplicasService
})
