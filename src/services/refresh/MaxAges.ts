// How old data may become, by its source's clock, before a question is unavailable rather than answered with it.
import { Config, Duration, Schema } from "effect"

const Age = Schema.DurationFromString.check(
  Schema.makeFilter((age: Duration.Duration) => Duration.isFinite(age) && Duration.toMinutes(age) >= 1)
)

const age = (name: string, fallback: Duration.Input) =>
  Config.schema(Age, name).pipe(Config.withDefault(Duration.fromInputUnsafe(fallback)))

/** The settings: durations such as `90 minutes`. */
export const maxAges = {
  coins: age("MAX_AGE_COINS", "1 hour"),
  global: age("MAX_AGE_GLOBAL", "6 hours"),
  /** A venue's book that is older takes no part: it has moved on. */
  naira: age("MAX_AGE_NAIRA", "15 minutes"),
  /** The longest run of days without a publication is a long weekend of holidays; beyond it the rate is history. */
  official: age("MAX_AGE_OFFICIAL", "7 days"),
  /** Banks rest at weekends and holidays. */
  fx: age("MAX_AGE_FX", "7 days")
}
