// `npm run examples`: writes src/api/data/examples.json, the examples of the documents. They are what the sandbox answered, on a
// day when something happened; long lists are cut after their first members, and nothing else is changed.
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { upstreamNames } from "../src/sandbox/Wires.ts"
import { evidence, inTime, type Setting, settle } from "../test/http/WhySupport.ts"
import { exchanges, type Init } from "../test/RunningService.ts"

interface Example {
  readonly request: string
  readonly body: unknown
}

const operations = {
  getGlobal: "/v1/global",
  listCoins: "/v1/coins?limit=2",
  getCoin: "/v1/coins/bitcoin",
  getCoinTickers: "/v1/coins/bitcoin/tickers",
  getPrices: "/v1/prices?ids=bitcoin,tether,usdt&fiats=usd,ngn",
  searchCoins: "/v1/search?q=usdt&limit=2",
  getContract: "/v1/contract/ethereum/0xdac17f958d2ee523a2206206994597c13d831ec7",
  getPrice: "/v1/price/bitcoin/ngn",
  getNaira: "/v1/naira",
  listP2pMarkets: "/v1/p2p",
  getP2pMarket: "/v1/p2p/kes",
  getFx: "/v1/fx",
  getPriceHistory: "/v1/price/bitcoin/usd/history?interval=hour",
  getNairaHistory: "/v1/naira/history?interval=hour",
  getP2pHistory: "/v1/p2p/kes/history?interval=hour",
  getFxHistory: "/v1/fx/history?quotes=EUR,NGN",
  convert: "/v1/convert?from=bitcoin&to=NGN&amount=0.25",
  listMovers: "/v1/why",
  explainCoin: "/v1/why/bitcoin",
  listSources: "/v1/sources",
  listMethods: "/v1/methods"
}

const afterFixing = {
  getFixing: "/v1/p2p/ngn/fixing",
  listFixings: "/v1/p2p/ngn/fixings",
  getStatement: "/v1/statement?from=USD&to=NGN&amount=1000&on=2026-11-18"
}

/** Ten minutes before the hour of the naira's fixing. */
const BEFORE_FIXING = Date.UTC(2026, 10, 18, 13, 50)

const problems: Readonly<Record<string, readonly [path: string, init?: Init]>> = {
  invalid_parameter: ["/v1/coins?limit=1000"],
  invalid_api_key: ["/v1/naira", { headers: { "x-api-key": "cda_mistyped" } }],
  unknown_coin: ["/v1/coins/btc"],
  unknown_asset: ["/v1/convert?from=btc&to=NGN"],
  no_price: ["/v1/price/velas/usd"],
  rate_moved: ["/v1/price/bitcoin/usd?expect=60000&tolerance=1"],
  too_old: ["/v1/fx?max_age=60"],
  no_data: ["/v1/price/bitcoin/usd?at=2020-01-01"],
  not_found: ["/v1/bitcoin"],
  method_not_allowed: ["/v1/naira", { method: "POST" }]
}

const ask = ({ service, time }: Setting, path: string, init: Init = {}) =>
  // The history's thread is not in simulated time: its answers would come too late.
  Effect.map(
    /history|at=|statement|fixing/.test(path) ? service.get(path, init) : time.during(service.get(path, init)),
    ({ text }): Example => {
      const { headers = {}, method = "GET" } = init
      const key = headers["x-api-key"]
      return { request: `${method} ${path}${key === undefined ? "" : `\nx-api-key: ${key}`}`, body: JSON.parse(text) }
    }
  )

/** How many members of a list are kept; of what goes by currency, the nine. */
const KEPT = { rates: 9, observed: 9, movers: 1, sources: 1, points: 2, tickers: 3 } as const

/** The body with its longest lists cut. */
const cut = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, member) => {
    const most = Object.entries(KEPT).find(([name]) => name === key)?.[1]
    if (most === undefined || typeof member !== "object" || member === null) return member
    if (Array.isArray(member)) return member.slice(0, most)
    const first = new Set(["AED", "CAD", "EUR", "GBP", "INR", "JPY", "NGN", "USD", "ZAR"])
    return Object.fromEntries(Object.entries(member).filter(([name]) => first.has(name)))
  })

/** Waits until the exchanges agree on a price. On a busy machine their tickers are read late. */
const waitForConsensus = Effect.fnUntraced(function* (setting: Setting) {
  for (let n = 0; n < 60; n++) {
    yield* Effect.promise(() => sleep(1_000))
    const { body } = yield* ask(setting, operations.getCoin)
    if (JSON.stringify(body).includes('"venues":["')) return
    yield* setting.time.pass("5 seconds")
  }
  return yield* Effect.die("The exchanges did not agree on a price of bitcoin within a minute.")
})

const askEach = Effect.fnUntraced(function* (setting: Setting, paths: Readonly<Record<string, string>>) {
  const bodies: Record<string, Example> = {}
  for (const [id, path] of Object.entries(paths)) bodies[id] = yield* ask(setting, path)
  return bodies
})

const answersAfterFixing = (setting: Setting) =>
  Effect.gen(function* () {
    yield* setting.time.pass("80 minutes")
    // The fixing is published in the history's thread.
    yield* Effect.promise(() => sleep(5_000))
    return yield* askEach(setting, afterFixing)
  })

const answers = (setting: Setting) =>
  Effect.gen(function* () {
    yield* settle(setting)
    yield* waitForConsensus(setting)
    const bodies = yield* askEach(setting, operations)
    const refusals: Record<string, Example> = {}
    for (const [code, [path, init]] of Object.entries(problems)) refusals[code] = yield* ask(setting, path, init)
    const insistent = { headers: { "x-forwarded-for": "198.51.100.7" } }
    for (let n = 0; n < 60; n++) yield* ask(setting, "/v1/naira", insistent)
    refusals["rate_limited"] = yield* ask(setting, "/v1/naira", insistent)
    return { bodies, refusals }
  })

const program = Effect.gen(function* () {
  const { bodies, refusals } = yield* inTime(answers, { config: { HISTORY: "on", SOURCES_DISABLED: "" } })
  const alone = { HISTORY: "on", SOURCES_DISABLED: [exchanges, ...evidence].join(",") }
  const fixed = yield* inTime(answersAfterFixing, { start: BEFORE_FIXING, config: alone })
  const config = { SOURCES_DISABLED: upstreamNames.join(",") }
  const unavailable = yield* inTime((setting) => ask(setting, "/v1/naira"), { config })
  const examples = {
    operations: Object.fromEntries(
      Object.entries({ ...bodies, ...fixed }).map(([id, example]) => [id, { ...example, body: cut(example.body) }])
    ),
    problems: { ...refusals, source_unavailable: unavailable }
  }
  const target = new URL("../src/api/data/examples.json", import.meta.url)
  yield* Effect.sync(() => writeFileSync(target, `${JSON.stringify(examples, null, 2)}\n`))
})

await Effect.runPromise(
  program.pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.provide(Logger.layer([])))
)
