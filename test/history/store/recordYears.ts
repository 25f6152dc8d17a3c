// Records the steps of simulated years into a database, as fast as they are committed, until it is killed. Prints the number of
// each step that has committed. Arguments: a PostgreSQL URL or a file, the first step, the step after the last.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Redacted } from "effect"
import { argv, stdout } from "node:process"
import * as History from "../../../src/history/store/History.ts"
import * as SimulatedClock from "./SimulatedClock.ts"
import { afterWith, COINS, KEPT, observationsOf, ratesOf, timeOf } from "./simulatedYears.ts"

const [, , place = "", first = "0", end = "0"] = argv

/** The time of the step that is recorded; it passes only from one step to the next. */
let now = timeOf(Number(first))

const recording = Effect.gen(function* () {
  const history = yield* History.History
  if (history === undefined) return
  const names = [...KEPT, ...COINS]
  for (let step = Number(first), next = step; step < Number(end); step = next) {
    next = afterWith(step, Number(end))
    const steps = Array.from({ length: next - step }, (_, n) => step + n)
    now = timeOf(next - 1)
    const before = history.version()
    const rows = [...steps.flatMap((one) => observationsOf(one, names)), ...steps.flatMap(ratesOf)]
    yield* history.offer(rows)
    if (rows.length > 0)
      yield* Effect.repeat(Effect.sleep("1 millis"), { while: () => Effect.succeed(history.version() === before) })
    stdout.write(`${next - 1}\n`)
  }
}).pipe(
  Effect.provide(place.includes("://") ? History.layerPostgres(Redacted.make(place)) : History.layerSqlite(place))
)

NodeRuntime.runMain(SimulatedClock.at(() => now)(recording))
