// `P2P_MARKETS_FILE`: the P2P markets that an operator adds, as records in JSON. Every fault is reported with its place.
import { Config, Effect, Option, Schema, SchemaIssue } from "effect"
import { isoCurrencies } from "../../domain/Fiat.ts"
import { FaultyFile, textOf } from "../client/settingFile.ts"
import { ORDER_BOOKS, type P2pMarket, usualMarket, VENUES } from "../../domain/P2pMarket.ts"

const NAME = "P2P_MARKETS_FILE"
/** More markets would use up the venues' budgets of calls. */
const MOST_MARKETS = 20
const MOST_NAMES = 50
const ORDER_DOLLARS = 70
/** The bounds of plausible prices: this factor above and below the price of a dollar that the order size implies. */
const BOUND = 30
/** The most faults that a report lists. */
const MOST_FAULTS = 10

const eachOnce = <S extends Schema.Constraint>(item: S) =>
  Schema.Array(item).check(Schema.isMaxLength(MOST_NAMES), Schema.isUnique())

const Market = Schema.Struct({
  fiat: Schema.String.check(
    Schema.makeFilter((code) => isoCurrencies.has(code) && code !== usualMarket.fiat && code !== "USD")
  ),
  order_size: Schema.Finite.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(1e12)),
  payments: eachOnce(Schema.String.check(Schema.isMaxLength(60), Schema.isPattern(/\p{L}|\p{N}/u))),
  venues: eachOnce(Schema.Literals(VENUES)).check(Schema.isMinLength(1)),
  order_books: eachOnce(Schema.Literals(ORDER_BOOKS)),
  official: Schema.Literal("fx")
})

const rules = new Map<string, string>(
  Object.entries({
    fiat: `be the ISO 4217 code of a fiat other than ${usualMarket.fiat} and USD, such as "UYU"`,
    order_size: "be a number above 0, an order of about 70 USD in the fiat",
    payments: 'be a list of names of payments, each once, such as ["Prex"]',
    venues: `be a list of at least one of ${VENUES.join(", ")}, each once`,
    order_books: `be a list of ${ORDER_BOOKS.join(", ")}, each once, or []`,
    official: `be "fx", the rate of /v1/fx`
  } satisfies Readonly<Record<keyof (typeof Market)["fields"], string>>)
)

const Markets = Schema.fromJsonString(
  Schema.Array(Market).check(
    Schema.isMaxLength(MOST_MARKETS),
    Schema.makeFilter((markets) => new Set(markets.map(({ fiat }) => fiat)).size === markets.length)
  )
)

const decode = Schema.decodeEffect(Markets, { errors: "all", onExcessProperty: "error" })

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** What is wrong at a place of the file. */
const faultAt = ([market, member]: ReadonlyArray<unknown>): string => {
  if (market === undefined) return `the file must be a JSON list of at most ${MOST_MARKETS} markets, each fiat once`
  const place = `market ${Number(market) + 1}`
  if (member === undefined) return `${place} must be an object with ${[...rules.keys()].join(", ")}`
  const rule = rules.get(String(member))
  return rule === undefined
    ? `${place}: ${JSON.stringify(String(member).slice(0, 40))} is no member of a market`
    : `${place}: ${String(member)} must ${rule}`
}

/** The markets in a file's text, or its faults with their places. */
export const marketsIn = (text: string): Effect.Effect<ReadonlyArray<P2pMarket>, FaultyFile> =>
  decode(text).pipe(
    Effect.map((records) => records.map(marketOf)),
    Effect.mapError(({ issue }) => {
      const faults = new Set(issuesOf(issue).issues.map(({ path = [] }) => faultAt(path)))
      return new FaultyFile({ message: [...faults].slice(0, MOST_FAULTS).join("; ") })
    })
  )

/** The market of a record. The order size implies the approximate price of a dollar. */
const marketOf = ({ order_books, order_size, ...record }: typeof Market.Type): P2pMarket => {
  const dollar = order_size / ORDER_DOLLARS
  return {
    ...record,
    orderSize: order_size,
    orderBooks: order_books,
    bounds: { least: dollar / BOUND, most: dollar * BOUND },
    every: "5 minutes"
  }
}

/** The markets of the file; empty without the setting. The failure lists each fault with its place. */
export const ownMarkets: Config.Config<ReadonlyArray<P2pMarket>> = Config.NonEmptyString(NAME).pipe(
  Config.option,
  Config.mapEffect(
    Option.match({
      onNone: () => Effect.succeed([]),
      onSome: (path) =>
        Effect.flatMap(textOf(path), marketsIn).pipe(Effect.mapError((fault) => new Config.ConfigError(fault)))
    })
  )
)
