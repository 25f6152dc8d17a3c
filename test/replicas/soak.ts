// `node test/replicas/soak.ts SECONDS` (130 unless given): one, two and four real services, each fleet on a Redis and a world
// of its own, side by side, with callers who look the same things up everywhere. Prints the calls that each upstream
// had from each fleet; then stops and kills who asks, in the fleet of four. `node test/replicas/soak.ts 60 calls` ends before that.
import { NodeRuntime } from "@effect/platform-node"
import { Clock, Effect, Layer, Option, Scope } from "effect"
import { argv, stdout } from "node:process"
import * as RedisProcess from "../persistence/RedisProcess.ts"
import { layerWorld, request, servingWith } from "../cli/ServingProcess.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { simulatedNames } from "../../src/sandbox/Wires.ts"
import { agreed, askAll, untilFine } from "./Endpoints.ts"

const seconds = Number(argv[2] ?? 130)

const say = (text: string) => Effect.sync(() => void stdout.write(`${text}\n`))

const fleet = Effect.fnUntraced(function* (count: number) {
  const world = yield* Layer.build(Layer.fresh(layerWorld))
  const redis = yield* RedisProcess.make
  yield* redis.start
  const scope = yield* Effect.scope
  const services = yield* Effect.forEach(
    Array.from({ length: count }, (_, n) => n),
    (n) =>
      servingWith({
        REDIS_URL: redis.url,
        LOG_FORMAT: "json"
      }).pipe(Effect.delay(n * 300), Effect.provide(world), Scope.provide(scope)),
    { concurrency: "unbounded" }
  )
  yield* Effect.forEach(services, ({ port }) => untilFine(port), { concurrency: "unbounded" })
  const calls = Effect.gen(function* () {
    const { calls, requests } = yield* Sandbox
    const { COINGECKO: asked } = yield* requests
    const of = (part: string) => asked.filter(({ path }) => path.includes(part)).length
    return {
      ...(yield* calls),
      "of them ids": of("ids="),
      "of them pages": of("per_page=250") - of("page=1&") - of("ids=")
    }
  }).pipe(Effect.provide(world))
  return { redis, services, calls }
})

/** Four callers look up the same at the same time, whichever service they come to. */
const lookUps = ({ services }: Fleet, n: number) =>
  Effect.forEach(
    [
      `/v1/coins/thorchain`,
      `/v1/coins/nobody-${n % 7}`,
      `/v1/coins/unknown-${n}`,
      "/v1/coins?limit=250&page=3"
    ].flatMap((path) =>
      Array.from({ length: 4 }, (_, caller) => ({ path, port: services[caller % services.length]?.port ?? 0 }))
    ),
    ({ path, port }, caller) => request(port, path, 61_000 + caller),
    { concurrency: "unbounded" }
  )

type Fleet = Effect.Success<ReturnType<typeof fleet>>

/** How many looks, a second apart, found replicas that do not say the same two seconds later either. */
const apart = Effect.fnUntraced(function* (fleet: Fleet) {
  const { services } = fleet
  let looks = 0
  let apart = 0
  let asked = 0
  const same = Effect.map(
    Effect.forEach(services, ({ port }) => askAll(port), { concurrency: "unbounded" }),
    (rounds) => {
      const statuses = rounds.flatMap((round) => Object.values(round.statuses))
      return {
        isFine: statuses.every((status) => status === 200),
        isSame: new Set(rounds.map(agreed)).size === 1
      }
    }
  )
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const began = now()
  const until = began + seconds * 1000
  while (now() < until) {
    looks++
    const first = yield* same
    if (!first.isFine) yield* say("an endpoint did not answer 200")
    if (!first.isSame) {
      const isSame = same.pipe(
        Effect.delay("200 millis"),
        Effect.repeat({ until: ({ isSame }) => isSame }),
        Effect.timeoutOption("2 seconds")
      )
      if (Option.isNone(yield* isSame)) apart++
    }
    // As often in each fleet, however busy the machine is.
    while (now() - began > asked * 6000) yield* lookUps(fleet, asked++)
    yield* Effect.sleep("1 second")
  }
  return { looks, apart }
})

const holder = (redis: RedisProcess.RedisProcess) =>
  Effect.map(redis.ask("GET cda:lease:COINGECKO"), (reply) => reply[1] ?? "nobody")

const moves = Effect.fnUntraced(function* ({ redis }: Fleet, what: string, act: Effect.Effect<unknown>) {
  const before = yield* holder(redis)
  yield* act
  const [took] = yield* holder(redis).pipe(
    Effect.delay("50 millis"),
    Effect.repeat({ until: (now) => now !== before && now !== "nobody" }),
    Effect.timeout("15 seconds"),
    Effect.timed
  )
  yield* say(`${what}: another holds the leases after ${String(took)}`)
})

Effect.gen(function* () {
  const fleets = yield* Effect.forEach([1, 2, 4], fleet, { concurrency: 1 })
  const starts = yield* Effect.forEach(fleets, ({ calls }) => calls)
  const looks = yield* Effect.forEach(fleets, apart, { concurrency: "unbounded" })
  const ends = yield* Effect.forEach(fleets, ({ calls }) => calls)
  yield* say(`calls at the start + in ${seconds} s, by 1, 2 and 4 replicas`)
  for (const name of [...simulatedNames, "of them ids", "of them pages"] as const) {
    const figures = fleets.map((_, n) => {
      const start = starts[n]?.[name] ?? 0
      return `${start} + ${(ends[n]?.[name] ?? 0) - start}`
    })
    yield* say(`${name.padEnd(14)} ${figures.join("   ")}`)
  }
  yield* say(`looks, and those with replicas apart for 2 s: ${JSON.stringify(looks)}`)

  const [, , four] = fleets
  if (four === undefined || argv[3] === "calls") return
  // The first to start holds the leases.
  const [first, ...rest] = four.services
  yield* moves(
    four,
    "SIGSTOP",
    Effect.sync(() => first?.child.kill("SIGSTOP"))
  )
  const frozenAt = yield* four.calls
  yield* Effect.sleep("75 seconds")
  const thawed = yield* four.calls
  first?.child.kill("SIGCONT")
  yield* Effect.sleep("75 seconds")
  const later = yield* four.calls
  for (const name of ["COINGECKO", "BYBIT_P2P", "QUIDAX", "LUNO"] as const) {
    yield* say(
      `${name}: ${thawed[name] - frozenAt[name]} calls in 75 s without it, ${later[name] - thawed[name]} in 75 s with it back`
    )
  }
  yield* Effect.forEach(rest, ({ child }) => Effect.sync(() => child.kill("SIGKILL")))
  yield* say("three of four killed")
  yield* Effect.sleep("10 seconds")
  const answers = yield* askAll(first?.port ?? 0)
  yield* say(`the last one answers ${JSON.stringify(answers.statuses)}`)
  for (const { written } of four.services) {
    const lines = written.stdout.split("\n").filter((line) => /"level":"(WARN|ERROR|FATAL)/i.test(line))
    yield* say(`warnings of a replica: ${lines.length}\n${lines.slice(0, 5).join("\n")}`)
  }
}).pipe(Effect.scoped, NodeRuntime.runMain)
