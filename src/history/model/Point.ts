// What a history records: single observations, and points that stand for the observations of a bucket. All times are epoch
// milliseconds.
import { joinSources } from "../../domain/Snapshot.ts"

/** How the naira rate was made when it was observed. */
export interface NairaSides {
  /** NGN paid for 1 USDT. */
  readonly buy: number | null
  /** NGN received for 1 USDT. */
  readonly sell: number | null
  readonly confidence: "high" | "medium" | "low" | null
  /** Where the rate came from. */
  readonly kind: "p2p" | "order_book" | null
}

/** For series other than the naira, which have no sides. */
export const noSides: NairaSides = { buy: null, sell: null, confidence: null, kind: null }

/** One value of a series at one time. */
export interface Observation extends NairaSides {
  readonly source: string
  readonly observedAt: number
  readonly value: number
}

/** A bucket of a series. `open`, `high` and `low` are null where a source told the close only. */
export interface Point extends NairaSides {
  /** The start of the bucket. */
  readonly bucket: number
  /** `record` for a bucket of our own observations, else the source whose history it is from. */
  readonly origin: string
  /** Who said the close, and when it was observed. */
  readonly source: string
  readonly observedAt: number
  readonly open: number | null
  readonly high: number | null
  readonly low: number | null
  readonly close: number
  /** When a source corrected the point after it was final, else null. */
  readonly revisedAt: number | null
}

/** A point as it is kept: which correction it is, and when it was recorded. */
export interface RecordedPoint extends Omit<Point, "revisedAt"> {
  /** 0 for what was recorded first. */
  readonly revision: number
  readonly recordedAt: number
}

/** The origin of buckets that were built from our own observations. */
export const OWN_RECORD = "record"

/** Joins the sources of points, each combination once: a history of thousands of points has only a few. */
export const joining = () => {
  const known = new Map<string, string>()
  return (...points: ReadonlyArray<Pick<Point, "source">>): string => {
    const all = points.map(({ source }) => source).join(" + ")
    const joined = known.get(all) ?? joinSources([all])
    known.set(all, joined)
    return joined
  }
}
