/** The figures of a coin that the record does not keep. */
export const nothingKnown = {
  rank: null,
  market_cap: null,
  volume_24h: null,
  circulating_supply: null,
  total_supply: null,
  max_supply: null,
  change_1h: null,
  change_7d: null,
  high_24h: null,
  low_24h: null,
  ath: null,
  ath_date: null,
  image: null
}
