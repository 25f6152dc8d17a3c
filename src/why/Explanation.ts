// What an explanation is made of: the members of WHY.md §6, ready to be written as JSON. Times are RFC 3339 in UTC.

/** What kind of event a report is about. */
export type EventKind =
  | "listing"
  | "delisting"
  | "exploit"
  | "outage"
  | "insolvency"
  | "depeg"
  | "regulatory"
  | "etf"
  | "treasury"
  | "funding"
  | "partnership"
  | "upgrade"
  | "migration"
  | "tokenomics"
  | "token_unlock"
  | "airdrop"
  | "whale"
  | "liquidations"
  | "social"
  | "leadership"
  | "sector"
  | "macro"
  | "market"

/** Which part of the market the move belongs to. */
export type Verdict = "coin_specific" | "sector" | "market_wide" | "unexplained"

/** What became of the question. */
export type Status = "explained" | "market_wide" | "sector" | "unexplained" | "insufficient_coverage" | "not_a_mover"

/** How well supported an answer is; not how likely it is to be the true cause. */
export type Level = "high" | "medium" | "low"

/** One sentence with the ids of what it rests on. */
export interface Sentence {
  readonly text: string
  readonly citations: ReadonlyArray<string>
}

/** One reported event that coincides with the move. */
export interface Driver {
  readonly rank: number
  readonly role: "cause" | "amplifier"
  readonly kind: EventKind
  /** Which way such an event pushes. */
  readonly direction: "up" | "down"
  /** The headline of the best report, verbatim. */
  readonly summary: string
  readonly first_reported_at: string | null
  /** Negative when it was reported before the move began; `null` when we do not know when it began. */
  readonly minutes_after_onset: number | null
  readonly publishers: number
  readonly confidence: Level
  readonly citations: ReadonlyArray<string>
}

/** A dated fact ahead, in the words of a cited item. */
export interface Watch {
  readonly date: string
  readonly text: string
  readonly citations: ReadonlyArray<string>
}

/** The move in percentage points, by whose it is. */
export interface MoveParts {
  readonly market: number
  readonly sector: number
  readonly coin: number
  readonly beta: number
  readonly onset_at: string | null
  readonly sharp: boolean
}

/** Something a reader can open. */
export interface Citation {
  readonly n: number
  /** `e1`… an item, `m1`… a figure, `c1` the list of what was searched. */
  readonly id: string
  readonly type:
    | "news"
    | "exchange_announcement"
    | "project_blog"
    | "regulator"
    | "incident_record"
    | "market_data"
    | "coverage"
  readonly title: string
  readonly url: string
  readonly publisher: string
  readonly published_at: string
}

/** What was searched. */
export interface CoverageReport {
  readonly items_considered: number
  readonly items_linked: number
  readonly sources_ok: number
  readonly sources_failed: ReadonlyArray<string>
  readonly window_hours: number
  readonly newest_item_at: string | null
}

/** The explanation of one mover. Figures of the coin itself, `engine` and the times of explaining are the service's to add. */
export interface Explanation {
  readonly id: string
  readonly symbol: string
  readonly name: string
  readonly rank: number | null
  readonly direction: "up" | "down"
  readonly price_usd: number | null
  readonly change_24h: number
  readonly volume_24h_usd: number | null
  readonly volume_ratio_7d: number | null
  readonly status: Status
  readonly verdict: Verdict | null
  readonly headline: string
  readonly summary: string
  readonly sentences: ReadonlyArray<Sentence>
  readonly drivers: ReadonlyArray<Driver>
  readonly watch: ReadonlyArray<Watch>
  readonly decomposition: MoveParts
  readonly confidence: { readonly level: Level; readonly score: number; readonly reasons: ReadonlyArray<string> }
  readonly citations: ReadonlyArray<Citation>
  readonly coverage: CoverageReport
}
