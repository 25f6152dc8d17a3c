// The rules of age, the same for polled and looked-up data. The source's clock (`observedAt`) decides how long data may be served.
// Our own clock (`retrievedAt`) decides when the source is called again.
import { DateTime, Duration } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"

type Observed = Pick<Snapshot<unknown>, "observedAt">

type Retrieved = Pick<Snapshot<unknown>, "retrievedAt">

/** The tolerated difference of two clocks. A `retrievedAt` further in the future was written before our clock was set back. */
const CLOCK_SKEW = Duration.minutes(1)

/** The last moment at which data may be served, epoch milliseconds: `maxAge` after it was observed. */
export const servableUntil = ({ observedAt }: Observed, maxAge: Duration.Duration): number =>
  DateTime.toEpochMillis(observedAt) + Duration.toMillis(maxAge)

/** Whether data was observed at most `maxAge` ago. */
export const isServable = (data: Observed, maxAge: Duration.Duration, now: DateTime.Utc): boolean =>
  DateTime.toEpochMillis(now) <= servableUntil(data, maxAge)

/** `limit` after data was retrieved, epoch milliseconds. */
export const recentUntil = ({ retrievedAt }: Retrieved, limit: Duration.Duration): number =>
  DateTime.toEpochMillis(retrievedAt) + Duration.toMillis(limit)

/** Whether `retrievedAt` is in the future, which means that the clock was wrong. */
export const isAhead = ({ retrievedAt }: Retrieved, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(retrievedAt, DateTime.addDuration(now, CLOCK_SKEW))

/** Whether data was retrieved less than `limit` ago. */
export const isRecent = (data: Retrieved, limit: Duration.Duration, now: DateTime.Utc): boolean =>
  DateTime.toEpochMillis(now) < recentUntil(data, limit) && !isAhead(data, now)
