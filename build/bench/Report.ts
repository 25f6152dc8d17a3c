// Figures made of samples: medians with their spread, ratios to the peers, and the targets beside them.
import { type Case, RANDOM_LEAST } from "./Cases.ts"
import type { Shared } from "./Replicas.ts"
import type { ServerName } from "./Servers.ts"
import type { Shown } from "./Session.ts"
import type { Started } from "./StartUp.ts"

/** A median, the quarters around it, and how many samples it stands on. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
  readonly samples: number
}

/** The quartiles of some numbers. */
export const spread = (numbers: ReadonlyArray<number>): Spread => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { median: at(0.5), low: at(0.25), high: at(0.75), samples: sorted.length }
}

/** What the limiter kept, MiB of heap. */
export interface LimiterMemory {
  readonly before: { readonly heap: number }
  readonly after: { readonly heap: number }
  readonly twoWindowsLater: { readonly heap: number }
}

/** All that was measured. */
export interface Measured {
  /** Whether the service was started without options of the engine and the allocator. */
  readonly isBare: boolean
  readonly cases: ReadonlyArray<Case>
  readonly shown: ReadonlyArray<Shown>
  readonly started: ReadonlyArray<Started>
  readonly limiter: LimiterMemory | undefined
  readonly shared: ReadonlyArray<Shared>
}

/** One thing that is asked of the service, and what was found. */
export interface Verdict {
  readonly what: string
  readonly found: number
  /** The same ratio by processor time for a request, which neighbours disturb less. */
  readonly byCpu?: number
  readonly target: string
  readonly isMet: boolean
}

type PerServer = ReadonlyMap<ServerName, Spread>

const perServer = <A extends { readonly server: ServerName }>(
  samples: ReadonlyArray<A>,
  value: (sample: A) => number
): PerServer =>
  new Map([...Map.groupBy(samples, ({ server }) => server)].map(([server, some]) => [server, spread(some.map(value))]))

const ratio = (figures: PerServer, peer: ServerName): number =>
  (figures.get("service")?.median ?? Number.NaN) / (figures.get(peer)?.median ?? Number.NaN)

/** Every figure, by what was measured and by server. */
export const figures = ({ cases, shared, shown, started }: Measured) => {
  const rounds = shown.flatMap((session) => session.rounds)
  const latencies = shown.flatMap((session) => session.latencies)
  return {
    cases: new Map(
      cases.map(({ name }) => {
        const own = rounds.filter(({ asked }) => asked === name)
        return [
          name,
          { rate: perServer(own, ({ round }) => round.rate), cpu: perServer(own, ({ round }) => round.cpu) }
        ]
      })
    ),
    openLoopRate: latencies[0]?.rate,
    p50: perServer(latencies, (sample) => sample.latencies.p50),
    p99: perServer(latencies, (sample) => sample.latencies.p99),
    memory: perServer(
      shown.flatMap((session) => session.memory),
      ({ mib }) => mib
    ),
    start: perServer(started, ({ millis }) => millis),
    startMemory: perServer(started, ({ mib }) => mib),
    shared: new Map(
      [...Map.groupBy(shared, ({ replicas }) => replicas)].map(([replicas, some]) => [
        replicas,
        { rate: spread(some.map(({ rate }) => rate)), cpu: spread(some.map(({ cpu }) => cpu)) }
      ])
    )
  }
}

/** What {@link figures} gives. */
export type Figures = ReturnType<typeof figures>

