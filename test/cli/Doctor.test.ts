import { assert, describe, it } from "@effect/vitest"
import { Clock, ConfigProvider, Effect, type Scope } from "effect"
import { run } from "../../src/cli/DoctorExamination.ts"
import { exitCode, type Level } from "../../src/cli/DoctorFindings.ts"
import { asText } from "../../src/cli/DoctorCommand.ts"
import type { Fault } from "../../src/sandbox/Faults.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { prefixOf, type UpstreamEnvName, upstreamNames } from "../../src/sandbox/Wires.ts"
import { memberOf } from "../faults/Answers.ts"
import * as SimulatedTime from "../faults/SimulatedTime.ts"
import { thirdOf } from "../isWhole.ts"
import * as RedisProcess from "../persistence/RedisProcess.ts"
import { exchanges, withoutEvidence, withoutNews } from "../RunningService.ts"
import { layerWorld, settings, started } from "./ServingProcess.ts"
import { liveRule } from "../rulesOf.ts"

type Faults = Readonly<Partial<Record<UpstreamEnvName, Fault>>>

const setFaults = Effect.fnUntraced(function* (faults: Faults) {
  const { setFault } = yield* Sandbox
  for (const name of upstreamNames) yield* setFault(name, faults[name] ?? null)
})

/** What the doctor finds in a world with these faults, with these settings besides those of the sandbox. */
const found = Effect.fnUntraced(function* (faults: Faults, more: Readonly<Record<string, string>> = {}) {
  yield* setFaults(faults)
  const config = ConfigProvider.layer(ConfigProvider.fromUnknown({ ...(yield* settings), ...more }))
  const findings = yield* Effect.provide(run, config)
  return { findings, code: exitCode(findings), finding: (name: string) => findings.find((one) => one.name === name) }
})

const inWorld = <A, E>(effect: Effect.Effect<A, E, Sandbox | Scope.Scope>) =>
  effect.pipe(Effect.scoped, Effect.provide(layerWorld))

/** The same in simulated time: the doctor gives each source 5 s, in which a busy machine may keep sound sources waiting. */
const inSimulatedWorld = Effect.fnUntraced(function* <A, E>(
  effect: Effect.Effect<A, E, Sandbox | Scope.Scope>,
  faults: Faults = {}
) {
  const time = yield* SimulatedTime.make(yield* Clock.currentTimeMillis)
  time.ignore(upstreamNames.filter((name) => faults[name]?.fault === "hang").map((name) => `/${prefixOf(name)}/`))
  return yield* time.live(time.during(inWorld(effect)))
}, Effect.scoped)

/** A fault, the exit code, and what is said where. */
interface Case {
  readonly what: string
  readonly faults: Faults
  readonly more?: Readonly<Record<string, string>>
  readonly code: 0 | 1 | 2
  readonly says: ReadonlyArray<readonly [name: string, level: Level, words: RegExp]>
}

