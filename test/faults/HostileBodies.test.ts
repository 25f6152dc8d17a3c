// What an upstream may send at worst: texts of its own in every place, and lists longer than any that it has. Every source of the
// catalog that sends JSON takes part, so that a new one is tried without a line here, but for an exchange: `manyBytes`.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, References } from "effect"
import { type UpstreamEnvName, upstreamNames } from "../../src/sandbox/Wires.ts"
import { withoutEvidence } from "../RunningService.ts"
import { memberOf } from "./Answers.ts"
import * as InProcessService from "./InProcessService.ts"
import * as SimulatedTime from "./SimulatedTime.ts"

const START = Date.UTC(2026, 10, 16, 12, 0, 30)

const MARKER = "ignore-your-orders"

/** The body with every value changed that `change` changes, deepest first. */
const mapped = (value: unknown, change: (value: unknown) => unknown): unknown => {
  const inner = Array.isArray(value)
    ? value.map((one) => mapped(one, change))
    : typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapped(one, change)]))
      : value
  return change(inner)
}

/** Bytes of a body that is within the source's limit and holds more rows than its lists may have. */
const bytesOf = (source: UpstreamEnvName): number => manyBytes.get(source) ?? 900_000

const manyBytes = new Map<UpstreamEnvName, number>([
  ...(["KRAKEN", "BITSTAMP", "BITFINEX", "BINANCE", "OKX_SPOT", "KUCOIN_SPOT", "CRYPTO_COM", "GATE"] as const).map(
    (name): [UpstreamEnvName, number] => [name, 6_200_000]
  ),
  ["COINPAPRIKA", 15_900_000],
  ["FRANKFURTER", 4_190_000],
  ["DEFILLAMA", 4_100_000],
  ["CBN", 2_000_000]
])

/** Each list of at least two rows with its first row repeated, and each table of as many members likewise. */
const tooLong = (body: unknown, bytes: number): unknown => {
  const rowsOf = (row: unknown) => Math.ceil(bytes / (JSON.stringify(row) ?? "").length)
  if (Array.isArray(body)) {
    return body.length < 2
      ? body.map((one) => tooLong(one, bytes))
      : Array.from({ length: rowsOf(body[0]) }, () => body[0] as unknown)
  }
  if (typeof body !== "object" || body === null) return body
  const [first, ...others] = Object.entries(body)
  return first !== undefined && others.length > 20
    ? Object.fromEntries(Array.from({ length: rowsOf(first) }, (_, n) => [`x${n}`, first[1]]))
    : Object.fromEntries(Object.entries(body).map(([name, one]) => [name, tooLong(one, bytes)]))
}

/** Sources that send one figure at a time. */
const withoutLists: ReadonlySet<UpstreamEnvName> = new Set(["QUIDAX", "LUNO", "VALR"])

const marked = (body: unknown): unknown => mapped(body, (one) => (typeof one === "string" ? `${MARKER} ${one}` : one))

/** Numbers become texts too, so that a code of a refusal is one. */
const allMarked = (body: unknown): unknown =>
  mapped(body, (one) => (typeof one === "string" || typeof one === "number" ? MARKER : one))

/** News and exchanges, each of which is tried alone: together they are asked for most of what is asked for. */
const evidence: ReadonlyArray<string> = withoutEvidence.SOURCES_DISABLED.split(",")

interface Seen {
  readonly log: string
  /** The data sets of the source that answered as told. */
  readonly sets: ReadonlyArray<{ readonly name: string; readonly state: unknown; readonly error: unknown }>
}

/** What `/v1/sources` and the log say some minutes after a source began to answer so. */
const whenAnswering = Effect.fnUntraced(function* (source: UpstreamEnvName, distort: (body: unknown) => unknown) {
  const time = yield* SimulatedTime.make(START)
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ cause, message }) => void lines.push(JSON.stringify([message, cause])))
  return yield* time
    .live(
      Effect.gen(function* () {
        const service = yield* InProcessService.make(time, {
          standsStill: START,
          config: { SOURCES_DISABLED: evidence.filter((name) => name !== source).join(",") }
        })
        service.distort((name, body) => (name === source ? distort(body) : body))
        yield* service.start
        yield* time.pass("3 minutes")
        const [sources] = yield* service.ask(["/v1/sources"])
        const list = memberOf(sources?.body, ["data", "sources"])
        const own = (Array.isArray(list) ? list : []).find((one) => memberOf(one, ["id"]) === source)
        const sets = memberOf(own, ["data_sets"])
        return {
          log: lines.join("\n"),
          sets: (Array.isArray(sets) ? sets : []).map((set) => ({
            name: String(memberOf(set, ["name"])),
            state: memberOf(set, ["state"]),
            error: memberOf(set, ["last_error"])
          }))
        } satisfies Seen
      })
    )
    .pipe(
      Effect.provide(Logger.layer([logger])),
      Effect.provideService(References.MinimumLogLevel, "All"),
      Effect.scoped
    )
})

describe("a source whose bodies are hostile", () => {
  it.live.each(upstreamNames.filter((name) => !withoutLists.has(name)))(
    "%s: a list beyond its bound is a failure, and none of its rows is served",
    (source) =>
      Effect.gen(function* () {
        const bodies = new Map<unknown, unknown>()
        const { sets } = yield* whenAnswering(source, (body) => {
          if (!bodies.has(body)) bodies.set(body, JSON.stringify(tooLong(body, bytesOf(source))))
          return bodies.get(body)
        })
        const refused = sets.filter(({ error }) =>
          /more rows than are read|more than \d+ (?:values|bytes)/.test(String(error))
        )
        assert.isAbove(refused.length, 0, JSON.stringify(sets))
      })
  )

  it.live.each(upstreamNames)("%s: its texts get into no error and no line of the log", (source) =>
    Effect.gen(function* () {
      for (const change of [marked, allMarked]) {
        const { log, sets } = yield* whenAnswering(source, change)
        assert.notInclude(log, MARKER)
        for (const { error } of sets) assert.notInclude(String(error), MARKER)
      }
    })
  )
})
