// Lists that change little, such as a registry of coins: one that lacks much of the former one was cut off, and is not taken.
import { DateTime, Duration, Option } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"

/** How long a former list counts against newer ones. After that what is missing has gone for good. */
const COUNTS_FOR = Duration.days(3)

/** Whether a list retrieved now lacks what `former` had: `lacks` compares the values. */
export const isCutOff = <A>(
  former: Option.Option<Snapshot<A>>,
  now: DateTime.Utc,
  lacks: (former: A) => boolean
): boolean =>
  Option.exists(
    former,
    ({ retrievedAt, value }) => Duration.isLessThan(DateTime.distance(retrievedAt, now), COUNTS_FOR) && lacks(value)
  )
