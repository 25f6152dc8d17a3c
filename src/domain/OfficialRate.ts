// The official naira rate: what the Central Bank of Nigeria published, and for which day.

/** NGN per 1 USD, and the day (`YYYY-MM-DD`, West Africa) it was published for. */
export interface OfficialRate {
  readonly rate: number
  readonly date: string
}
