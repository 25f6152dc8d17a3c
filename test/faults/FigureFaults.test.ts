// Wrong figures, silence and dripping at one source after the other: at a cold start, over the snapshots of that, in a warm
// service, and for what is looked up on demand. Every answer is true or an honest 503, and a 200 where a source that is well follows. The table is printed at the end.
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Logger, References } from "effect"
import { totals } from "../../src/sandbox/CoinMarket.ts"
import { type WrongKind, wrongKinds, withWrongFigures } from "../../src/sandbox/WrongFigures.ts"
import type { UpstreamEnvName } from "../../src/sandbox/Wires.ts"
import { memberOf } from "./Answers.ts"
import { violations } from "./contractBounds.ts"
import { onlyNaira } from "../RunningService.ts"
import * as InProcessService from "./InProcessService.ts"
import * as SimulatedTime from "./SimulatedTime.ts"

/** A Monday at noon, UTC. */
const START = Date.UTC(2026, 10, 16, 12, 0, 30)

/** What can be wrong with an upstream's answers. */
type Fault =
  | { readonly name: string; readonly kind: WrongKind; readonly rows: "one" | "all" }
  | { readonly name: string; readonly kind: "hang" | "drip" }

const faults: ReadonlyArray<Fault> = [
  ...wrongKinds.flatMap((kind) =>
    (["one", "all"] as const).map((rows) => ({ name: `${kind}, ${rows === "one" ? "a row" : "all rows"}`, kind, rows }))
  ),
  { name: "hang", kind: "hang" },
  { name: "drip", kind: "drip" }
]

/** The sources, each with those that are asked before it. */
const sources: ReadonlyArray<readonly [UpstreamEnvName, ReadonlyArray<UpstreamEnvName>]> = [
  ["COINGECKO", []],
  ["COINPAPRIKA", ["COINGECKO"]],
  ["FRANKFURTER", []],
  ["CURRENCY_API", ["FRANKFURTER"]],
  ["BYBIT_P2P", []],
  ["BITGET_P2P", ["BYBIT_P2P"]],
  ["QUIDAX", ["BYBIT_P2P", "BITGET_P2P"]],
  ["LUNO", ["BYBIT_P2P", "BITGET_P2P", "QUIDAX"]],
  ["CBN", []]
]

/** No source is asked after these. After any other one every answer is a 200, once sources had time to answer. */
const lastSources = new Set<UpstreamEnvName>(["COINPAPRIKA", "CURRENCY_API", "LUNO"])

const held = [
  "/v1/global",
  "/v1/coins?limit=250",
  "/v1/coins/bitcoin",
  "/v1/price/bitcoin/usd",
  "/v1/price/bitcoin/eur",
  "/v1/price/bitcoin/ngn",
  "/v1/naira",
  "/v1/fx",
  "/v1/convert?from=eur&to=ngn"
]

const onDemand = ["/v1/coins?limit=50&page=6", "/v1/coins/celo", "/v1/price/celo/usd"]

/** How long an answer may take, in milliseconds: what the service holds, at a cold start, and with a look-up. */
const HELD = 10
const FIRST = 2200
const LOOKED_UP = 5200

/** Nothing is held yet that a plausible price in one row could be compared with. */
const isUnknowable = ({ name }: Fault, phase: string): boolean => name === "thousandfold, a row" && phase !== "warm"

