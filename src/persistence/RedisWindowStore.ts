// Request windows in Redis, shared by all replicas. One script counts all requests of an event-loop turn, because a
// Redis command costs more than the rest of a request. While Redis is down each replica counts in its own memory,
// starting from the windows that Redis returned last.
import { Clock, Duration, Effect } from "effect"
import { Redis } from "effect/persistence"
import { WINDOW } from "../access/Plan.ts"
import type { CountRequests, MemoryWindows, Window } from "../access/WindowStore.ts"
import { RedisLink } from "./RedisLink.ts"
import { sharedKey } from "./sharedKey.ts"

const PREFIX = sharedKey("window:")

/** A request to count; `now` in epoch milliseconds. */
interface Count {
  readonly key: string
  readonly tokens: number
  readonly now: number
  readonly done: (window: Window) => void
}

// Redis expires a window by its own clock. The replica that opens a window stores its end, so that all replicas report
// the same one. Windows that open in one turn end together. Each parameter is a string in the command, so all token
// counts share one.
const script = Redis.script(
  (counts: ReadonlyArray<Count>, millis: number) => [
    ...counts.map(({ key }) => PREFIX + key),
    millis,
    (counts[0]?.now ?? 0) + millis,
    counts.map(({ tokens }) => tokens).join(" ")
  ],
  {
    numberOfKeys: (counts) => counts.length,
    lua: `
local windows = {}
local new = ARGV[2]
local next = string.gmatch(ARGV[3], "%d+")
for n, key in ipairs(KEYS) do
  local tokens = next()
  local ends = redis.call("HGET", key, "ends")
  local count = 0
  if tokens == "0" then
    if ends then count = tonumber(redis.call("HGET", key, "count")) end
  else
    if not ends then
      ends = new
      redis.call("HSET", key, "ends", ends)
      redis.call("PEXPIRE", key, ARGV[1])
    end
    count = redis.call("HINCRBY", key, "count", tokens)
  end
  windows[2 * n - 1] = count
  windows[2 * n] = tonumber(ends or new)
end
return windows
`
  }
).withReturnType<ReadonlyArray<number>>()

/** Counts in Redis, and in `local` while it is down. */
export const make = Effect.fnUntraced(function* (
  local: MemoryWindows
): Effect.fn.Return<CountRequests, never, RedisLink> {
  const link = yield* RedisLink
  const millis = Duration.toMillis(WINDOW)
  const run = Effect.runForkWith(yield* Effect.context<never>())
  let turn: Array<Count> = []

  const countTurn = Effect.suspend(() => {
    const counts = turn
    turn = []
    const counted = (windows: ReadonlyArray<number>) => {
      for (const [n, { done, key, now, tokens }] of counts.entries()) {
        const window = { count: windows[2 * n] ?? 0, ends: windows[2 * n + 1] ?? now + millis }
        if (tokens > 0) local.replace(key, window, now)
        done(window)
      }
    }
    const countedHere = Effect.map(Clock.currentTimeMillis, (now) => {
      for (const { done, key, tokens } of counts) done(local.count(key, tokens, now))
    })
    return Effect.matchEffect(link.eval(script)(counts, millis), {
      onFailure: () => countedHere,
      onSuccess: (windows) => Effect.sync(() => counted(windows))
    })
  })

  return (key, tokens, now, done) => {
    if (turn.push({ key, tokens, now, done }) === 1) run(Effect.andThen(Effect.yieldNow, countTurn))
  }
})
