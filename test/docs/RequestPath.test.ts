// The path of a request in docs/development.md is what a request passes: V8 counts the functions that run for one.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { friday, get, RunningService, withoutEvidence } from "../RunningService.ts"

const root = join(import.meta.dirname, "../..")
const source = join(root, "src")

const [, section = ""] = readFileSync(join(root, "docs/development.md"), "utf8").split("## A request's path")

/** The files that each station names, its own first. */
const stations = (section.split("\n## ")[0] ?? "")
  .split(/^\d+\. /m)
  .slice(1)
  .map((item) => Array.from(item.matchAll(/`([\w/]+\.ts)`/g), ([, file = ""]) => file))

/** The files of these rooms with a function that ran since the last look. A module that is loaded runs a nameless one. */
const ran = (session: Session, hasNameless = false) =>
  Effect.promise(async () => {
    const { result } = await session.post("Profiler.takePreciseCoverage")
    return (
      result
        .filter(({ functions }) =>
          functions.some(({ functionName, ranges: [all] }) => (hasNameless || functionName !== "") && all?.count)
        )
        .map(({ url }) => (url.startsWith("file:") ? fileURLToPath(url) : url).replace(`${source}/`, ""))
        // What is broken at a connection is no part of a request.
        .filter((file) => /^(node|http|access)\//.test(file) && file !== "node/ProtocolErrors.ts")
    )
  })

layer(RunningService.layer({ at: friday, config: withoutEvidence }))("a request's path", (it) => {
  it.effect(
    "is at most ten stations, which a miss passes all and a cached response but the router's; and nothing else",
    () =>
      Effect.gen(function* () {
        assert.isAtMost(stations.length, 10)
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
        yield* get("/v1/price/ethereum/usd")
        const cached = yield* ran(session)
        assert.includeMembers(stations.flat(), cached)
        const passed = stations.flatMap(([station = ""], n) => (cached.includes(station) ? [n + 1] : []))
        assert.deepStrictEqual(passed, [1, 2, 3, 4, 5, 6, 10])
        session.disconnect()
      })
  )
})
