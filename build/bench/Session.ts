// One session: every server started anew, found equal, warmed up, and measured in turn.
import { Console, Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import Process from "node:process"
import { type Case, PRICE } from "./Cases.ts"
import * as Equality from "./Equality.ts"
import * as Load from "./Load.ts"
import * as MarketReading from "./MarketReading.ts"
import type { Latencies } from "./OpenLoop.ts"
import type { PeerFile } from "./peers/Contract.ts"
import { firstAnswer, onLoadCore, residentMiB, type Running } from "./Processes.ts"
import { type Folders, type Keys, type ServerName, start } from "./Servers.ts"
import * as World from "./World.ts"

/** What is asked of a session. */
export interface Plan {
  readonly servers: ReadonlyArray<ServerName>
  readonly cases: ReadonlyArray<Case>
  readonly rounds: number
  readonly seconds: number
  readonly hasOpenLoop: boolean
  /** Differences are told, and what can be measured is measured all the same. */
  readonly isLenient: boolean
  readonly number: number
}

/** What it showed, by server. */
export interface Shown {
  readonly rounds: ReadonlyArray<{ readonly asked: string; readonly server: ServerName; readonly round: Load.Round }>
  readonly latencies: ReadonlyArray<{
    readonly server: ServerName
    readonly latencies: Latencies
    readonly rate: number
  }>
  readonly memory: ReadonlyArray<{ readonly server: ServerName; readonly mib: number }>
}

/** Of the rate at which the service is saturated. */
const OPEN_LOOP_SHARE = 0.3

/** Keys that the market is read with; the first ones have to be unused when answers are compared. */
const READERS = 1000

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** Starts at another place each time, so that none is always measured first. */
const rotated = <A>(items: ReadonlyArray<A>, by: number): ReadonlyArray<A> => {
  const at = by % Math.max(1, items.length)
  return [...items.slice(at), ...items.slice(0, at)]
}

const orTold = <A, E extends { readonly message: string }>(plan: Plan, effect: Effect.Effect<A, E>) =>
  plan.isLenient ? Effect.catch(effect, (failure: E) => Effect.as(Console.error(failure.message), undefined)) : effect

/** The servers of a session, all of them up. */
const startAll = Effect.fnUntraced(function* (plan: Plan, folders: Folders, keys: Keys) {
  const env = yield* World.settings
  const began = performance.now()
  const service = yield* start("service", folders, env)
  yield* firstAnswer(service, "/readyz", began)
  const market = yield* MarketReading.read(service.port, keys.business.slice(-READERS))
  const plans = [...keys.business.map((key) => [key, "business"]), ...keys.developer.map((key) => [key, "developer"])]
  const file: PeerFile = { market, keys: Object.fromEntries(plans) }
  writeFileSync(folders.peerFile, JSON.stringify(file))
  const callers = Equality.makeCallers(keys)
  const running: Array<readonly [ServerName, Running]> = [["service", service]]
  for (const name of plan.servers) {
    if (name === "service") continue
    const peer = yield* start(name, folders, {})
    yield* firstAnswer(peer, PRICE, performance.now())
    yield* orTold(plan, Equality.check({ service: service.port, peer: peer.port, name }, plan.cases, callers))
    running.push([name, peer])
  }
  const pairs = Object.entries(market.prices).flatMap(([id, quotes]) =>
    Object.keys(quotes).map((fiat) => [id, fiat] as const)
  )
  return { ids: market.rows.map(({ id }) => id), pairs, running }
})

/** Runs one. */
export const run = Effect.fnUntraced(function* (plan: Plan, folders: Folders, keys: Keys) {
  const { ids, pairs, running: all } = yield* startAll(plan, folders, keys)
  const files = Load.writeFiles(join(folders.peerFile, ".."), keys.business, pairs, ids)
  const rounds: Array<Shown["rounds"][number]> = []
  for (const [at, asked] of plan.cases.entries()) {
    const running = all.filter(([server]) => server === "service" || asked.isOwn !== true)
    const warm = new Map<ServerName, Load.Round>()
    for (const [server, process] of running) {
      const round = yield* orTold(plan, Load.warmUp(process, files, asked, Math.min(2, plan.seconds)))
      if (round !== undefined) warm.set(server, round)
    }
    for (let n = 0; n < plan.rounds; n++) {
      for (const [server, process] of rotated(running, at + n + plan.number)) {
        const before = warm.get(server)
        if (before === undefined) continue
        const round = yield* Load.measure(process, files, asked, { seconds: plan.seconds, warm: before })
        rounds.push({ asked: asked.name, server, round })
      }
    }
    yield* Console.error(`session ${plan.number + 1}: ${asked.name}`)
  }
  const memory = all.map(([server, { pid }]) => ({ server, mib: residentMiB(pid) }))
  const latencies = plan.hasOpenLoop ? yield* openLoop(plan, all, files, rounds) : []
  return { rounds, memory, latencies } satisfies Shown
}, Effect.scoped)

/** Everybody at the same rate, one after the other. */
const openLoop = Effect.fnUntraced(function* (
  plan: Plan,
  running: ReadonlyArray<readonly [ServerName, Running]>,
  files: Load.LoadFiles,
  rounds: Shown["rounds"]
) {
  const saturated = rounds.filter(({ asked, server }) => asked === "price" && server === "service")
  const rate = Math.round(median(saturated.map(({ round }) => round.rate)) * OPEN_LOOP_SHARE)
  if (rate === 0) return []
  const results: Array<Shown["latencies"][number]> = []
  for (const [server, { port }] of rotated(running, plan.number)) {
    const script = join(import.meta.dirname, "OpenLoop.ts")
    const args = [String(port), PRICE, String(rate), String(plan.seconds), join(files.folder, "addresses")]
    const text = yield* onLoadCore(Process.execPath, [script, ...args])
    results.push({ server, latencies: JSON.parse(text), rate })
  }
  return results
})
