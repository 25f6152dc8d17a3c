// Warnings of sources that did not answer in time. If many are late within a second, the cause is this machine or its network, and one line
// says so instead of one for each.
import { Context, Effect } from "effect"

/** Warns that a source was late. The default: at once. */
export const Timeouts = Context.Reference<(text: string) => Effect.Effect<void>>(
  "crypto-data-api/services/refresh/Timeouts",
  { defaultValue: () => Effect.logWarning }
)

/** Up to this many warnings of a second are logged one by one. */
const FEW = 4

const TOGETHER = "1 second"

/** Collects the warnings of a second. */
export const collecting = Effect.gen(function* () {
  const scope = yield* Effect.scope
  let late: ReadonlyArray<string> = []
  const say = Effect.suspend(() => {
    const texts = late
    late = []
    const isMany = texts.length > FEW
    const summary = Effect.logWarning(
      `${texts.length} polls of sources got no answer in time, all within a second: is this machine overloaded, or its network slow? ` +
        "`doctor` and the log at level Debug name them"
    )
    const each = Effect.forEach(texts, (text) => Effect.logWithLevel(isMany ? "Debug" : "Warn")(text), {
      discard: true
    })
    return isMany ? Effect.andThen(summary, each) : each
  })
  return (text: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      late = [...late, text]
      return late.length > 1 ? Effect.void : Effect.asVoid(Effect.forkIn(Effect.delay(say, TOGETHER), scope))
    })
})