/** The targets that the figures at hand can be held against. */
export const verdicts = (measured: Measured, found: Figures): ReadonlyArray<Verdict> => {
  const atLeast = (what: string, value: number, least: number, stretch?: number): Verdict => ({
    what,
    found: value,
    target: `>= ${least}${stretch === undefined ? "" : ` (${stretch})`}`,
    isMet: value >= least
  })
  const atMost = (what: string, value: number, most: number, note = ""): Verdict => ({
    what,
    found: value,
    target: `<= ${most}${note}`,
    isMet: value <= most
  })
  const byCase = measured.cases.flatMap(({ name, targets }) =>
    targets.map(({ least, peer, stretch }) => {
      const { cpu, rate } = found.cases.get(name) ?? {}
      const verdict = atLeast(`${name}, to ${peer}`, ratio(rate ?? new Map(), peer), least, stretch)
      return { ...verdict, byCpu: 1 / ratio(cpu ?? new Map(), peer) }
    })
  )
  const rateOf = (name: string) => found.cases.get(name)?.rate.get("service")?.median ?? Number.NaN
  const random = rateOf("price, 1,000 x 9 in random order") / rateOf("price")
  const overRedis =
    (found.shared.get(1)?.cpu.median ?? Number.NaN) /
    (found.cases.get("price")?.cpu.get("service")?.median ?? Number.NaN)
  const { before, twoWindowsLater } = measured.limiter ?? {}
  return [
    ...byCase,
    atLeast("random order, to a single address", random, RANDOM_LEAST),
    atMost("start, to fastify", ratio(found.start, "fastify"), 1.2),
    atMost(
      "memory after the load, MiB",
      found.memory.get("service")?.median ?? Number.NaN,
      measured.isBare ? 220 : 180
    ),
    atMost("memory after the load, to fastify", ratio(found.memory, "fastify"), 1),
    atMost("p99 in an open loop, to fastify", ratio(found.p99, "fastify"), 1),
    atMost("processor time of a request over Redis, to local", overRedis, 1.6),
    atMost(
      "limiter after two windows, MiB more",
      (twoWindowsLater?.heap ?? Number.NaN) - (before?.heap ?? 0),
      10,
      " (0)"
    )
  ].filter((verdict) => Number.isFinite(verdict.found))
}

const aligned = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: ReadonlyArray<string>) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
  return rows.map((row) => line(row).trimEnd()).join("\n")
}

const shownSpread = (value: Spread | undefined, digits = 0): string =>
  value === undefined
    ? "-"
    : `${value.median.toFixed(digits)} [${value.low.toFixed(digits)}-${value.high.toFixed(digits)}]`

/** The tables, for people. */
export const text = (measured: Measured, found: Figures, servers: ReadonlyArray<ServerName>): string => {
  const of = (per: PerServer, digits = 0) => servers.map((server) => shownSpread(per.get(server), digits))
  const head = (title: string) => [title, ...servers]
  const named = [...found.cases]
  const rates = [head("requests/s, median [quartiles]"), ...named.map(([name, { rate }]) => [name, ...of(rate)])]
  const costs = [head("server CPU, us a request"), ...named.map(([name, { cpu }]) => [name, ...of(cpu, 1)])]
  const others = [
    head("the rest"),
    [`open loop at ${found.openLoopRate ?? 0}/s, p50, us`, ...of(found.p50)],
    ["open loop, p99, us", ...of(found.p99)],
    ["memory after the load, MiB", ...of(found.memory)],
    ["start to first answer, ms", ...of(found.start)],
    ["memory after the first answer, MiB", ...of(found.startMemory)]
  ]
  const shared = [...found.shared].map(
    ([replicas, { cpu, rate }]) =>
      `${replicas} on one Redis, on one core: ${shownSpread(rate)} requests/s, ${shownSpread(cpu, 1)} us of CPU a request`
  )
  const judged = [
    ["the service", "found", "by CPU", "target (stretch)", ""],
    ...verdicts(measured, found).map(({ byCpu, found: value, isMet, target, what }) => [
      what,
      value.toFixed(2),
      byCpu?.toFixed(2) ?? "",
      target,
      isMet ? "met" : "NOT MET"
    ])
  ]
  return [
    aligned(rates),
    aligned(costs),
    aligned(others),
    ...(shared.length > 0 ? [shared.join("\n")] : []),
    aligned(judged)
  ].join("\n\n")
}

/** What a run leaves behind. */
export interface Result {
  readonly machine: {
    readonly date: string
    readonly node: string
    readonly cpu: string | undefined
    readonly cores: number
    readonly restarts: number
    readonly rounds: number
    readonly seconds: number
  }
  readonly verdicts: ReadonlyArray<Verdict>
  readonly rows: ReadonlyArray<Row>
  readonly measured: Measured
}

/** A case: requests a second by server. */
export interface Row {
  readonly name: string
  readonly rates: Readonly<Partial<Record<ServerName, Spread>>>
}

/** The rates of every case. */
export const rows = (found: Figures): ReadonlyArray<Row> =>
  [...found.cases].map(([name, { rate }]) => ({ name, rates: Object.fromEntries(rate) }))