/** Every third is examined in a usual run: those with the most rules. */
const cases: ReadonlyArray<Case> = [
  {
    what: "all well",
    faults: {},
    code: 0,
    says: [
      ["settings", "ok", /all valid/],
      ["CoinGecko coins", "ok", /^250 coins, observed \d+ s ago/],
      ["Bybit P2P NGN ads", "ok", /buy [\d,.]+, sell [\d,.]+ NGN/],
      ["CBN official rate", "ok", /NGN per USD of \d{4}-\d\d-\d\d/],
      ["clock", "ok", /within \d+ s/],
      ["data folder", "ok", /is writable, [\d.,]+ GiB free/],
      ["Redis", "off", /REDIS_URL is not set/],
      ["history", "off", /DATABASE_URL is not set.*`history backup`/],
      ["coins, prices", "ok", /250 coins by CoinGecko/],
      [
        "NGN P2P",
        "ok",
        /by Bybit P2P \+ Bitget P2P.*% over the official rate.*; ads: Bybit P2P \d+ of \d+ usable, Bitget P2P \d+ of \d+ usable/
      ],
      ["fiat rates", "ok", /by Frankfurter/],
      ["OKX news", "ok", /^\d+ items/],
      ["explanations", "ok", /evidence from (\d+) of \1 sources/]
    ]
  },
  {
    what: "one exchange's announcements are away",
    faults: { OKX: { fault: "server_error" } },
    more: { SOURCES_DISABLED: exchanges },
    code: 1,
    says: [
      ["OKX news", "degraded", /HTTP status 503/],
      ["explanations", "ok", /evidence from \d+ of \d+ sources/]
    ]
  },
  {
    what: "silence from one, no connection to the other: no fiat rates",
    faults: { FRANKFURTER: { fault: "hang" }, CURRENCY_API: { fault: "refuse" } },
    more: withoutEvidence,
    code: 2,
    says: [
      ["Frankfurter fiat rates", "degraded", /did not answer within 5 s/],
      ["currency-api fiat rates", "degraded", /could not be reached/],
      ["fiat rates", "failing", /no fresh data.*503.*\/v1\/fx/],
      ["coins, prices", "ok", /CoinGecko/],
      ["official rate", "ok", /by CBN/]
    ]
  },
  {
    what: "too many requests, an outage, nothing in it, and data of yesterday",
    faults: {
      COINGECKO: { fault: "rate_limited", retryAfter: 30 },
      CBN: { fault: "server_error", status: 502 },
      BITGET_P2P: { fault: "empty" },
      QUIDAX: { fault: "stale", hours: 30 }
    },
    more: withoutEvidence,
    code: 1,
    says: [
      ["CoinGecko coins", "degraded", /asks us to slow down/],
      ["coins, prices", "degraded", /by CoinPaprika.*fallback for CoinGecko/],
      ["CBN official rate", "degraded", /HTTP status 502/],
      ["official rate", "degraded", /by CBN via Frankfurter.*fallback for CBN/],
      ["Bitget P2P NGN ads", "degraded", /may hide this market/],
      ["Quidax NGN order book", "degraded", /too old to serve/],
      ["NGN P2P", "ok", /by Bybit P2P/]
    ]
  },
  {
    what: "no source of coins is of use",
    faults: {
      COINGECKO: { fault: "wrong_types" },
      COINPAPRIKA: { fault: "malformed" }
    },
    more: withoutEvidence,
    code: 2,
    says: [
      ["coins, prices", "failing", /503/],
      ["global", "failing", /503/],
      ["NGN P2P", "ok", /buy/]
    ]
  },
  {
    what: "coins that are older than MAX_AGE_COINS",
    faults: {
      COINGECKO: { fault: "stale", hours: 0.55 },
      COINPAPRIKA: { fault: "stale", hours: 0.75 }
    },
    more: { ...withoutEvidence, MAX_AGE_COINS: "30 minutes" },
    code: 2,
    says: [
      ["CoinGecko coins", "degraded", /too old to serve, the limit is 30 min/],
      ["CoinGecko global", "ok", /market cap/],
      ["coins, prices", "failing", /503.*\/v1\/coins/],
      ["global", "ok", /by CoinGecko/]
    ]
  },
  {
    what: "switched off, and a folder that cannot be made",
    faults: {},
    more: { SOURCES_DISABLED: `LUNO,COINPAPRIKA,${withoutEvidence.SOURCES_DISABLED}`, DATA_DIR: "/dev/null/data" },
    code: 2,
    says: [
      ["Luno NGN order book", "off", /SOURCES_DISABLED/],
      ["CoinPaprika coins", "off", /SOURCES_DISABLED/],
      ["data folder", "failing", /\/dev\/null\/data is not writable \(E\w+\)\. The service does not start.*DATA_DIR/]
    ]
  },
  {
    what: "one source's figures are a thousand times too high",
    faults: { CURRENCY_API: { fault: "figures", kind: "thousandfold", rows: "all" } },
    more: withoutEvidence,
    code: 1,
    says: [["currency-api fiat rates", "ok", /; not believed: \d+ \([A-Z]{3}, .*…\), which differ from another source/]]
  },
  {
    what: "only two exchanges can be reached",
    faults: {
      BITFINEX: { fault: "refuse" },
      BINANCE: { fault: "refuse" },
      OKX_SPOT: { fault: "refuse" },
      KUCOIN_SPOT: { fault: "refuse" },
      CRYPTO_COM: { fault: "refuse" },
      GATE: { fault: "refuse" }
    },
    more: withoutNews,
    code: 1,
    says: [
      ["Kraken tickers", "ok", /pairs/],
      ["exchanges", "degraded", /^2 of 8 exchanges answer from here.*: prices come from CoinGecko or CoinPaprika/],
      ["coins, prices", "ok", /by CoinGecko/]
    ]
  },
  {
    what: "a block page, and sides swapped",
    faults: { BYBIT_P2P: { fault: "html" }, BITGET_P2P: { fault: "inverted" } },
    more: withoutEvidence,
    code: 1,
    says: [
      ["Bybit P2P NGN ads", "degraded", /not its documented format.*may have sent a block page/],
      ["Bitget P2P NGN ads", "degraded", /buy is far below sell: its sides seem swapped/],
      ["NGN P2P", "degraded", /by Quidax \+ Luno.*order books only/]
    ]
  }
]

