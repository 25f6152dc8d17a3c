// Every way for an upstream to misbehave, at one source after the other: what the service then serves, from whom and from when, also
// when it is started again in the middle, and that the source serves again when it is well. The table is printed at the end.
// Which figures are served, whatever sources say, is the simulation's (`test/truth`); here the faults pass the wire and every endpoint.
import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Exit, Layer, Logger, References, Scope } from "effect"
import { KeyValueStore } from "effect/persistence"
import type { Fault } from "../../src/sandbox/Faults.ts"
import { wrongKinds } from "../../src/sandbox/WrongFigures.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { prefixOf, type UpstreamEnvName, upstreamNames } from "../../src/sandbox/Wires.ts"
import { isWhole, shareOf } from "../isWhole.ts"
import { onlyNaira, RunningService, withoutEvidence } from "../RunningService.ts"
import { type Answers, askAll, askSome, faultsOf } from "./Answers.ts"
import * as SimulatedTime from "./SimulatedTime.ts"

/** A Monday at noon, UTC. */
const START = Date.UTC(2026, 10, 16, 12, 0, 30)

export const MEBI = 1024 * 1024

/** A row of the table. */
export const faults = (stale: number, bytes: number): Readonly<Record<string, Fault>> => ({
  refuse: { fault: "refuse" },
  hang: { fault: "hang" },
  slow: { fault: "slow", seconds: 90 },
  "429": { fault: "rate_limited" },
  "429 for 7 s": { fault: "rate_limited", retryAfter: 7 },
  "429 for two days": { fault: "rate_limited", retryAfter: 172_800 },
  "500": { fault: "server_error", status: 500 },
  "503": { fault: "server_error" },
  html: { fault: "html" },
  truncated: { fault: "truncated" },
  malformed: { fault: "malformed" },
  wrong_types: { fault: "wrong_types" },
  oversize: { fault: "oversize", bytes },
  stale: { fault: "stale", hours: stale },
  inverted: { fault: "inverted" },
  empty: { fault: "empty" },
  ...Object.fromEntries(
    wrongKinds.flatMap((kind) =>
      (["one", "all"] as const).map((rows): [string, Fault] => [`${kind}, ${rows}`, { fault: "figures", kind, rows }])
    )
  )
})

/** A column of the table. */
export interface Column {
  readonly source: UpstreamEnvName
  /** The names its data go by in stamps. */
  readonly names: ReadonlyArray<string>
  /** The sources asked before it: out from the start. */
  readonly out: ReadonlyArray<UpstreamEnvName>
  readonly config: Readonly<Record<string, string>>
  readonly faults: Readonly<Record<string, Fault>>
  /** How long it is well between two faults: its budget of calls for a day is not one for sixteen outages. */
  readonly between: Duration.Input
  /** Time under the fault until it was surely asked again, and until what it said is surely no longer preferred. */
  readonly asked: (time: SimulatedTime.SimulatedTime) => Effect.Effect<void>
  readonly givenUp: (time: SimulatedTime.SimulatedTime, fault: string) => Effect.Effect<void>
  /** Who serves by then, in a word or two. */
  readonly served: (answers: Answers) => string
  readonly well: string
  readonly fallback: (fault: string) => string
  /** Faults that (some of) the source's answers do not show: these are taken for right. */
  readonly invisible: ReadonlyArray<string>
  /** The endpoints that tell. */
  readonly watched: ReadonlyArray<keyof Answers>
  /** The source serves by itself and its data are new since this time. */
  readonly isBack: (answers: Answers, lifted: number) => boolean
  readonly backWithin: Duration.Input
  /** Asked less often than every few minutes. */
  readonly isSlow?: boolean
  /** What time does between two looks at whether it is back. */
  readonly wait: (time: SimulatedTime.SimulatedTime) => Effect.Effect<void>
}

/** Nothing for a while, and then all that has become due. */
export const afterwards = (time: SimulatedTime.SimulatedTime, skipped: Duration.Input, passed: Duration.Input) =>
  Effect.andThen(time.skip(skipped), time.pass(passed))