/** What is not true of some answers, in words. The world stands still at `START`. */
const untruths = (
  answers: ReadonlyArray<InProcessService.Answered>,
  world: InProcessService.Service["world"],
  now: number,
  longest: number
): ReadonlyArray<string> => {
  const truth = world.truth(START)
  const found: Array<string> = []
  const near = (path: string, what: string, value: unknown, right: number | undefined, percent: number) => {
    if (typeof value !== "number") return
    const off = right === undefined ? Number.NaN : Math.abs(value / right - 1) * 100
    if (!(off <= percent)) found.push(`${path}: ${what} ${value} is not near ${right}`)
  }
  const [btc = 0, usdt = 1, eur = 1] = [truth.price("bitcoin"), truth.price("tether"), truth.fiat("EUR")]
  for (const answer of answers) {
    const { body, path, status, took } = answer
    found.push(...violations(answer, now))
    // A coin that is listed without a price is looked up.
    const isLookedUp = longest > HELD && /^\/v1\/(coins|price|convert)\b/.test(path)
    if (took > (isLookedUp ? LOOKED_UP : longest)) found.push(`${path}: took ${took} ms`)
    if (status !== 200) continue
    const data = (...names: ReadonlyArray<string>) => memberOf(body, ["data", ...names])
    const updated = memberOf(body, ["meta", "updated"])
    // No source's clock has gone on since then; the youngest stamp is our own time of retrieval, where a source has none.
    if (typeof updated === "string" && DateTime.makeUnsafe(updated).epochMilliseconds > now)
      found.push(`${path}: too new`)
    const rows = path.startsWith("/v1/coins?") ? data("coins") : path.startsWith("/v1/coins/") ? [data()] : []
    for (const row of Array.isArray(rows) ? rows : []) {
      const id = String(memberOf(row, ["id"]))
      near(path, `${id} price`, memberOf(row, ["price"]), truth.price(id), 0.5)
      const state = world.market.coins(START).find(({ coin }) => coin.id === id)
      near(path, `${id} cap`, memberOf(row, ["market_cap"]), state?.marketCap, 2)
    }
    if (path.endsWith("bitcoin/usd")) near(path, "price", data("price"), btc, 0.5)
    if (path.endsWith("bitcoin/eur")) near(path, "price", data("price"), btc * eur, 4)
    if (path.endsWith("bitcoin/ngn")) near(path, "price", data("price"), (btc / usdt) * truth.p2pMid, 4)
    if (path === "/v1/global") near(path, "cap", data("market_cap"), totals(world.market, START).marketCap, 5)
    if (path === "/v1/naira") {
      near(path, "mid", data("mid"), truth.p2pMid, 1)
      near(path, "official", data("official"), truth.official.rate, 3)
    }
    for (const code of path === "/v1/fx" ? ["EUR", "GBP", "INR", "ZAR", "AED", "CAD", "JPY", "NGN"] : []) {
      near(path, code, data("rates", code), truth.fiat(code), 3)
    }
    if (path.startsWith("/v1/convert")) near(path, "rate", data("rate"), truth.p2pMid / usdt / eur, 3)
  }
  return found
}

/** One cell: what is not true, and how many answers were not given, by phase. */
const runCell = Effect.fnUntraced(function* (
  source: UpstreamEnvName,
  before: ReadonlyArray<UpstreamEnvName>,
  fault: Fault
) {
  const time = yield* SimulatedTime.make(START)
  const isFollowed = !lastSources.has(source)
  const isSilent = fault.kind === "hang" || fault.kind === "drip"
  // With one source silent the others are well; wrong figures are looked for where the source is the one that is asked.
  const out = isSilent ? [] : before
  const wrong: InProcessService.Distortion = (name, body) =>
    out.includes(name)
      ? "refuse"
      : name !== source
        ? body
        : isSilent
          ? fault.kind
          : "rows" in fault
            ? withWrongFigures(body, fault.kind, fault.rows)
            : body
  return yield* time.live(
    Effect.gen(function* () {
      const service = yield* InProcessService.make(time, { config: onlyNaira, standsStill: START })
      const problems: Array<string> = []
      const refusals: Array<string> = []
      const look = Effect.fnUntraced(function* (phase: string, paths: ReadonlyArray<string>, longest: number) {
        const answers = yield* service.ask(paths)
        const refused = answers.filter(({ status }) => status !== 200)
        if (refused.length > 0) refusals.push(`${phase}: ${refused.length} refused`)
        if (isSilent || (isFollowed && phase !== "cold"))
          problems.push(...refused.map(({ path, status }) => `${phase}: ${path} answers ${status}`))
        if (isUnknowable(fault, phase)) return
        const found = untruths(answers, service.world, time.now(), longest)
        problems.push(...found.slice(0, 2).map((text) => `${phase}: ${text}`))
      })

      service.distort(wrong)
      yield* service.start
      yield* look("cold", held, FIRST)
      yield* time.pass("20 seconds")
      yield* look("settled", held, FIRST)
      yield* look("on demand", onDemand, LOOKED_UP)
      yield* service.start
      yield* look("restart", held, FIRST)

      yield* service.forget
      service.distort((name, body) => (out.includes(name) ? "refuse" : body))
      yield* service.start
      yield* time.pass("20 seconds")
      yield* look("warm", held, HELD)
      service.distort(wrong)
      yield* time.pass("75 seconds")
      yield* look("warm", held, HELD)
      return { problems, refusals }
    })
  )
})

describe("wrong figures and silence at every source", () => {
  const table: Array<string> = []

  for (const [source, before] of sources) {
    it.live(`${source}: true figures or an honest 503, and in time; a 200 where another source follows`, () =>
      Effect.gen(function* () {
        const broken: Array<string> = []
        for (const fault of faults) {
          const { problems, refusals } = yield* runCell(source, before, fault)
          table.push(
            [
              source.padEnd(12),
              fault.name.padEnd(22),
              problems.length > 0 ? problems.join("; ") : "ok",
              ...refusals
            ].join(" | ")
          )
          broken.push(...problems.map((text) => `${fault.name}: ${text}`))
        }
        assert.deepStrictEqual(broken, [])
      }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None"))
    )
  }

  it.live("the table", () =>
    Effect.logInfo(`\n${table.join("\n")}`).pipe(Effect.provide(Logger.layer([Logger.consolePretty()])))
  )
})
