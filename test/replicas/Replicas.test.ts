// Several replicas on one Redis, each a process of its own: a source is asked as if there were one, and whoever asks it may die
// or freeze at any moment.
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as Http from "node:http"
import * as RedisProcess from "../persistence/RedisProcess.ts"
import * as RedisFaults from "./RedisFaults.ts"

/** An upstream that counts: each figure is one higher than the last. `answer` replaces what it says. */
const upstream = Effect.gen(function* () {
  const calls: Array<{ readonly at: number; readonly path: string; readonly port: number | undefined }> = []
  let figure = 0
  let refusal: { readonly status: number; readonly headers: Http.OutgoingHttpHeaders } | undefined
  const server = Http.createServer((request, response) => {
    calls.push({ at: Date.now(), path: request.url ?? "", port: request.socket.remotePort })
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

/** One process, and what it has said. */
const replica = Effect.fnUntraced(function* (redisUrl: string, baseUrl: string) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      // oxlint-disable-next-line no-restricted-globals -- the path to this very node
      spawn(process.execPath, [new URL("replica.ts", import.meta.url).pathname], {
        env: { REDIS_URL: redisUrl, QUIDAX_BASE_URL: baseUrl },
        stdio: ["pipe", "pipe", "pipe"]
      })
    ),
    (running) => Effect.sync(() => running.kill("SIGKILL"))
  )
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
        figures.push({ figure: Number(said.figure), updated: Number(said.updated), at: Date.now() })
      }
    }
  })
  child.stderr.on("data", (chunk: Buffer) => logged.push(...chunk.toString().split("\n").filter(Boolean)))
  return {
    figures,
    outcomes,
    logged,
    isReady: () => isReady,
    signal: (name: "SIGSTOP" | "SIGCONT" | "SIGKILL" | "SIGTERM") => void child.kill(name),
    find: (key: string) => void child.stdin.write(`find ${key}\n`),
    lookUp: (times: number) => void child.stdin.write("look up\n".repeat(times))
  }
})

/** Waits until it is so. */
const until = (isSo: () => boolean, limit: number, what: string) =>
  Effect.sleep("20 millis").pipe(
    Effect.repeat({ until: isSo }),
    Effect.timeoutOrElse({
      duration: limit,
      orElse: () => Effect.die(new Error(`${what}: not within ${limit} ms`))
    })
  )

/** So many processes over one Redis and one upstream, all of them with an answer. */
const fleet = Effect.fnUntraced(function* (count: number) {
  const redis = yield* RedisProcess.make
  yield* redis.start
  const world = yield* upstream
  const replicas = yield* Effect.forEach(Array.from({ length: count }), () => replica(redis.url, world.url))
  yield* until(() => replicas.every(({ figures }) => figures.length > 0), 40_000, "an answer by every replica")
  return { redis, world, replicas }
})

const holderOf = (redis: RedisProcess.RedisProcess) =>
  Effect.map(redis.ask("GET cda:lease:QUIDAX"), (reply) => reply[1] ?? "nobody")

type Fleet = Effect.Success<ReturnType<typeof fleet>>