/** The same for a source whose answers have no two sides to swap. */
export const oneSided = (stale: number, bytes: number): Readonly<Record<string, Fault>> =>
  Object.fromEntries(Object.entries(faults(stale, bytes)).filter(([name]) => name !== "inverted"))

/** A service that keeps what it holds, and can be stopped and started again over that. */
const restartable = Effect.fnUntraced(function* (config: Column["config"], time: SimulatedTime.SimulatedTime) {
  const sandbox = Context.get(yield* Layer.build(RunningService.layerWorld()), Sandbox)
  const kept = Context.get(yield* Layer.build(KeyValueStore.layerMemory), KeyValueStore.KeyValueStore)
  const { SOURCES_DISABLED: off, ...others } = config
  const settings = {
    SOURCES_DISABLED: [withoutEvidence.SOURCES_DISABLED, ...(off === undefined ? [] : [off])].join(","),
    ...onlyNaira,
    ...others
  }
  const layer = RunningService.layerOver({ config: settings, kept }).pipe(
    Layer.provide(Layer.succeed(Sandbox, sandbox))
  )
  const outer = yield* Effect.scope
  const start = Effect.gen(function* () {
    const scope = yield* Scope.fork(outer)
    const service = Context.get(yield* Scope.provide(Layer.build(layer), scope), RunningService)
    return { scope, service }
  })
  let current = yield* start
  return {
    sandbox,
    ask: Effect.suspend(() => askAll(current.service)),
    askSome: (names: Column["watched"]) => Effect.suspend(() => askSome(current.service, names)),
    restart: Effect.gen(function* () {
      yield* time.during(Scope.close(current.scope, Exit.void))
      current = yield* start
    })
  }
})

/** The names of those who served, one after the other. */
const inTurn = (names: ReadonlyArray<string>) => names.filter((name, n) => name !== names[n - 1]).join(", then ")

/** Without `TESTS=all` a source has one fault, most of them another one. */
const cellsOf = (column: Column) => shareOf(Object.entries(column.faults), 5 * upstreamNames.indexOf(column.source))

