// How figures are estimated, as numbered versions. A version is raised when the same data would give another figure, so that readers know how
// an old figure was made. `test/known/Methods.test.ts` fails when the figures that decide an estimate change and the version
// does not.

/** A version of a method: `p2p/1`. */
export interface MethodVersion {
  readonly method: string
  /** The first day of this version. A server uses it from its update on. */
  readonly since: string
  readonly changes: string
}

/** The kinds of methods, each with its versions, the newest first. */
const kinds = {
  p2p: [
    {
      method: "p2p/1",
      since: "2026-11-28",
      changes:
        "The first version with a number. Each venue's book gives a buy and a sell price from the ads that fill the market's order size and " +
        "pass its filters. The rate is the median over the P2P venues, weighted by their ads, limited by the order books whose spread is " +
        "at most 3 %, so that no minority of venues moves it. The mid is the middle of buy and sell."
    }
  ],
  consensus: [
    {
      method: "consensus/1",
      since: "2026-11-28",
      changes:
        "The first version with a number. A coin's price is the median of its pairs on at least three exchanges, weighted by their turnover " +
        "of 24 hours, which is cut so that no minority of exchanges reaches half of the weight."
    }
  ],
  fiat: [
    {
      method: "fiat/1",
      since: "2026-11-29",
      changes:
        "The first version with a number. What a fiat costs on the exchanges is the median of its pairs, weighted by their turnover of 24 " +
        "hours. Coins are priced by it in that fiat, now and in the days and hours of the past for which it was recorded, unless it is more " +
        "than 10 % from the official rate, two exchanges differ by more than 1 %, or one alone is more than 2 % from the official rate. " +
        "Otherwise the official rate of the day or the last one of the 7 days before counts; between two fiats always, as in statements."
    }
  ],
  fixing: [
    {
      method: "fixing/1",
      since: "2026-11-28",
      changes:
        "The first version. The mean of the mids recorded in the twelve 5-minute parts of the hour before 16:00 in the market's time zone, the " +
        "last one of each part, recorded by 16:05. At least nine parts, none of low confidence, else null with a reason. Where there is a P2P rate, an " +
        "order book's do not count."
    }
  ],
  statement: [
    {
      method: "statement/1",
      since: "2026-11-28",
      changes:
        "The first version. The official rate is that of the day or the last one of the 7 days before. The street rate is the day's fixing, its " +
        "last mid before midnight, and the mean of the last mids of its hours, of which at least three quarters are known. Coins and USDT have " +
        "their close in USD of the same date in UTC. The excess is the fixing less the official rate."
    }
  ]
} as const satisfies Readonly<Record<string, readonly [MethodVersion, ...ReadonlyArray<MethodVersion>]>>

/** The version in use. */
export const methods = {
  p2p: kinds.p2p[0].method,
  consensus: kinds.consensus[0].method,
  fiat: kinds.fiat[0].method,
  fixing: kinds.fixing[0].method,
  statement: kinds.statement[0].method
} as const

/** All versions, the newest of each kind first. */
export const methodVersions: ReadonlyArray<MethodVersion> = Object.values(kinds).flat()
