// `node build/history/backfillTime.ts [SEED]`: a service starts with an empty folder over simulated sources, in simulated time, and fetches
// the past. Says how long it takes until every coin of the list is there to its first day, how often each source is called meanwhile, how
// large the file is, and how long 3,660 days take to be read while others ask for prices.
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { argv } from "node:process"
import * as History from "../../src/history/store/History.ts"
import { layerSqliteInTime } from "../../test/faults/sqliteInTime.ts"
import { inTime } from "../../test/SimulatedService.ts"

const [seed = 1] = argv.slice(2).map(Number)
const MINUTE = 60_000
const LISTED = 250

/** The marks and points of the record, and how large it is. */
const recorded = Effect.gen(function* () {
  const sql = yield* SqlClient
  const one = (statement: string) =>
    Effect.map(sql<{ n: number }>`${sql.literal(statement)}`, ([row]) => Number(row?.n ?? 0))
  return {
    coins: yield* one("SELECT COUNT(*) AS n FROM history_progress WHERE name LIKE 'backfill/coin/%'"),
    days: yield* one("SELECT COUNT(*) AS n FROM history_points WHERE step = 24 AND volume IS NOT NULL"),
    hours: yield* one("SELECT COUNT(*) AS n FROM history_points WHERE step = 1 AND volume IS NOT NULL"),
    first: yield* one("SELECT MIN(bucket) AS n FROM history_points WHERE volume IS NOT NULL"),
    bytes: yield* one("SELECT page_count * page_size AS n FROM pragma_page_count(), pragma_page_size()")
  }
})

const callsIn = (metrics: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...metrics.matchAll(/^cda_source_calls_total\{[^}]*source="(\w+)"[^}]*\} (\d+)/gm)].map(
      ([, source = "", calls]) => [source, Number(calls)]
    )
  )

const program = Effect.gen(function* () {
  yield* inTime(
    ({ service: { get, pass, untilAnswered } }) =>
      Effect.gen(function* () {
        yield* untilAnswered("/v1/coins")
        let found = yield* recorded
        for (let minute = 1; found.coins < LISTED && minute <= 60; minute++) {
          yield* pass(MINUTE)
          found = yield* recorded
          const { backfill } = JSON.parse((yield* get("/v1/sources")).text).data
          yield* Console.log(`minute ${minute}: ${JSON.stringify(found)} ${JSON.stringify(backfill)}`)
        }
        yield* Console.log(`calls: ${JSON.stringify(callsIn((yield* get("/metrics")).text))}`)
        const path = "/v1/price/bitcoin/usd/history?from=2016-11-20&to=2026-11-16"
        for (const fill of ["none", "previous", "none", "previous"]) {
          const began = performance.now()
          const { bytes, status } = yield* get(`${path}&fill=${fill}`)
          yield* Console.log(`read: ${status}, ${bytes.length} bytes, ${(performance.now() - began).toFixed(0)} ms`)
        }
      }),
    { seed, hasPast: true, config: { COINGECKO_PLAN: "keyless", COINGECKO_API_KEY: "" } }
  )
}).pipe(Effect.provide(Layer.provideMerge(History.layerNoDeps, layerSqliteInTime)))

NodeRuntime.runMain(program)