/** The cells of a column, one after the other over one world. */
const runColumn = Effect.fnUntraced(function* (column: Column) {
  const time = yield* SimulatedTime.make(START)
  const cells = Effect.gen(function* () {
    const { ask, askSome, restart, sandbox } = yield* restartable(column.config, time)
    for (const name of column.out) yield* sandbox.setFault(name, { fault: "refuse" })
    const results = new Map<string, string>()

    const look = Effect.fnUntraced(function* (wrongSince: ReadonlyMap<string, number>, isPartial = false) {
      const answers = yield* time.during(ask)
      return { answers, faults: faultsOf(answers, { now: time.now(), world: sandbox.world, wrongSince, isPartial }) }
    })

    // The cold start, in which the sources before it are out.
    yield* time.pass("20 seconds")

    for (const [name, fault] of cellsOf(column)) {
      const problems: Array<string> = []
      const note = (phase: string, faults: ReadonlyArray<string>) =>
        problems.push(...faults.slice(0, 2).map((text) => `${phase}: ${text}`))
      yield* time.skip(column.between)
      yield* time.pass("90 seconds")

      const before = yield* look(new Map())
      note("well", before.faults)
      const first = column.served(before.answers)
      if (first !== column.well) note("well", [`${first} serves instead of ${column.well}`])

      // Rows that are right are served, and those that are wrong are judged: by whom is not of this table.
      const isPartial = fault.fault === "figures"
      const isInvisible = isPartial || column.invisible.includes(name)
      const asked = (yield* sandbox.calls)[column.source]
      yield* sandbox.setFault(column.source, fault)
      if (fault.fault === "hang" || fault.fault === "slow") time.ignore([`/${prefixOf(column.source)}/`])
      const wrongSince = new Map(isInvisible ? [] : column.names.map((source) => [source, time.now()]))
      yield* column.asked(time)
      const early = yield* look(wrongSince, isPartial)
      note("early", early.faults)

      // What was held is served at once, and the source is found to be at fault again.
      yield* restart
      const restarted = time.now()
      const anew = yield* look(wrongSince, isPartial)
      note("restarted", anew.faults)
      if (time.now() > restarted) note("restarted", [`an answer took ${time.now() - restarted} ms`])
      yield* time.pass("20 seconds")

      yield* column.givenUp(time, name)
      if ((yield* sandbox.calls)[column.source] === asked) note("late", ["it was never asked under the fault"])
      const late = yield* look(wrongSince, isPartial)
      note("late", late.faults)
      const servedLate = column.served(late.answers)
      const expected = column.fallback(name)
      if (!isPartial && servedLate !== expected) note("late", [`${servedLate} serves instead of ${expected}`])

      yield* sandbox.setFault(column.source, null)
      time.ignore([])
      const lifted = time.now()
      // Two days are no header: the pause is that without one.
      const allowed =
        time.now() +
        Duration.toMillis(Duration.fromInputUnsafe(column.backWithin)) +
        (name === "429 for two days" ? 60_000 : 0)
      // All is looked at in the midst of it and at the end of it; in between, what tells that it is over.
      const isBack = Effect.map(time.during(askSome(column.watched)), (some) =>
        column.isBack({ ...late.answers, ...some }, lifted)
      )
      yield* column.wait(time)
      const midst = yield* look(new Map(), isPartial)
      note("after", midst.faults)
      let back = column.isBack(midst.answers, lifted)
      if (!back) {
        while (!back && time.now() < allowed) {
          // Who is to be back within minutes and is not yet keeps a long pause: it is looked at less often.
          const isPaused = time.now() - lifted > 100_000 && !column.isSlow
          yield* isPaused ? time.pass("30 seconds") : column.wait(time)
          back = yield* isBack
        }
        const end = yield* look(new Map())
        note("after", end.faults)
        back = column.isBack(end.answers, lifted)
      }
      if (!back) note("after", ["it does not serve again"])
      const seconds = Math.round((time.now() - lifted) / 1000)
      const way = inTurn([column.served(early.answers), column.served(anew.answers), servedLate])
      results.set(name, problems.length > 0 ? problems.join("; ") : `ok: ${way}; back in ${seconds} s`)
    }
    return results
  })
  return yield* time.live(cells)
})

/** Faults down, sources across. */
const printed = (
  columns: ReadonlyArray<Column>,
  table: ReadonlyMap<UpstreamEnvName, ReadonlyMap<string, string>>
): string => {
  const width = (column: Column) =>
    Math.max(column.source.length, ...[...(table.get(column.source)?.values() ?? [])].map((cell) => cell.length))
  const line = (first: string, cells: (column: Column) => string) =>
    [first.padEnd(14), ...columns.map((column) => cells(column).padEnd(width(column)))].join(" | ")
  return [
    line("", ({ source }) => source),
    ...Object.keys(faults(1, 1)).map((name) => line(name, ({ source }) => table.get(source)?.get(name) ?? ""))
  ].join("\n")
}

const quietly = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, References.MinimumLogLevel, "None")

/** A column a test, and at the end the table. Without `TESTS=all` every third column. */
export const describeColumns = (all: ReadonlyArray<Column>) =>
  describe("every fault at every source", () => {
    const columns = all.filter((_, place) => isWhole || place % 3 === 0)
    const table = new Map<UpstreamEnvName, ReadonlyMap<string, string>>()

    for (const column of columns) {
      it.live(
        `${column.source}: last good or fallback, honestly stamped, also after a restart, and back within its schedule`,
        () =>
          Effect.gen(function* () {
            const results = yield* quietly(runColumn(column))
            table.set(column.source, results)
            assert.deepStrictEqual(
              [...results.keys()],
              cellsOf(column).map(([name]) => name)
            )
            const broken = [...results].filter(([, result]) => !result.startsWith("ok"))
            assert.deepStrictEqual(broken, [])
          })
      )
    }

    it.live("the table", () =>
      Effect.logInfo(`${isWhole ? "" : "A part of the table (TESTS=all: the whole)"}\n${printed(columns, table)}`).pipe(
        Effect.provide(Logger.layer([Logger.consolePretty()]))
      )
    )
  })
