/** A rate of a fiat that was published for a day (`YYYY-MM-DD`): units per 1 USD. */
export interface DayRate {
  readonly code: string
  readonly date: string
  readonly rate: number
}
