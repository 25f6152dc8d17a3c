// `history backfill`: fetches the past into the record in the foreground, as a running service does beside its work. Ends when
// every piece is recorded or has failed. Progress goes to standard error, the result to standard output.
import { Clock, Console, Duration, Effect, Layer, Schedule } from "effect"
import { History } from "../history/store/History.ts"
import * as Settings from "../node/Settings.ts"
import { layerState } from "../node/StateLayers.ts"
import { Backfill, type Progress } from "../services/history/Backfill.ts"
import { userError } from "../node/StartError.ts"
import { barOf, type Screen, screen } from "./Progress.ts"

/** How long the list of coins may take: up to three sources are tried. */
const LIST_WAITS = Duration.minutes(2)

const OFF = "HISTORY=off: no history is recorded. Set HISTORY=on first."

const LOOK_EVERY = Duration.millis(500)

const percentOf = ({ all, done }: Progress): number => (all === 0 ? 0 : Math.floor((100 * done) / all))

const stateOf = (progress: Progress): string => {
  const failed = progress.failed.size === 0 ? "" : `, ${progress.failed.size} failed`
  const { minutesLeft } = progress
  const left = minutesLeft === null || minutesLeft === 0 ? "" : `, ${minutesLeft} min left`
  return `${progress.done} of ${progress.all} pieces, ${percentOf(progress)} %${left}${failed}`
}

/** Shows a state: on a terminal always, elsewhere where the percentage has changed. */
const writerTo = (screen: Screen) => {
  let last: number | undefined
  return (progress: Progress): Effect.Effect<void> => {
    const percent = percentOf(progress)
    if (screen.isTerminal) return screen.write(barOf(percent, stateOf(progress)))
    if (percent === last) return Effect.void
    last = percent
    return screen.write(`${stateOf(progress)}\n`)
  }
}

const isEnded = ({ all, done, failed, hasCoins }: Progress): boolean => hasCoins && done + failed.size >= all

/** Shows how far the backfill is until it has ended. Fails where it cannot go on. */
export const follow = Effect.fn("HistoryBackfill.follow")(function* (screen: Screen) {
  const history = yield* History
  const backfill = yield* Backfill
  if (history === undefined) return yield* userError(OFF)
  yield* Effect.mapError(
    history.ask(({ pieces }) => pieces()),
    () => userError("The history's database is not available. Run `doctor`, or try again later; recorded data is kept.")
  )
  const show = writerTo(screen)
  const started = yield* Clock.currentTimeMillis
  const look = Effect.gen(function* () {
    const progress = yield* backfill.progress
    if (progress === undefined) return yield* userError("There is nothing to fetch.")
    if (progress.isElsewhere) {
      return yield* userError(
        "Another process is filling this history, such as a running server; /v1/sources shows its progress. " +
          "If that process was killed, try again after 90 seconds."
      )
    }
    yield* show(progress)
    const waited = (yield* Clock.currentTimeMillis) - started
    if (!progress.hasCoins && waited > Duration.toMillis(LIST_WAITS)) {
      return yield* userError("No source returned a list of coins; `doctor` shows why. Recorded data is kept.")
    }
    return progress
  })
  return yield* look.pipe(
    Effect.repeat({ until: isEnded, schedule: Schedule.spaced(LOOK_EVERY) }),
    Effect.ensuring(screen.isTerminal ? screen.write("\n") : Effect.void)
  )
})

export const run = Effect.gen(function* () {
  if (!(yield* Effect.orDie(Settings.history.isOn))) {
    return yield* userError(OFF)
  }
  const { all, done, failed } = yield* Effect.provide(follow(screen), Layer.provideMerge(Backfill.layer, layerState))
  yield* Console.log(`Recorded ${done} of ${all} pieces.`)
  if (failed.size === 0) return
  const some = [...failed].slice(0, 10).map(([name, message]) => `  ${name}: ${message}`)
  return yield* userError(
    [`${failed.size} pieces could not be fetched. The next run, or the service, retries them:`, ...some].join("\n")
  )
})
