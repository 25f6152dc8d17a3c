// Detects truncated lists. A list that changes little, such as a registry of coins, is refused if it lacks much of the former one.
import { DateTime, Duration, Option } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"

/** The maximum age of a former list for the comparison. After that, missing entries count as removed. */
const COUNTS_FOR = Duration.days(3)

/** Whether a list retrieved now is truncated. `lacks` compares it with the former list. */
export const isTruncated = <A>(
  former: Option.Option<Snapshot<A>>,
  now: DateTime.Utc,
  lacks: (former: A) => boolean
): boolean =>
  Option.exists(
    former,
    ({ retrievedAt, value }) => Duration.isLessThan(DateTime.distance(retrievedAt, now), COUNTS_FOR) && lacks(value)
  )
