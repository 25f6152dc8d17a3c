// How often each source is called, by one process or four that share entries and budgets, idle or asked all the time: never
// beyond the allowances of its record and its plan.
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Logger, References } from "effect"
import { knownCoins } from "../../src/domain/CoinRegistry.ts"
import { sourceCatalog } from "../../src/sources/catalog/SourceCatalog.ts"
import type { Allowance } from "../../src/sources/catalog/SourceRecord.ts"
import * as Budget from "../../src/sources/client/Budget.ts"
import type { ReplicasService } from "../../src/sources/dataset/Replicas.ts"
import { mulberry32 } from "../domain/syntheticBooks.ts"
import { isWhole } from "../isWhole.ts"
import * as InProcessService from "./InProcessService.ts"
import * as SimulatedTime from "./SimulatedTime.ts"
import { sharedEntries } from "../sources/dataset/sharedEntries.ts"

/** A Monday at noon, UTC. */
const START = Date.UTC(2026, 10, 16, 12, 0, 30)

const MINUTES = isWhole ? 24 : 2

/** CoinGecko's budgets by plan; those of the other sources stand in their records. */
const plans: Readonly<Record<string, ReadonlyArray<Allowance>>> = {
  keyless: [{ calls: 3, per: "1 minute", onDemand: 3 }],
  pro: [{ calls: 200, per: "1 minute", onDemand: 200 }]
}

/** Processes that share entries and budgets. */
const replicasOf = (count: number): ReadonlyArray<ReplicasService> => {
  const { replica } = sharedEntries()
  const counters = new Map<string, Budget.Counter>()
  const budget: ReplicasService["budget"] = (_, name) => {
    const counter = counters.get(name) ?? Budget.inMemory()
    counters.set(name, counter)
    return counter
  }
  return Array.from({ length: count }, () => ({ ...replica(), budget }))
}

/** The most calls in any span. */
const densest = (calls: ReadonlyArray<InProcessService.Call>, span: number): number => {
  let most = 0
  let first = 0
  for (const [last, { at }] of calls.entries()) {
    while ((calls[first]?.at ?? at) <= at - span) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

const paths = (random: () => number): ReadonlyArray<string> =>
  Array.from({ length: 20 }, () => {
    const id =
      random() < 0.3 ? `nobody-${Math.floor(random() * 300)}` : (knownCoins[Math.floor(random() * 340)]?.id ?? "")
    const kinds = ["/v1/coins", `/v1/coins?limit=250&page=${1 + Math.floor(random() * 9)}`, "/v1/naira", "/v1/fx"]
    return random() < 0.4 ? (kinds[Math.floor(random() * kinds.length)] ?? "") : `/v1/price/${id}/ngn`
  })

const run = (plan: string, count: number, isBusy: boolean) =>
  Effect.gen(function* () {
    const time = yield* SimulatedTime.make(START)
    return yield* time.live(
      Effect.gen(function* () {
        const config = { COINGECKO_PLAN: plan }
        const services = yield* Effect.forEach(count === 1 ? [undefined] : replicasOf(count), (replicas) =>
          InProcessService.make(time, { config, standsStill: START, ...(replicas !== undefined && { replicas }) })
        )
        for (const service of services) yield* service.start
        const random = mulberry32(7)
        for (let minute = 0; minute < MINUTES; minute++) {
          if (isBusy) for (const service of services) yield* service.ask(paths(random))
          yield* time.pass("1 minute")
        }
        return services.flatMap((service) => service.calls()).sort((a, b) => a.at - b.at)
      })
    )
  }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None"))

// Without `TESTS=all` only those that call the most.
describe(`the calls to each source in ${MINUTES} minutes`, () => {
  const table: Array<string> = []

  for (const plan of Object.keys(plans)) {
    for (const count of isWhole ? [1, 4] : [4]) {
      for (const isBusy of isWhole ? [false, true] : [true]) {
        const name = `${plan}, ${count} ${count === 1 ? "process" : "processes"}, ${isBusy ? "asked" : "idle"}`
        it.live(`${name}: within every budget`, () =>
          Effect.gen(function* () {
            const calls = yield* run(plan, count, isBusy)
            for (const { allowances, id } of sourceCatalog) {
              const own = calls.filter(({ upstream }) => upstream === id)
              for (const { calls: most, per } of id === "COINGECKO" ? (plans[plan] ?? []) : allowances) {
                const span = Duration.toMillis(Duration.fromInputUnsafe(per))
                assert.isAtMost(densest(own, span), most, `${id} in ${span} ms`)
              }
              if (own.length > 0)
                table.push(`${name.padEnd(30)} | ${id.padEnd(14)} | ${(own.length / MINUTES).toFixed(2)}`)
            }
            assert.isAbove(calls.length, MINUTES)
          })
        )
      }
    }
  }

  it.live("the table, calls a minute", () =>
    Effect.logInfo(`\n${table.join("\n")}`).pipe(Effect.provide(Logger.layer([Logger.consolePretty()])))
  )
})
