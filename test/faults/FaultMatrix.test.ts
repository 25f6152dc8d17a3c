// Every way for an upstream to misbehave, at every source: what the service then serves, from whom and from when, and that the
// source serves again when it is well. The table is printed at the end.
import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Layer, Logger, References } from "effect"
import type { Fault } from "../../src/sandbox/Faults.ts"
import type { UpstreamEnvName } from "../../src/sandbox/SandboxUpstreams.ts"
import { prefixOf } from "../../src/sandbox/SandboxUpstreams.ts"
import { RunningService } from "../RunningService.ts"
import { type Answers, askAll, faultsOf, venuesOf } from "./Answers.ts"
import * as SimulatedTime from "./SimulatedTime.ts"

/** A Monday at noon, UTC. */
const START = Date.UTC(2026, 10, 16, 12, 0, 30)

const MEBI = 1024 * 1024

/** A row of the table. */
const faults = (stale: number, bytes: number): Readonly<Record<string, Fault>> => ({
  refuse: { fault: "refuse" },
  hang: { fault: "hang" },
  slow: { fault: "slow", seconds: 90 },
  "429": { fault: "rate_limited" },
  "429 for 7 s": { fault: "rate_limited", retryAfter: 7 },
  "429 for a day": { fault: "rate_limited", retryAfter: 86_400 },
  "500": { fault: "server_error", status: 500 },
  "503": { fault: "server_error", status: 503 },
  html: { fault: "html" },
  truncated: { fault: "truncated" },
  malformed: { fault: "malformed" },
  wrong_types: { fault: "wrong_types" },
  oversize: { fault: "oversize", bytes },
  stale: { fault: "stale", hours: stale },
  inverted: { fault: "inverted" },
  empty: { fault: "empty" }
})

/** A column of the table. */
interface Column {
  readonly source: UpstreamEnvName
  /** The names its data go by in stamps. */
  readonly names: ReadonlyArray<string>
  /** The sources asked before it: out from the start. */
  readonly out: ReadonlyArray<UpstreamEnvName>
  readonly config: Readonly<Record<string, string>>
  readonly faults: Readonly<Record<string, Fault>>
  /** Time under the fault until it was surely asked again, and until what it said is surely no longer preferred. */
  readonly asked: (time: SimulatedTime.SimulatedTime) => Effect.Effect<void>
  readonly givenUp: (time: SimulatedTime.SimulatedTime, fault: string) => Effect.Effect<void>
  /** Who serves by then, in a word or two. */
  readonly served: (answers: Answers) => string
  readonly well: string
  readonly fallback: (fault: string) => string
  /** Faults that (some of) the source's answers do not show: these are taken for right. */
  readonly invisible: ReadonlyArray<string>
  /** The source serves by itself and its data are new since this time. */
  readonly isBack: (answers: Answers, lifted: number) => boolean
  readonly backWithin: Duration.Input
  /** Asked less often than every few minutes. */
  readonly isSlow?: boolean
  /** What time does between two looks at whether it is back. */
  readonly wait: (time: SimulatedTime.SimulatedTime) => Effect.Effect<void>
}

/** Nothing for a while, and then all that has become due. */
const afterwards = (time: SimulatedTime.SimulatedTime, skipped: Duration.Input, passed: Duration.Input) =>
  Effect.andThen(time.skip(skipped), time.pass(passed))

const sided = ["inverted"]

const without = (table: Readonly<Record<string, Fault>>, names: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name)))

const market = (answers: Answers) =>
  answers.coins.source === answers.global.source
    ? answers.coins.source
    : `${answers.coins.source}, ${answers.global.source}`

const marketColumn = {
  config: {},
  served: market,
  invisible: [] as ReadonlyArray<string>,
  backWithin: "4 minutes",
  wait: (time: SimulatedTime.SimulatedTime) => time.pass("5 seconds")
} as const

const venueColumn = (
  source: UpstreamEnvName,
  name: string,
  bytes: number,
  invisible: ReadonlyArray<string>
): Column => ({
  source,
  names: [name],
  out: [],
  config: { COINGECKO_PLAN: "demo" },
  faults: faults(6, bytes),
  asked: (time) => time.pass("3 minutes"),
  givenUp: (time) => afterwards(time, "13 minutes", "75 seconds"),
  served: (answers) => {
    const venue = venuesOf(answers).find((row) => row.name === name)
    return venue === undefined ? "missing" : venue.mid === null ? `without: ${String(venue.reason)}` : name
  },
  well: name,
  fallback: (fault) =>
    invisible.includes(fault)
      ? name
      : fault === "inverted" && name !== "Quidax" && name !== "Luno"
        ? "without: inverted"
        : fault === "inverted"
          ? "without: crossed"
          : fault === "empty" && name.endsWith("P2P")
            ? "without: too_few_ads"
            : "without: stale",
  invisible,
  isBack: (answers, lifted) =>
    venuesOf(answers).some((row) => row.name === name && row.mid !== null && (row.updated ?? 0) > lifted),
  backWithin: "150 seconds",
  wait: (time) => time.pass("5 seconds")
})

