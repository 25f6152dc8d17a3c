// Every threshold that decides whether a figure is plausible beside others, with its reason. The bounds of single figures are in
// `Plausibility.ts`, the parameters of the P2P estimate in `P2pBook.ts` and `P2pRate.ts`.

/** How a figure may differ from the former one, and who confirms a larger difference. */
export interface Jump {
  /** A change by more than this factor, up or down, is a jump. */
  readonly factor: number
  /** Another source confirms a jump if it differs by at most this share. */
  readonly agreement: number
  /** Only a source of another kind confirms a jump: exchanges an aggregator, and the reverse. */
  readonly isOfOtherKind?: true
}

/** Prices, books and global figures. A coin has halved or tripled within minutes; five-fold within one poll is nearly always a wrong unit. */
export const jump: Jump = { factor: 5, agreement: 0.25 }

/**
 * Fiat rates. The largest devaluations of a day are above 15 %, the usual moves below 5 %. The agreement is so small that the rate before
 * a jump cannot confirm it.
 */
export const rateJump: Jump = { factor: 1.15, agreement: 0.05 }

/** USDT and USDC. Every price in them, and every P2P rate, moves with them. They have left their peg by more than 3 % once in years. */
export const stablecoinJump: Jump = { factor: 1.03, agreement: 0.02, isOfOtherKind: true }

/** Newer observations of its own source, in its direction, that confirm a jump. Two wrong answers in a row are common, three rare. */
export const CONFIRMATIONS = 2

/**
 * Sources of a fiat agree within `agreement`, except on days of large moves. A first answer further than `factor` from what is expected is
 * not served.
 */
export const firstRate = { agreement: 0.05, factor: 1.5 } as const

/** A source further than this share from two others that agree within it is alone. Prices of aggregators differ by 1 or 2 %. */
export const ALONE = 0.1

/** An exchange contradicts a consensus if it is further than this share from the median. If more than a minority do, there is none. */
export const FAR = 0.1

/** The largest dispersion, percent, of a price in dollars from only two exchanges. Beyond it either of them may be wrong. */
export const MOST_DISPERSED = 0.5

/** A cap, a supply or a volume further than this factor from that of every other source is unknown. Sources count supplies differently. */
export const OUTLIER_FACTOR = 10

/** If a coin's cap differs from price × circulating supply by more than this factor, the cap is unknown. */
export const CAP_FACTOR = 10

/** A failing source is preferred until its data is this many intervals old. */
export const FAILING_INTERVALS = 5

/** An aggregator whose price differs from the served one by more than this share may mean another coin: figures of a nearer one go first. */
export const QUOTE_DISAGREEMENT = 0.1

/** A consensus is sure if its band is at most this share wide. Spreads and delays make bands of 0.05 to 0.2 %. */
export const SURE_BAND = 0.005

/** Two aggregators agree within this share. They are minutes apart, so that they differ by up to this in usual hours. */
export const AGGREGATORS_AGREE = 0.01

/**
 * Rates of fiats on exchanges. Two exchanges count while they differ by at most `two`, as they do when one of them has few trades. One
 * counts while it is within `alone` of the official rate, which is up to three days old: the large currencies move less in that time.
 * Further than `far` from the official rate the fiat cannot leave the exchange, or the pair is another one. A rate that is older than a
 * coin's price by more than `older`, ms, does not price it: the exchanges were silent since.
 */
export const fiatMarket = { two: 0.01, alone: 0.02, far: 0.1, older: 3_600_000 } as const

/** How far a source's clock may be ahead of ours, in milliseconds. Data with later times is rejected. */
export const AHEAD = 60_000

/** A rate of the past is refused if it differs from the one before by more than this factor: it is of another unit or currency. */
export const PAST_RATE = 20

/** CBN's days. One published rate differs from both days before by more than this share: the euro under the dollar's label is 13 to 16 % off. */
export const CBN_DAYS = 0.1

/** A change of ticker shows as a gap of more than this share between a close and the next open. Crashes within one candle are smaller. */
export const TICKER_BREAK = 0.6

/** A coin is no mover if its last hour is further than this share from the three hours before: the price may be wrong. */
export const UNRELIABLE_HOUR = 0.4

/** Prices of the same coin differ by at most this share: that of a pair, and the newest close of past candles, from an aggregator's. */
export const SAME_COIN = 0.03

/** An aggregator whose price is further than this share from a pair's contradicts which coin the pair is. */
export const OTHER_COIN = 0.1

/** A high or low of Quidax further than this share from the close is an error: 729,000 naira has been seen beside 1,400. */
export const WICK = 0.2
