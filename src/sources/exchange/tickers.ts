// What exchanges have in common: one call for the tickers of all pairs, every 20 s, parsed in pieces so that requests do not wait.
// Pairs that price neither a coin nor a fiat, and those with little turnover, are dropped here, so that saved and shared snapshots are
// small.
import { Effect, Predicate, Schema, SchemaGetter } from "effect"
import { LEAST_TURNOVER, type Pair, pricesFiat, quoteCurrencies } from "../../domain/Pair.ts"
import { ageOf, type DatedBy, noMemory } from "../../domain/PairAges.ts"
import { spotPairs } from "../../domain/PlausiblePairs.ts"
import { type Place, readList } from "./ListInBody.ts"
import type { SourceClient } from "../client/SourceClient.ts"
import { BadStatus, rejected, Undecodable } from "../client/SourceError.ts"
import * as WireFormat from "../client/WireFormat.ts"

/** The polling interval. */
export const EVERY = "20 seconds"

/** The most bytes of one body. The largest, Binance's, has about 2 MB. */
export const MOST_BYTES = 6 * 1024 * 1024

/** Exchanges list up to 4,000 pairs; a longer list is refused. */
const MOST_ROWS = 10_000

/** A pair's name, of letters, digits and separators. */
export const Name = Schema.String.check(Schema.isPattern(/^[\w:./-]{1,40}$/))

/** Pairs with less turnover are dropped: half of what a pair needs to count, because USDT and USDC are not converted here. */
const LEAST_KEPT = LEAST_TURNOVER / 2

/** How to find a list in a body and read its rows. */
export interface Listed<S extends WireFormat.Wire, E extends WireFormat.Wire, A> {
  readonly path: string
  readonly place: Place
  readonly row: S
  /** The body with an empty list. */
  readonly envelope: E
  /** The exchange's own error code in a response with status 200. `first`: the first row. */
  readonly refusal: (envelope: E["Type"], first: unknown) => string | number | undefined
  /** `undefined` for a well-formed row that is not needed. `at`: the time of the response, epoch milliseconds. */
  readonly read: (row: S["Type"], response: { readonly at: number; readonly envelope: E["Type"] }) => A | undefined
}

/** Fetches a list and reads its rows. */
export const fetchList = Effect.fnUntraced(function* <S extends WireFormat.Wire, E extends WireFormat.Wire, A>(
  client: SourceClient,
  { envelope, path, place, read, refusal, row }: Listed<S, E, A>
) {
  const answer = yield* client.requestBytes(client.origin + path, { accept: "application/json" })
  const { bytes, observedAt, retrievedAt, status } = answer
  if (status > 299) return yield* client.error(new BadStatus({ status }))
  const at = observedAt.epochMilliseconds
  const undecodable = (detail: string) => client.error(new Undecodable({ detail }))
  const good: Array<S["Type"]> = []
  let bad = 0
  let first: unknown
  const around = yield* readList(new TextDecoder().decode(bytes), { ...place, most: MOST_ROWS }, (list) => {
    first ??= list[0]
    const decoded = WireFormat.rows(row, list)
    good.push(...decoded.good)
    bad += decoded.bad
  }).pipe(Effect.mapError(undecodable))
  const metadata = yield* Schema.decodeUnknownEffect(envelope)(around).pipe(
    Effect.mapError(() => undecodable("JSON of another shape"))
  )
  const code = refusal(metadata, first)
  if (code !== undefined) return yield* client.error(rejected(code))
  const usable = yield* client.usable("tickers", { good, bad })
  const value = usable.map((one) => read(one, { at, envelope: metadata })).filter((one) => one !== undefined)
  return { value, retrievedAt }
})

const isQuote = (quote: string): boolean => quoteCurrencies.some((one) => one === quote)

/**
 * The pair of two symbols; `undefined` unless it is quoted in USD, USDT or USDC and has enough turnover, or shows what a fiat costs.
 * Turnover in a fiat is judged later.
 */
export const pairOf = (
  [symbol = "", quote = ""]: ReadonlyArray<string>,
  figures: Omit<Pair, "base" | "quote">
): Pair | undefined => {
  const base = symbol.toUpperCase()
  const isEnough = figures.turnover >= (isQuote(quote) ? LEAST_KEPT : Number.MIN_VALUE)
  return base !== "" && isEnough && (isQuote(quote) || pricesFiat(base, quote))
    ? { ...figures, base, quote }
    : undefined
}

/** The symbols of a name without a separator: `BTCUSDT`, `BTCEUR`. */
export const joinedPair = (name: string): ReadonlyArray<string> =>
  (/^(.+)(USDT|USDC)$/.exec(name) ?? /^(BTC|ETH|USDT|USDC)([A-Z]{3})$/.exec(name))?.slice(1) ?? []

const written = (pairs: ReadonlyArray<Pair>): string =>
  pairs
    .map(({ ask, base, bid, last, market, observedAt, quote, turnover }) =>
      [market, base, quote, bid ?? "", ask ?? "", last ?? "", turnover, observedAt].join("\t")
    )
    .join("\n")

const isName = Schema.is(Name)

const readBack = (text: string): ReadonlyArray<Pair> =>
  text.split("\n", MOST_ROWS).flatMap((line): ReadonlyArray<Pair> => {
    const [market, base, quote, ...figures] = line.split("\t", 8)
    const [bid, ask, last, turnover, observedAt] = figures.map((figure) => (figure === "" ? null : Number(figure)))
    if (!isName(market) || !isName(base) || quote === undefined || !(isQuote(quote) || pricesFiat(base, quote)))
      return []
    if (!Predicate.isNumber(turnover) || !Predicate.isNumber(observedAt) || !Number.isFinite(observedAt)) return []
    return [{ market, base, quote, bid: bid ?? null, ask: ask ?? null, last: last ?? null, turnover, observedAt }]
  })

/**
 * The saved form: one line per pair, because decoding a thousand JSON rows by a schema would delay requests too long. The check of a fetch
 * drops lines without figures.
 */
const Saved = Schema.String.pipe(
  Schema.decodeTo(
    Schema.declare((value): value is ReadonlyArray<Pair> => Array.isArray(value)),
    { decode: SchemaGetter.transform(readBack), encode: SchemaGetter.transform(written) }
  )
)

/** The data set of an exchange. */
export const tickers = Effect.fnUntraced(function* (
  client: SourceClient,
  datedBy: DatedBy,
  fetch: ReturnType<typeof fetchList<WireFormat.Wire, WireFormat.Wire, Pair>>
) {
  let memory = noMemory
  const aging = Effect.map(fetch, ({ retrievedAt, value }) => {
    const aged = ageOf(memory, value, datedBy)
    memory = aged.memory
    // Each pair has its own time.
    return { value: aged.pairs, observedAt: retrievedAt, retrievedAt }
  })
  return yield* client.dataSet("tickers", { every: EVERY, fetch: aging, check: spotPairs, schema: Saved })
})
