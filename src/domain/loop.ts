// A loop of the service runs as long as the service does. A bug in one round must not end all later ones without a word.
import { Duration, Effect } from "effect"

/** The wait after a defect, so that a loop that always fails costs little. */
const AFTER_DEFECT = Duration.seconds(10)

/**
 * Runs `round` again and again, `every` after its end. Never ends. A defect is logged with `name`, and the loop goes on after
 * {@link AFTER_DEFECT}.
 */
export const loop = <R>(
  name: string,
  every: Duration.Input,
  round: Effect.Effect<unknown, never, R>
): Effect.Effect<never, never, R> =>
  round.pipe(
    Effect.catchDefect((defect) =>
      Effect.andThen(
        Effect.logError(`${name}: a bug in one round, the next follows`, defect),
        Effect.sleep(AFTER_DEFECT)
      )
    ),
    Effect.andThen(Duration.isZero(Duration.fromInputUnsafe(every)) ? Effect.void : Effect.sleep(every)),
    Effect.forever
  )
