// The path of a request in docs/development.md is what a request passes: V8 counts the functions that run for one.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { get, pass, onFriday } from "../RunningService.ts"
import { rulesIn } from "../rulesOf.ts"

const root = join(import.meta.dirname, "../..")
const source = join(root, "src")

const text = readFileSync(join(root, "docs/development.md"), "utf8")

/** The files that each station of a section names, its own first. */
const stationsOf = (title: string) =>
  (text.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "")
    .split(/^\d+\. /m)
    .slice(1)
    .map((item) => Array.from(item.matchAll(/`([\w/]+\.ts)`/g), ([, file = ""]) => file))

const stations = stationsOf("A request's path")

/** The files with a function that ran since the last look. A module that is loaded runs a nameless one. */
const ranAnywhere = (session: Session, hasNameless = false) =>
  Effect.promise(async () => {
    const { result } = await session.post("Profiler.takePreciseCoverage")
    return result
      .filter(({ functions }) =>
        functions.some(({ functionName, ranges: [all] }) => (hasNameless || functionName !== "") && all?.count)
      )
      .map(({ url }) => (url.startsWith("file:") ? fileURLToPath(url) : url).replace(`${source}/`, ""))
  })

/** The same of the rooms that a request passes. What is broken at a connection is no part of it. */
const ran = (session: Session, hasNameless = false) =>
  Effect.map(ranAnywhere(session, hasNameless), (files) =>
    files.filter((file) => /^(node|http|access)\//.test(file) && file !== "node/ProtocolErrors.ts")
  )

/** The rooms that a price passes, but for adapters, their names and terms, the record, and services for other questions. */
const ofPrices =
  /^(sources\/(client|dataset)|services\/(refresh|judge))\/|^services\/(?!Sources?|ExchangeRates|GlobalMarkets|OfficialRates|P2pMarkets|EvidencePool)\w+\.ts/

/**
 * What decides nothing: parts of adapters, the reads of an answer, and the failure of a market without one. And the candles for which
 * explanations ask meanwhile.
 */
const besides = [
  "sources/p2p/p2pBooks.ts",
  "sources/client/isTruncated.ts",
  "services/CoinCandles.ts",
  "services/FiatCandles.ts",
  "services/refresh/Dependencies.ts",
  "services/refresh/Unavailable.ts"
]

rulesIn(onFriday)("a request's path", (rule) => {
  rule("is at most fourteen stations, which a miss passes all, a cached response at most ten", function* () {
    assert.isAtMost(stations.length, 14)
    for (const file of stations.flat()) assert.isTrue(existsSync(join(source, file)), file)
    yield* get("/v1/price/bitcoin/usd")
    const session = new Session()
    session.connect()
    yield* Effect.promise(() => session.post("Profiler.enable"))
    yield* Effect.promise(() => session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false }))
    yield* ran(session)
    yield* get("/v1/price/ethereum/usd")
    assert.includeMembers(stations.flat(), yield* ran(session))
    yield* get("/v1/price/tether/usd")
    const routed = yield* ran(session, true)
    const idle = stations.map(([station = ""]) => station).filter((station) => !routed.includes(station))
    assert.deepStrictEqual(idle, [], "stations that it does not pass")
    // The first spelling is new, the second was seen, and the query of the third is read.
    for (const [fiat, ...expected] of [
      ["USD", 1, 2, 3, 4, 5, 6, 7, 8, 12],
      ["usd", 1, 2, 4, 5, 6, 8, 12],
      ["usd?basis=mid", 1, 2, 4, 5, 6, 7, 8, 12]
    ] as const) {
      yield* get(`/v1/price/ethereum/${fiat}`)
      const cached = yield* ran(session)
      assert.includeMembers(stations.flat(), cached)
      const passed = stations.flatMap(([station = ""], n) => (cached.includes(station) ? [n + 1] : []))
      assert.deepStrictEqual(passed, expected)
      assert.isAtMost(passed.length, 10)
    }
    session.disconnect()
  })

  rule("a price in naira passes at most fourteen stations, all of them, and nothing else", function* () {
    const path = stationsOf("A price's path")
    assert.isAtMost(path.length, 14)
    for (const file of path.flat()) assert.isTrue(existsSync(join(source, file)), file)
    const session = new Session()
    session.connect()
    yield* Effect.promise(() => session.post("Profiler.enable"))
    yield* Effect.promise(() => session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false }))
    yield* pass("2 minutes")
    yield* get("/v1/price/bitcoin/ngn")
    const passed = yield* ranAnywhere(session, true)
    const named = new Set([...path.flat(), ...besides])
    assert.deepStrictEqual(
      passed.filter((file) => ofPrices.test(file) && !named.has(file)),
      []
    )
    const idle = path.map(([station = ""]) => station).filter((station) => !passed.includes(station))
    assert.deepStrictEqual(idle, [], "stations that it does not pass")
    session.disconnect()
  })
})
