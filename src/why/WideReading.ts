// What a headline says of the whole market, whichever coin moved. It is worked out once for all movers of a run.
import { readWide, type Reading } from "./EventKind.ts"
import { matcher, ruleOf, wording } from "./Lexicon.ts"

/** Whether a headline speaks of the whole market or of what moves all of it. */
const isWideSubject = matcher([
  "\\b(?:bitcoin|btc|ether|ethereum|crypto\\w*|digital assets?|altcoins?|alts|majors|stablecoins?|tether|usdt|stocks?|equit(?:y|ies)|wall street|markets?|risk assets?|s&p|nasdaq|dow|nikkei|kospi|futures|investors|fed|fomc|powell|tariffs?|inflation|cpi|rates?|yields?|central banks?|bank of japan|war|iran|israel|ukraine|china|trump|white house|liquidations?)\\b"
])

/** Whether a headline is about another market whose headlines use the same words. */
const isOtherMarket = matcher([
  "\\b(?:copper|natural gas|crude|wheat|corn|soybeans?|coffee|cocoa|cotton|sugar|lumber|steel|iron ore|aluminium|aluminum|nickel|zinc|lithium|cattle|housing|mortgage|real estate|football|soccer|nba|nfl|cricket|tennis|movie|album|fashion|weather|hurricane|earthquake|flood)\\b"
])

/** Whether a headline names who or what is large enough to move all of it. */
const isOfSize = matcher([
  "\\b(?:fed|federal reserve|fomc|powell|ecb|bank of japan|u\\.?s\\.?|united states|american?|washington|white house|trump|biden|congress|senate|treasury|sec|cftc|justice department|china|chinese|beijing|eu|european (?:union|commission|central bank|parliament)|g7|g20|imf|india|south korean?|japan)\\b",
  "\\b(?:tether|usdt|usdc|binance|coinbase|ftx|bybit|okx|kraken|banks?|lenders?|hedge fund)\\b",
  "\\$\\s?(?:\\d+(?:\\.\\d+)?\\s?(?:b|bn|billion|t|trillion)|[2-9]\\d\\d\\s?(?:m|mn|million))\\b"
])

/** Kinds that tell of the market itself, or of its figures. */
const OF_MARKET_ITSELF: ReadonlySet<Reading["kind"]> = new Set(["macro", "market", "liquidations", "etf"])

/** Whether a reading may be of the whole market, or of bitcoin, which moves with it: one company's own news is not. */
export const movesMarket = (kind: Reading["kind"], title: string): boolean =>
  kind === "other" || OF_MARKET_ITSELF.has(kind) || isOfSize(title)

const counts = (reading: Reading, title: string): boolean =>
  (reading.kind === "macro" || isWideSubject(title)) && movesMarket(reading.kind, title)

/** The readings of a report about the whole market; none where it is about something else, or states nothing. */
export const wideReadings = (title: string, summary: string): ReadonlyArray<Reading> => {
  if (!(isWideSubject(title) || ruleOf("macro")?.matches(title) === true) || isOtherMarket(title)) return []
  const wide = readWide(title, summary).filter((reading) => counts(reading, title))
  const says = wide.length > 0 && !wording.question(title) && !wording.retrospective(title)
  return says && !wording.opinion(title) && !wording.negation(title) ? wide : []
}
