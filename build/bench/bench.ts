// `npm run bench`: the service beside its peers, over sockets. Prints tables and writes all samples as JSON.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Config, Console, DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import Process from "node:process"
import { cases } from "./Cases.ts"
import { pinSelf } from "./Processes.ts"
import * as Replicas from "./Replicas.ts"
import * as Report from "./Report.ts"
import { makeKeyFiles, serverNames } from "./Servers.ts"
import * as Session from "./Session.ts"
import * as StartUp from "./StartUp.ts"

const whole = (name: string, description: string, fallback: number) =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.withDefault(fallback))

const flags = {
  only: Flag.String("only").pipe(
    Flag.withDescription("Measure only what has this in its name: a case, or open loop, start, limiter, replicas"),
    Flag.optional
  ),
  peer: Flag.Literals("peer", serverNames.slice(1)).pipe(
    Flag.withDescription("Measure beside this peer only"),
    Flag.optional
  ),
  restarts: whole("restarts", "How often every server is started anew", 3),
  rounds: whole("rounds", "Rounds of each case after each start", 3),
  seconds: whole("seconds", "Seconds of a round", 4),
  unequal: Flag.Boolean("unequal").pipe(
    Flag.withDescription(
      "Where servers differ, tell it and measure all the same: for work in progress, not for figures"
    ),
    Flag.withDefault(false)
  ),
  bare: Flag.Boolean("bare").pipe(
    Flag.withDescription("Start the service without the options that npm start gives to the engine and the allocator"),
    Flag.withDefault(false)
  ),
  json: Flag.String("json").pipe(
    Flag.withDescription("Where the samples are written"),
    Flag.withDefault(join(tmpdir(), "crypto-data-api-bench.json"))
  )
}

/** A folder of the run, gone afterwards. */
const folders = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "crypto-data-api-"))
    return {
      dataDir: join(folder, "data"),
      peerFile: join(folder, "peers.json"),
      log: join(folder, "log")
    }
  }),
  ({ log }) => Effect.sync(() => rmSync(dirname(log), { recursive: true, force: true }))
)

const limiterMemory = Effect.sync((): Report.LimiterMemory =>
  JSON.parse(
    execFileSync(Process.execPath, ["--expose-gc", join(import.meta.dirname, "limiter.ts")], { encoding: "utf8" })
  )
)

const bench = Command.make(
  "bench",
  flags,
  Effect.fnUntraced(function* ({ bare, json, only, peer, restarts, rounds, seconds, unequal }) {
    const isWanted = (name: string) => Option.isNone(only) || name.includes(only.value)
    const servers = serverNames.filter((name) => name === "service" || Option.isNone(peer) || name === peer.value)
    const asked = cases.filter(({ name }) => isWanted(name) || (name === "price" && isWanted("open loop")))
    const redisUrl = yield* Config.option(Config.NonEmptyString("REDIS_URL"))
    yield* pinSelf
    const run = { ...(yield* folders), isBare: bare }
    const keys = yield* makeKeyFiles(run.dataDir)
    yield* Console.error(`logs are in ${run.log} until the end`)

    const shown: Array<Session.Shown> = []
    // A start needs the snapshot that a session leaves.
    const sessions = asked.length > 0 ? restarts : isWanted("start") ? 1 : 0
    for (let number = 0; number < sessions; number++) {
      const plan = {
        servers,
        cases: asked,
        rounds,
        seconds,
        hasOpenLoop: isWanted("open loop"),
        isLenient: unequal,
        number
      }
      shown.push(yield* Session.run(plan, run, keys))
    }
    const started = isWanted("start") ? yield* StartUp.run(servers, 3 * restarts, run) : []
    const limiter = isWanted("limiter") ? yield* limiterMemory : undefined
    const shared =
      Option.isSome(redisUrl) && isWanted("replicas")
        ? yield* Replicas.run(redisUrl.value, { rounds: rounds * restarts, seconds, log: run.log })
        : []

    const measured: Report.Measured = { isBare: bare, cases: asked, shown, started, limiter, shared }
    const found = Report.figures(measured)
    const date = DateTime.formatIsoDateUtc(yield* DateTime.now)
    const machine = {
      date,
      node: Process.version,
      cpu: cpus()[0]?.model,
      cores: cpus().length,
      restarts,
      rounds,
      seconds
    }
    mkdirSync(dirname(json), { recursive: true })
    const result: Report.Result = {
      machine,
      verdicts: Report.verdicts(measured, found),
      rows: Report.rows(found),
      measured
    }
    writeFileSync(json, JSON.stringify(result))
    yield* Console.log(`${Report.text(measured, found, servers)}\n\nAll samples are in ${json}`)
  }, Effect.scoped)
).pipe(Command.withDescription("Measure the service beside its peers"))

Command.run(bench, { version: "1" }).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)
