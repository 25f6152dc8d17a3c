// Prices at the minute from exchanges, for `value --minutes`.
import { Context, Effect, Layer, Schedule } from "effect"
import { MinuteCandles } from "../services/MinuteCandles.ts"
import { UnusableFile } from "./ValueFile.ts"

/** How long the exchanges may take to list their pairs. */
const PATIENCE = "30 seconds"

/** The exchanges, while the scope is open. */
export const minutes = Effect.gen(function* () {
  const services = yield* Layer.build(MinuteCandles.layer)
  const candles = Context.get(services, MinuteCandles)
  yield* candles.isReady.pipe(
    Effect.repeat({ until: (is) => is, schedule: Schedule.spaced("250 millis") }),
    Effect.timeout(PATIENCE),
    Effect.mapError(() => new UnusableFile("No exchange answered. Without --minutes the record's prices are used."))
  )
  return candles.at
})