/** Only Luno makes the naira here, and CoinGecko is asked seldom, so that days pass quickly. */
const slowly = { COINGECKO_PLAN: "demo", SOURCES_DISABLED: "BYBIT_P2P,BITGET_P2P,QUIDAX" }

const columns: ReadonlyArray<Column> = [
  {
    ...marketColumn,
    source: "COINGECKO",
    names: ["CoinGecko"],
    out: [],
    faults: without(faults(6, 9 * MEBI), sided),
    asked: (time) => time.pass("150 seconds"),
    // One that answers, but always with the same, gives way: after half an hour for coins, three quarters for the totals.
    givenUp: (time, fault) =>
      fault === "stale" ? afterwards(time, "1 hour", "90 seconds") : afterwards(time, "5 minutes", "2 minutes"),
    well: "CoinGecko",
    fallback: () => "CoinPaprika",
    isBack: (answers, lifted) =>
      market(answers) === "CoinGecko" && answers.coins.updated > lifted - 60_000 && answers.eur.source === "CoinGecko"
  },
  {
    ...marketColumn,
    source: "COINPAPRIKA",
    names: ["CoinPaprika"],
    out: ["COINGECKO"],
    faults: without(faults(6, 17 * MEBI), sided),
    asked: (time) => time.pass("1 minute"),
    givenUp: (time) => afterwards(time, "11 minutes", "2 minutes"),
    well: "CoinPaprika",
    // The simulated totals are flat: nothing in them can be empty.
    fallback: (fault) => (fault === "stale" ? "CoinPaprika" : fault === "empty" ? "CoinLore, CoinPaprika" : "CoinLore"),
    invisible: ["empty"],
    isBack: (answers) => market(answers) === "CoinPaprika"
  },
  {
    ...marketColumn,
    source: "COINLORE",
    names: ["CoinLore"],
    out: ["COINGECKO", "COINPAPRIKA"],
    faults: without(faults(6, 5 * MEBI), sided),
    asked: (time) => Effect.andThen(time.pass("90 seconds"), afterwards(time, "4 minutes", "1 minute")),
    givenUp: (time) => time.pass("3 minutes"),
    backWithin: "7 minutes",
    // Its totals have no time.
    invisible: ["stale"],
    well: "CoinLore",
    // It is the last of the three: what it said last stands, for an hour.
    fallback: () => "CoinLore",
    isBack: (answers, lifted) =>
      market(answers) === "CoinLore" && answers.coins.updated > lifted && answers.global.updated > lifted
  },
  {
    source: "FRANKFURTER",
    names: ["Frankfurter"],
    out: [],
    config: slowly,
    faults: without(faults(240, 2 * MEBI), sided),
    asked: (time) => afterwards(time, "73 minutes", "30 seconds"),
    givenUp: (time) => afterwards(time, "6 hours", "30 seconds"),
    served: (answers) => answers.fx.source,
    well: "Frankfurter",
    fallback: (fault) => (fault === "stale" ? "Frankfurter" : "currency-api"),
    invisible: [],
    isBack: (answers) => answers.fx.source === "Frankfurter",
    backWithin: "75 minutes",
    isSlow: true,
    wait: (time) => afterwards(time, "18 minutes", "10 seconds")
  },
  {
    source: "CURRENCY_API",
    names: ["currency-api"],
    out: ["FRANKFURTER"],
    config: slowly,
    faults: without(faults(240, 2 * MEBI), sided),
    asked: (time) => afterwards(time, "73 minutes", "30 seconds"),
    givenUp: (time) => afterwards(time, "25 hours", "30 seconds"),
    served: (answers) => answers.fx.source,
    well: "currency-api",
    // It is the last: what it said last stands, for a week.
    fallback: () => "currency-api",
    invisible: [],
    isBack: (answers, lifted) => answers.fx.updated > lifted - 28 * 3_600_000,
    backWithin: "75 minutes",
    isSlow: true,
    wait: (time) => afterwards(time, "18 minutes", "10 seconds")
  },
  {
    source: "CBN",
    names: ["CBN"],
    out: [],
    config: slowly,
    faults: without(faults(240, 36 * MEBI), sided),
    asked: (time) => afterwards(time, "37 minutes", "100 seconds"),
    givenUp: (time) => afterwards(time, "25 hours", "100 seconds"),
    served: (answers) => String(answers.naira.at("official_source")).replaceAll(" (sandbox)", ""),
    well: "CBN",
    fallback: (fault) => (fault === "stale" ? "CBN" : "CBN via Frankfurter"),
    invisible: [],
    isBack: (answers) => String(answers.naira.at("official_source")) === "CBN (sandbox)",
    backWithin: "40 minutes",
    isSlow: true,
    wait: (time) => afterwards(time, "9 minutes", "10 seconds")
  },
  venueColumn("BYBIT_P2P", "Bybit P2P", 5 * MEBI, []),
  // Bitget sends no time with its book.
  venueColumn("BITGET_P2P", "Bitget P2P", 5 * MEBI, ["stale"]),
  venueColumn("QUIDAX", "Quidax", 131_072, []),
  venueColumn("LUNO", "Luno", 131_072, [])
]

