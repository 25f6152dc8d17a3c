// `P2P_MARKETS_FILE`: the P2P markets that an operator adds, as records in JSON. Every fault is reported with its line.
import { Config, Effect, Option, Predicate } from "effect"
import { isoCurrencies } from "../../domain/Fiat.ts"
import { jsonLines, lineOfSyntaxFault } from "../../domain/jsonLines.ts"
import { FaultyFile, textOf } from "../client/settingFile.ts"
import { ORDER_BOOKS, type P2pMarket, usualMarket, VENUES } from "../../domain/P2pMarket.ts"

const NAME = "P2P_MARKETS_FILE"
/** More markets would use up the venues' budgets of calls. */
const MOST_MARKETS = 20
const MOST_NAMES = 50
/** The size of an order in USD. */
const ORDER_DOLLARS = 70
/** The bounds of plausible prices: this factor above and below the price of a dollar that the order size implies. */
const BOUND = 30

type Member = "fiat" | "order_size" | "payments" | "venues" | "order_books" | "official"

const isListOf = (isItem: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.length <= MOST_NAMES && value.every(isItem) && new Set(value).size === value.length

/** The rule of each member of a record. */
const rules: Readonly<Record<Member, readonly [accepts: (value: unknown) => boolean, must: string]>> = {
  fiat: [
    (value) => typeof value === "string" && isoCurrencies.has(value) && value !== usualMarket.fiat && value !== "USD",
    `be the ISO 4217 code of a fiat other than ${usualMarket.fiat} and USD, such as "UYU"`
  ],
  order_size: [
    (value) => typeof value === "number" && Number.isFinite(value) && value > 0 && value <= 1e12,
    "be a number above 0, an order of about 70 USD in the fiat"
  ],
  payments: [
    isListOf((item) => typeof item === "string" && /\p{L}|\p{N}/u.test(item) && item.length <= 60),
    'be a list of names of payments, each once, such as ["Prex"]'
  ],
  venues: [
    (value) =>
      isListOf((item) => VENUES.some((venue) => venue === item))(value) && Array.isArray(value) && value.length > 0,
    `be a list of at least one of ${VENUES.join(", ")}, each once`
  ],
  order_books: [
    isListOf((item) => ORDER_BOOKS.some((book) => book === item)),
    `be a list of ${ORDER_BOOKS.join(", ")}, each once, or []`
  ],
  official: [(value) => value === "fx", `be "fx", the rate of /v1/fx`]
}

const isMember = (name: string): name is Member => Object.hasOwn(rules, name)

interface Fault {
  readonly line: number
  readonly text: string
}

/** The faults of a file's text, sorted by line; empty if every record is valid. */
export const faultsIn = (text: string): ReadonlyArray<Fault> => {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : ""
    return [{ line: lineOfSyntaxFault(text, message), text: "the text is not JSON from here on" }]
  }
  const lines = jsonLines(text)
  if (lines === undefined) return [{ line: 1, text: "the values are nested too deeply" }]
  const faults: Array<Fault> = []
  const add = (path: string, text: string) => faults.push({ line: lines.get(path) ?? 1, text })
  if (!Array.isArray(parsed)) return [{ line: 1, text: "the file must be a list of markets, [{ … }]" }]
  if (parsed.length > MOST_MARKETS) add(String(MOST_MARKETS), `there may be ${MOST_MARKETS} markets at most`)
  const fiats = new Set<unknown>()
  for (const [n, record] of parsed.slice(0, MOST_MARKETS).entries()) {
    if (!Predicate.isObject(record)) {
      add(String(n), "a market must be an object with fiat, order_size, payments, venues, order_books and official")
      continue
    }
    const given = new Map<string, unknown>(Object.entries(record))
    const fiat = typeof given.get("fiat") === "string" ? String(given.get("fiat")).slice(0, 3) : `market ${n + 1}`
    for (const [name, [accepts, must]] of Object.entries(rules)) {
      if (!given.has(name)) add(String(n), `${fiat} has no ${name}; it must ${must}`)
      else if (!accepts(given.get(name))) add(`${n}.${name}`, `${name} of ${fiat} must ${must}`)
    }
    for (const name of given.keys()) {
      if (!isMember(name)) add(`${n}.${name}`, `${JSON.stringify(name.slice(0, 40))} is no member of a market`)
    }
    if (fiats.has(given.get("fiat"))) add(`${n}.fiat`, `${fiat} is there twice`)
    fiats.add(given.get("fiat"))
  }
  return faults.toSorted((a, b) => a.line - b.line)
}

/** The market of a valid record. The order size implies the approximate price of a dollar. */
const marketOf = (record: Record<Member, never>): P2pMarket => {
  const dollar = Number(record.order_size) / ORDER_DOLLARS
  return {
    fiat: record.fiat,
    orderSize: record.order_size,
    payments: record.payments,
    venues: record.venues,
    orderBooks: record.order_books,
    official: record.official,
    bounds: { least: dollar / BOUND, most: dollar * BOUND },
    every: "5 minutes"
  }
}

/** The most faults that `message` lists. */
const MOST_FAULTS = 10

const marketsIn = (path: string) =>
  textOf(path).pipe(
    Effect.flatMap((text): Effect.Effect<ReadonlyArray<P2pMarket>, FaultyFile> => {
      const faults = faultsIn(text)
      if (faults.length === 0) return Effect.succeed(JSON.parse(text).map(marketOf))
      const lines = faults.slice(0, MOST_FAULTS).map(({ line, text }) => `line ${line}: ${text}`)
      return Effect.fail(new FaultyFile({ message: lines.join("; ") }))
    }),
    Effect.mapError((fault) => new Config.ConfigError(fault))
  )

/** The markets of the file; empty without the setting. The failure lists each fault with its line. */
export const ownMarkets: Config.Config<ReadonlyArray<P2pMarket>> = Config.NonEmptyString(NAME).pipe(
  Config.option,
  Config.mapEffect(Option.match({ onNone: () => Effect.succeed([]), onSome: marketsIn }))
)
