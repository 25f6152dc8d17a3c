// Several replicas on one Redis, each a process of its own: a source is asked as if there were one, and the replica that
// asks it may die or freeze at any moment.
import { assert, describe, it } from "@effect/vitest"
import { Cause, Clock, Effect, type Scope } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as Http from "node:http"
import { join } from "node:path"
import { build } from "rolldown"
import * as RedisProcess from "../persistence/RedisProcess.ts"
import * as RedisFaults from "./RedisFaults.ts"

/** An upstream that counts: each figure is one higher than the last. `by` is the number of the replica that called. */
const upstream = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const calls: Array<{ readonly at: number; readonly path: string; readonly by: string | undefined }> = []
  let figure = 0
  let refusal: { readonly status: number; readonly headers: Http.OutgoingHttpHeaders } | undefined
  const server = Http.createServer((request, response) => {
    calls.push({ at: clock.currentTimeMillisUnsafe(), path: request.url ?? "", by: request.headers["user-agent"] })
    if (refusal !== undefined) response.writeHead(refusal.status, refusal.headers).end()
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ figure: ++figure }))
  })
  yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
  yield* Effect.addFinalizer(() => Effect.sync(() => (server.closeAllConnections(), server.close())))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`,
    calls,
    of: (path: string) => calls.filter((call) => call.path === path).length,
    refuse: (next: typeof refusal) => void (refusal = next)
  }
})

/** `replica.ts` as one file, which starts in a fifth of the time that the sources take. */
const program = Effect.runSync(
  Effect.cached(
    Effect.promise(async () => {
      const file = join(import.meta.dirname, "../../node_modules/.cache/crypto-data-api-test/replica.js")
      await build({
        input: join(import.meta.dirname, "replica.ts"),
        platform: "node",
        output: { file, codeSplitting: false }
      })
      return file
    })
  )
)

/** The process with this number, and its output. */
const replica = Effect.fnUntraced(function* (number: number, redisUrl: string, baseUrl: string) {
  const file = yield* program
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      // oxlint-disable-next-line no-restricted-globals -- the path to this very node
      spawn(process.execPath, [file], {
        env: { REDIS_URL: redisUrl, QUIDAX_BASE_URL: baseUrl, USER_AGENT: String(number) },
        stdio: ["pipe", "pipe", "pipe"]
      })
    ),
    (running) => Effect.sync(() => running.kill("SIGKILL"))
  )
  const closed = once(child, "close")
  const clock = yield* Clock.Clock
  const figures: Array<{ readonly figure: number; readonly updated: number; readonly at: number }> = []
  const outcomes: Array<string> = []
  const logged: Array<string> = []
  let isReady = false
  let rest = ""
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      const said: unknown = JSON.parse(line)
      if (typeof said !== "object" || said === null) continue
      if ("outcome" in said) outcomes.push(String(said.outcome))
      if ("ready" in said) isReady = true
      if ("figure" in said && "updated" in said) {
        figures.push({
          figure: Number(said.figure),
          updated: Number(said.updated),
          at: clock.currentTimeMillisUnsafe()
        })
      }
    }
  })
  child.stderr.on("data", (chunk: Buffer) => logged.push(...chunk.toString().split("\n").filter(Boolean)))
  return {
    number: String(number),
    ended: Effect.promise(() => closed),
    figures,
    outcomes,
    logged,
    isReady: () => isReady,
    signal: (name: "SIGSTOP" | "SIGCONT" | "SIGKILL" | "SIGTERM") => void child.kill(name),
    find: (key: string) => void child.stdin.write(`find ${key}\n`),
    lookUp: (times: number) => void child.stdin.write("look up\n".repeat(times))
  }
})

/** Waits until it is so. Without a limit it takes seconds, and longer on a busy machine. */
const until = (isSo: () => boolean, what: string, limit = 60_000) =>
  Effect.sleep("20 millis").pipe(
    Effect.repeat({ until: isSo }),
    Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.die(new Error(`${what}: not within ${limit} ms`)) })
  )

/** `count` processes over one Redis and one upstream, each with an answer. */
const fleet = Effect.fnUntraced(function* (count: number) {
  const redis = yield* RedisProcess.make
  yield* redis.start
  const world = yield* upstream
  const replicas = yield* Effect.forEach(Array.from({ length: count }), (_, n) => replica(n, redis.url, world.url))
  yield* until(() => replicas.every(({ figures }) => figures.length > 0), "an answer by every replica")
  return { redis, world, replicas }
})

/** Which process asked last, by an id of its own. */
const holderOf = (redis: RedisProcess.RedisProcess) =>
  Effect.map(redis.ask("HGET cda:{all}:entry:quidax-figure by"), (reply) => reply[1] ?? "none")

type Fleet = Effect.Success<ReturnType<typeof fleet>>

/** By how many nanoseconds this process' event loop is late on a machine that stalls. */
const STALL = 300_000_000

/**
 * Runs a test over a fleet. If it fails and the machine stalled (a replica went on without Redis, the source was late, or the event
 * loop was), it is run again over a new fleet.
 */
const withFleet = (name: string, count: number, test: (running: Fleet) => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live.skipIf(!RedisProcess.isInstalled)(name, () =>
    Effect.flatMap(fleet(count), (running) => {
      const delay = monitorEventLoopDelay({ resolution: 20 })
      delay.enable()
      return Effect.catchCause(test(running), (cause) =>
        delay.max > STALL || running.replicas.some(({ logged }) => logged.some((line) => isApart(line) || isSlow(line)))
          ? Effect.fail(cause)
          : Effect.die(Cause.squash(cause))
      )
    }).pipe(Effect.scoped, Effect.retry({ times: 4 }))
  )

describe.concurrent("replicas on one Redis", () => {
  it.live.skipIf(!RedisProcess.isInstalled)(
    "two real services answer everything through each fault of Redis",
    () => RedisFaults.withFaults
  )

  withFleet("four ask a source no more often than one, and all have its answer within 2 s", 4, ({ replicas, world }) =>
    Effect.gen(function* () {
      const first = world.calls.length
      const firstFigure = first + 1
      yield* until(() => world.calls.length >= first + 6, "six calls")
      const seconds = ((world.calls.at(-1)?.at ?? 0) - (world.calls[first]?.at ?? 0)) / 1000
      // Each is due 1 to 1.1 s after the one before. A replica that asked for itself would make it two in that time.
      assert.isAbove(seconds, 3)
      const lastFigure = firstFigure + 4
      const has = (figure: number) => replicas.every(({ figures }) => figures.some((said) => said.figure >= figure))
      yield* until(() => has(lastFigure), "the fifth answer at every replica", 2000)
      for (const { figures } of replicas) {
        const own = figures.filter(({ figure }) => figure >= firstFigure && figure <= lastFigure)
        assert.isAtLeast(own.length, 3)
        for (const { at, figure, updated } of own) {
          const others = replicas.flatMap((other) => other.figures.filter((said) => said.figure === figure))
          assert.isBelow(at - Math.min(...others.map((said) => said.at)), 2000)
          assert.isTrue(
            others.every((said) => said.updated === updated),
            "a figure has one time at all replicas"
          )
        }
      }
      for (const { logged } of replicas) assert.deepStrictEqual(warnings(logged), [])

      // The same key is looked for at all replicas: one call answers all of them, and later callers too.
      const asked = world.calls.length
      for (const count of [1, 2]) {
        for (const replica of replicas) replica.find("key")
        yield* until(() => replicas.every(({ outcomes }) => outcomes.length === count), "what was found")
      }
      assert.strictEqual(new Set(replicas.flatMap(({ outcomes }) => outcomes)).size, 1)
      const found = world.calls.slice(asked).filter(({ path }) => path.startsWith("/found/"))
      assert.deepStrictEqual(
        found.map(({ path }) => path),
        ["/found/key"]
      )
    })
  )

  withFleet(
    "the one that asks may be frozen, and later killed: another goes on within 10 s",
    2,
    ({ redis, replicas, world }) =>
      Effect.gen(function* () {
        const [one, two] = replicas
        assert.isDefined(one)
        assert.isDefined(two)
        if (one === undefined || two === undefined) return
        // At the start each may have asked.
        const lastCallers = () => new Set(world.calls.slice(-3).map(({ by }) => by))
        yield* until(() => world.calls.length > 3 && lastCallers().size === 1, "one that asks")
        const before = yield* holderOf(redis)
        const [holder, follower] = world.calls.at(-1)?.by === one.number ? [one, two] : [two, one]
        const callsBy = ({ number }: typeof one) => world.calls.filter(({ by }) => by === number).length
        holder.signal("SIGSTOP")
        const asked = callsBy(follower)
        yield* until(() => callsBy(follower) > asked, "the next call after a freeze", 10_000)
        assert.notStrictEqual(yield* holderOf(redis), before)

        // Resumed, it follows: it asks nothing itself and gets what the other fetches.
        const own = callsBy(holder)
        holder.signal("SIGCONT")
        const since = callsBy(follower)
        yield* until(() => callsBy(follower) >= since + 3, "three more calls")
        assert.isAtMost(callsBy(holder), own + 1, "a call under way when it was frozen")
        const latest = () => follower.figures.at(-2)?.figure ?? 0
        yield* until(() => (holder.figures.at(-1)?.figure ?? 0) >= latest(), "the figures of the other")
        const times = holder.figures.map(({ updated }) => updated)
        assert.deepStrictEqual(
          times,
          times.toSorted((a, b) => a - b)
        )

        follower.signal("SIGKILL")
        const then = callsBy(holder)
        yield* until(() => callsBy(holder) > then + 1, "the next calls after a kill", 10_000)

        holder.signal("SIGTERM")
        yield* holder.ended
      })
  )

  withFleet("share the budget of look-ups and a pause that a source asks for", 2, ({ redis, replicas, world }) =>
    Effect.gen(function* () {
      const outcomes = () => replicas.flatMap(({ outcomes }) => outcomes)
      const counted = () => {
        const counts: Record<string, number> = {}
        for (const outcome of outcomes()) counts[outcome] = (counts[outcome] ?? 0) + 1
        return counts
      }
      const lookUp = Effect.fnUntraced(function* (who: number, times: number) {
        const expected = outcomes().length + times
        replicas[who]?.lookUp(times)
        yield* until(() => outcomes().length >= expected, "look-ups")
        return replicas[who]?.outcomes.slice(-times) ?? []
      })

      // Six a minute for both: not six for each.
      yield* lookUp(0, 4)
      yield* lookUp(1, 4)
      assert.deepStrictEqual(counted(), { ok: 6, OverBudget: 2 })
      assert.strictEqual(world.of("/look-up"), 6)
      // Refused look-ups count for nothing.
      const logs = yield* redis.ask("ZCARD cda:{all}:calls:QUIDAX-plan:0:on-demand")
      assert.deepStrictEqual(logs, [":6"])

      // A pause that one was told, both observe.
      world.refuse({ status: 429, headers: { "retry-after": "30" } })
      yield* redis.ask("DEL cda:{all}:calls:QUIDAX-plan:0:on-demand")
      const before = world.calls.length
      yield* until(() => world.calls.length > before, "a call that is refused")
      yield* Effect.sleep("300 millis")
      const paused = world.calls.length
      assert.deepStrictEqual(yield* lookUp(0, 1), ["RateLimited"])
      assert.deepStrictEqual(yield* lookUp(1, 1), ["RateLimited"])
      yield* Effect.sleep("1500 millis")
      assert.strictEqual(world.calls.length, paused, "a refresh was due every second")
    })
  )
})

/** A replica says that it goes on without Redis. */
const isApart = (line: string): boolean => line.includes("Redis cannot be used (no answer")

/** The source, which is this process, did not answer in 5 s. */
const isSlow = (line: string): boolean => /did not answer within|got no answer in time/.test(line)

/** All but that a busy machine kept Redis from answering in time. */
const warnings = (lines: ReadonlyArray<string>) =>
  lines.filter((line) => /level=(WARN|ERROR|FATAL)/i.test(line) && !isApart(line))