const running = (config: Readonly<Record<string, string>>) =>
  Effect.map(Layer.build(RunningService.layer({ config })), (context) => Context.get(context, RunningService))

/** The cells of a column, one after the other over one service. */
const runColumn = Effect.fnUntraced(function* (column: Column) {
  const time = yield* SimulatedTime.make(START)
  const cells = Effect.gen(function* () {
    const service = yield* running(column.config)
    const { sandbox } = service
    for (const name of column.out) yield* sandbox.setFault(name, { fault: "refuse" })
    const results = new Map<string, string>()

    const look = Effect.fnUntraced(function* (wrongSince: ReadonlyMap<string, number>) {
      const answers = yield* time.during(askAll(service))
      return { answers, faults: faultsOf(answers, { now: time.now(), world: sandbox.world, wrongSince }) }
    })

    // The cold start, in which the sources before it are out.
    yield* time.pass("20 seconds")

    for (const [name, fault] of Object.entries(column.faults)) {
      const problems: Array<string> = []
      const note = (phase: string, faults: ReadonlyArray<string>) =>
        problems.push(...faults.slice(0, 2).map((text) => `${phase}: ${text}`))
      // A column's budget of calls for a day is not one for sixteen outages.
      yield* time.skip("25 hours")
      yield* time.pass("90 seconds")

      const before = yield* look(new Map())
      note("well", before.faults)
      const first = column.served(before.answers)
      if (first !== column.well) note("well", [`${first} serves instead of ${column.well}`])

      const isInvisible = column.invisible.includes(name)
      const asked = (yield* sandbox.calls)[column.source]
      yield* sandbox.setFault(column.source, fault)
      if (fault.fault === "hang" || fault.fault === "slow") time.ignore([`/${prefixOf(column.source)}/`])
      const wrongSince = new Map(isInvisible ? [] : column.names.map((source) => [source, time.now()]))
      yield* column.asked(time)
      const early = yield* look(wrongSince)
      note("early", early.faults)
      yield* column.givenUp(time, name)
      if ((yield* sandbox.calls)[column.source] === asked) note("late", ["it was never asked under the fault"])
      const late = yield* look(wrongSince)
      note("late", late.faults)
      const servedLate = column.served(late.answers)
      const expected = column.fallback(name)
      if (servedLate !== expected) note("late", [`${servedLate} serves instead of ${expected}`])

      yield* sandbox.setFault(column.source, null)
      time.ignore([])
      const lifted = time.now()
      // A pause that a source asks for is kept, up to ten minutes.
      const allowed =
        time.now() +
        Duration.toMillis(Duration.fromInputUnsafe(column.backWithin)) +
        (name === "429 for a day" ? 600_000 : 0)
      let back = false
      while (!back && time.now() < allowed) {
        // Who is to be back within minutes and is not yet keeps a long pause: it is looked at less often.
        const isPaused = time.now() - lifted > 100_000 && !column.isSlow
        yield* isPaused ? time.pass("30 seconds") : column.wait(time)
        const { answers, faults } = yield* look(new Map())
        note("after", faults)
        back = column.isBack(answers, lifted)
      }
      if (!back) note("after", ["it does not serve again"])
      const seconds = Math.round((time.now() - lifted) / 1000)
      const way =
        column.served(early.answers) === servedLate ? servedLate : `${column.served(early.answers)}, then ${servedLate}`
      results.set(name, problems.length > 0 ? problems.join("; ") : `ok: ${way}; back in ${seconds} s`)
    }
    return results
  })
  return yield* time.live(cells)
})

const table = new Map<UpstreamEnvName, ReadonlyMap<string, string>>()

/** Faults down, sources across. */
const printed = (): string => {
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

describe("every fault at every source", () => {
  for (const column of columns) {
    it.live(
      `${column.source}: last good or fallback, honestly stamped, and back within its schedule`,
      () =>
        Effect.gen(function* () {
          const results = yield* quietly(runColumn(column))
          table.set(column.source, results)
          const broken = [...results].filter(([, result]) => !result.startsWith("ok"))
          assert.deepStrictEqual(broken, [])
        }),
      240_000
    )
  }

  it.live("the table", () =>
    Effect.logInfo(`\n${printed()}`).pipe(Effect.provide(Logger.layer([Logger.consolePretty()])))
  )
})