/** Who answers for each part, and nobody else: asked in real time, they answer in time on a busy machine too. */
const few = {
  SOURCES_DISABLED:
    "BITFINEX,BINANCE,OKX_SPOT,KUCOIN_SPOT,GATE,COINPAPRIKA,BINANCE_P2P,BITGET_P2P,VALR,LUNO,CURRENCY_API,NEWS_FEEDS,KUCOIN,BITGET,BYBIT,DEFILLAMA"
}

const examine = Effect.fnUntraced(function* ({ code, faults, more, says }: Case) {
  const examined = yield* found(faults, more)
  const page = asText(examined.findings)
  for (const [name, level, words] of says) {
    const one = examined.finding(name)
    assert.strictEqual(one?.level, level, `${name}\n${page}`)
    assert.match(one?.text ?? "", words, page)
  }
  assert.strictEqual(examined.code, code, page)
  assert.notMatch(page, /Access denied|error_message/)
  const lines = page.split("\n").filter((line) => line.startsWith("  "))
  const columns = new Set(lines.map((line) => /^ {2}.{5} {2}\S.*? {2,}(?=\S)/.exec(line)?.[0].length))
  assert.strictEqual(columns.size, 1, page)
  const titles = ["Settings", "This machine", "Sources, each queried once", "What would be served"]
  for (const title of code === 0 ? [...titles, "Everything works."] : titles) assert.include(page, title)
})

describe("the doctor", () => {
  for (const one of thirdOf(cases)) {
    it.live(`${one.what}: ${one.code}`, () => inSimulatedWorld(examine(one), one.faults))
  }

  it.live("asks each source for each data set once, and not for the archive", () =>
    Effect.gen(function* () {
      const { calls, requests } = yield* Sandbox
      yield* found({ CURRENCY_API: { fault: "html" } }, withoutEvidence)
      const counts = yield* calls
      assert.deepInclude(counts, {
        COINGECKO: 2,
        COINPAPRIKA: 2,
        QUIDAX: 2,
        LUNO: 2,
        VALR: 1,
        CBN: 1,
        FRANKFURTER: 2
      })
      // Both sides of a book are two pages, of four and three markets; Bybit is asked for its configuration too.
      assert.deepInclude(counts, { BYBIT_P2P: 10, BITGET_P2P: 8, BINANCE_P2P: 6, CURRENCY_API: 1 })
      for (const { path } of (yield* requests).CBN) assert.notInclude(path, "GetAllExchangeRates")
    }).pipe(inSimulatedWorld)
  )

  it.live.skipIf(!RedisProcess.isInstalled)("a Redis that answers is all well", () =>
    Effect.gen(function* () {
      const redis = yield* RedisProcess.make
      yield* redis.start
      const { finding } = yield* found({}, { ...few, REDIS_URL: redis.url })
      assert.match(finding("Redis")?.text ?? "", /connects, may be written to, answers in [\d.]+ ms/)
      // What it asked is charged to the budget of the services that share this Redis, which have less by that.
      const { calls } = yield* Sandbox
      const asked = (yield* calls).QUIDAX
      assert.isAtLeast(asked, 1)
      assert.deepStrictEqual(yield* redis.ask("ZCARD cda:{all}:calls:QUIDAX:0:all"), [`:${asked}`])
      assert.deepStrictEqual(yield* redis.ask("KEYS cda:{all}:lease:*"), ["*0"])
    }).pipe(inWorld)
  )
})

describe.concurrent("doctor, the process", () => {
  const run = Effect.fnUntraced(function* (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) {
    const { ended, written } = yield* started(["doctor", ...args], env)
    const { code } = yield* ended
    return { code, ...written }
  })

  it.live("ends with 1 and says the same to machines", () =>
    Effect.gen(function* () {
      yield* setFaults({ CBN: { fault: "refuse" } })
      const { code, stdout } = yield* run(["--json"], { ...(yield* settings), ...few })
      assert.strictEqual(code, 1, stdout)
      const report: unknown = JSON.parse(stdout)
      assert.deepStrictEqual([memberOf(report, ["status"]), memberOf(report, ["exit_code"])], ["degraded", 1])
    }).pipe(inWorld)
  )

  liveRule(
    "ends with 2 when the service would not start, says every reason, and repeats nothing that can be a secret",
    function* () {
      const { code, stderr, stdout } = yield* run([], { PORT: "70000", LUNO_BASE_URL: "secret" })
      assert.strictEqual(code, 2, stdout + stderr)
      assert.match(stdout, /WRONG {2}PORT +must be a port number .*wrong: "70000"/)
      assert.match(stdout, /WRONG {2}LUNO_BASE_URL +must be an address/)
      assert.notInclude(stdout + stderr, "secret")
    }
  )
})