const withFleet = (name: string, count: number, test: (running: Fleet) => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live.skipIf(!RedisProcess.isInstalled)(name, () => Effect.scoped(Effect.flatMap(fleet(count), test)), 90_000)

describe.concurrent("replicas on one Redis", () => {
  it.live.skipIf(!RedisProcess.isInstalled)(
    "of two real services, no fault of Redis takes anything away from anybody",
    () => RedisFaults.withFaults,
    90_000
  )

  withFleet("four ask a source no more often than one, and all have its answer within 2 s", 4, ({ replicas, world }) =>
    Effect.gen(function* () {
      yield* Effect.sleep("1 second")
      const from = Date.now()
      yield* Effect.sleep("8 seconds")
      const to = Date.now()
      const calls = world.calls.filter(({ at }) => at >= from && at < to)
      assert.isAtMost(calls.length, 9)
      assert.isAtLeast(calls.length, 5)
      yield* Effect.sleep("2 seconds")
      const firstSaid = new Map<number, number>()
      for (const { figures } of replicas) {
        for (const { at, figure } of figures) firstSaid.set(figure, Math.min(at, firstSaid.get(figure) ?? at))
      }
      for (const { figures } of replicas) {
        const own = figures.filter(({ at }) => at >= from && at < to)
        assert.isAtLeast(own.length, 4)
        for (const { at, figure, updated } of own) {
          assert.isBelow(at - (firstSaid.get(figure) ?? 0), 2000)
          // The same figure has the same time, whoever says it.
          const others = replicas.flatMap((other) => other.figures.filter((said) => said.figure === figure))
          assert.isTrue(others.every((said) => said.updated === updated))
        }
      }
      for (const { logged } of replicas) assert.deepStrictEqual(warnings(logged), [])

      // Callers want to know the same everywhere: one call tells all of them, and later callers too.
      for (const replica of replicas) replica.find("a")
      yield* until(() => replicas.every(({ outcomes }) => outcomes.length === 1), 8000, "what was found")
      for (const replica of replicas) replica.find("a")
      yield* until(() => replicas.every(({ outcomes }) => outcomes.length === 2), 8000, "what was found before")
      assert.strictEqual(new Set(replicas.flatMap(({ outcomes }) => outcomes)).size, 1)
      assert.strictEqual(world.of("/found/a"), 1)
      assert.strictEqual(world.calls.filter(({ path }) => path.startsWith("/found/")).length, 1)
    })
  )

  withFleet(
    "whoever asks may be frozen, and later killed: another goes on within 10 s",
    2,
    ({ redis, replicas, world }) =>
      Effect.gen(function* () {
        const [one, two] = replicas
        assert.isDefined(one)
        assert.isDefined(two)
        if (one === undefined || two === undefined) return
        // Who asks is who is quiet when frozen: whoever's answers come from no call of another.
        const before = yield* holderOf(redis)
        one.signal("SIGSTOP")
        yield* Effect.sleep("2500 millis")
        const isOne = Date.now() - (world.calls.at(-1)?.at ?? 0) > 1500
        if (!isOne) one.signal("SIGCONT")
        const [holder, follower] = isOne ? [one, two] : [two, one]
        holder.signal("SIGSTOP")
        const asked = world.calls.length
        yield* until(() => world.calls.length > asked, 10_000, "the next call after a freeze")
        assert.notStrictEqual(yield* holderOf(redis), before)

        // Woken up, it follows: there are no more calls than by one, and it has what the other brings.
        holder.signal("SIGCONT")
        const from = Date.now()
        yield* Effect.sleep("4 seconds")
        const calls = world.calls.filter(({ at }) => at >= from)
        assert.isAtMost(calls.length, 5)
        assert.strictEqual(holder.figures.at(-1)?.figure, follower.figures.at(-1)?.figure)
        const figures = holder.figures.map(({ updated }) => updated)
        assert.deepStrictEqual(
          figures,
          figures.toSorted((a, b) => a - b)
        )

        follower.signal("SIGKILL")
        const then = world.calls.length
        yield* until(() => world.calls.length > then + 1, 10_000, "the next calls after a kill")

        // Asked to stop, it gives up the lease at once.
        holder.signal("SIGTERM")
        yield* Effect.sleep("1 second")
        assert.strictEqual(yield* holderOf(redis), "nobody")
      })
  )

  withFleet(
    "share the budget of look-ups, a pause that a source asks for, and open circuits",
    2,
    ({ redis, replicas, world }) =>
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
          yield* until(() => outcomes().length >= expected, 8_000, "look-ups")
          return replicas[who]?.outcomes.slice(-times) ?? []
        })

        // Six a minute for both: not six for each.
        yield* lookUp(0, 4)
        yield* lookUp(1, 4)
        assert.deepStrictEqual(counted(), { ok: 6, OverBudget: 2 })
        assert.strictEqual(world.of("/look-up"), 6)
        // What was refused took nothing from the scheduled refreshes.
        const logs = yield* redis.ask("ZCARD cda:calls:QUIDAX:0:on-demand")
        assert.deepStrictEqual(logs, [":6"])

        // Three failures here, and the circuit rests there too.
        yield* redis.ask("DEL cda:calls:QUIDAX:0:on-demand", "DEL cda:circuit:source:QUIDAX:look-ups")
        world.refuse({ status: 500, headers: {} })
        assert.deepStrictEqual(yield* lookUp(1, 3), ["BadStatus", "BadStatus", "BadStatus"])
        assert.deepStrictEqual(yield* lookUp(0, 1), ["Suspended"])

        // Told to wait by one, held by both.
        world.refuse({ status: 429, headers: { "retry-after": "30" } })
        yield* redis.ask("DEL cda:circuit:source:QUIDAX:look-ups", "DEL cda:circuit:source:QUIDAX:figure")
        const before = world.calls.length
        yield* until(() => world.calls.length > before, 6000, "a call that is refused")
        yield* Effect.sleep("300 millis")
        const paused = world.calls.length
        assert.deepStrictEqual(yield* lookUp(0, 1), ["OverBudget"])
        assert.deepStrictEqual(yield* lookUp(1, 1), ["OverBudget"])
        yield* Effect.sleep("3 seconds")
        assert.strictEqual(world.calls.length, paused)
      })
  )
})

const warnings = (lines: ReadonlyArray<string>) => lines.filter((line) => /level=(WARN|ERROR|FATAL)/i.test(line))
