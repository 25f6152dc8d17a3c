// The settings `MAX_AGE_*`: the maximum age of served data, by its source's clock.
import { Config, Duration, Schema } from "effect"

/** In days: as long as saved data is kept in Redis. */
const LONGEST = 30

const Age = Schema.DurationFromString.check(
  Schema.makeFilter((age: Duration.Duration) => Duration.toMinutes(age) >= 1 && Duration.toDays(age) <= LONGEST)
)

const age = (name: string, fallback: Duration.Input) =>
  Config.schema(Age, name).pipe(Config.withDefault(Duration.fromInputUnsafe(fallback)))

/** By the names of the settings. Durations such as `90 minutes`, from a minute to 30 days. */
export const maxAges = {
  coins: age("MAX_AGE_COINS", "1 hour"),
  global: age("MAX_AGE_GLOBAL", "6 hours"),
  /** Of a venue's book, in every P2P market. */
  naira: age("MAX_AGE_NAIRA", "15 minutes"),
  /** A long weekend of holidays is the longest time without a publication. */
  official: age("MAX_AGE_OFFICIAL", "7 days"),
  /** Banks publish no rates at weekends and on holidays. */
  fx: age("MAX_AGE_FX", "7 days")
}
