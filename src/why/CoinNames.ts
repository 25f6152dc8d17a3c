// The names by which reports call coins and exchanges, ready to be looked for. Which of them are also ordinary words is
// computed from a word list, so that a new coin that is named after a word is linked carefully from its first day.
import { knownCoins } from "../domain/CoinRegistry.ts"
import { memoized, rememberEach, rememberOf } from "../domain/rememberEach.ts"
import * as NameIndex from "./NameIndex.ts"
import aliases from "./data/aliases.json" with { type: "json" }
import exchanges from "./data/exchanges.json" with { type: "json" }
import ordinary from "./data/ordinaryWords.json" with { type: "json" }
import type { MoverCoin } from "./RunFacts.ts"

/** `name`: of the asset, its chain, or the people and companies whose acts move it. `exchange`: with a coin's id the one that issued it. */
export type NameRole = "symbol" | "name" | "exchange"

export interface CoinName {
  /** Empty for an exchange without a coin. */
  readonly coinId: string
  readonly surface: string
  readonly role: NameRole
}

/** Whether a name tells that it is a USD stablecoin's: "USDC", "crvUSD", "TerraUSD". Tether and DAI by name do not. */
export const isUsdStablecoin = (surface: string): boolean => /usd|^ust$/i.test(surface)

export type Catalog = ReadonlyArray<NameIndex.NameIndex<CoinName>>

const except: ReadonlySet<string> = new Set(ordinary.except)

/** About a megabyte, made when a first name is judged. */
const everydayWords = memoized((): ReadonlySet<string> => new Set(ordinary.words.split(" ")))

const rareWords: ReadonlySet<string> = new Set(ordinary.rare.split(" ").filter((word) => !except.has(word)))

/** Whether a word in lower case, or what it is the plural of, is an everyday word. A process asks for the same words again and again. */
const isEveryday = rememberEach(
  8000,
  (word: string) => !except.has(word) && [word, word.replace(/s$/, "")].some((one) => everydayWords().has(one))
)

/** Whether a word is in the general word list. */
export const isOrdinary = (word: string): boolean => isEveryday(word.toLowerCase()) || rareWords.has(word.toLowerCase())

const exchangeNames: ReadonlySet<string> = new Set(exchanges.names)

const isTicker = (surface: string): boolean => /^[A-Z0-9]{1,8}$/.test(surface)

/** Whether the name alone proves nothing: an ordinary word, a unit, or two letters. */
export const isAmbiguous = rememberOf(({ coinId, surface }: CoinName): boolean => {
  const core = surface.toLowerCase().replace(/^the /, "")
  if (coinId === "" || core.includes(" ")) return false
  return surface.length < 3 || isOrdinary(core)
})

/** Whether it is ambiguous, but not an everyday word: one word about crypto beside it settles what it means. */
export const isRare = (name: CoinName): boolean =>
  isAmbiguous(name) && !isEveryday(name.surface.toLowerCase().replace(/^the /, ""))

/** A name of a coin; one that is written like a ticker is taken for one. */
const named = (coinId: string, surface: string): CoinName => ({
  coinId,
  surface,
  role: exchangeNames.has(surface.toLowerCase()) ? "exchange" : isTicker(surface) ? "symbol" : "name"
})

const namesOf = (coin: Pick<MoverCoin, "id" | "symbol" | "name">): ReadonlyArray<CoinName> => {
  // Some registries add something in brackets.
  const name = coin.name.replace(/\s*\(.*\)\s*$/, "").trim()
  const short =
    /^(.{3,}?)\s+(?:Network|Protocol|Finance|DAO|Token|Coin|Chain|Hub|Credits?|Governance|Labs|Markets?|Ecosystem)$/.exec(
      name
    )?.[1]
  return [
    { coinId: coin.id, surface: coin.symbol.toUpperCase(), role: "symbol" as const },
    named(coin.id, name),
    ...(short === undefined ? [] : [named(coin.id, short)])
  ]
}

const baseNames = (): ReadonlyArray<CoinName> => [
  ...knownCoins.filter((coin) => coin.peg === null || coin.peg === "usd").flatMap(namesOf),
  ...aliases.aliases.flatMap(([id = "", , ...names]) => names.map((surface) => named(id, surface))),
  ...exchanges.names.map((surface): CoinName => ({ coinId: "", surface, role: "exchange" }))
]

const keyOf = (name: CoinName): string => `${name.coinId}|${name.role}|${name.surface}`

const indexOf = (names: Iterable<CoinName>): NameIndex.NameIndex<CoinName> =>
  NameIndex.build(Array.from(names, (name) => [name.surface.toLowerCase(), name] as const))

const baseByKey = memoized(() => new Map(baseNames().map((name) => [keyOf(name), name])))
const base = memoized(() => indexOf(baseByKey().values()))

const moreOf = (coins: ReadonlyArray<MoverCoin>): ReadonlyArray<CoinName> =>
  coins.flatMap(namesOf).filter((name) => !baseByKey().has(keyOf(name)))

/** The names of the registry, then those that these coins have beside. */
export const catalogFor = (coins: ReadonlyArray<MoverCoin>): Catalog => {
  const more = moreOf(coins)
  return more.length === 0 ? [base()] : [base(), indexOf(more)]
}

/** Matches text that has a name of these coins, in any case and with any quotes and dashes, and little else. */
export const namesPattern = (coins: ReadonlyArray<MoverCoin>): RegExp => {
  const ids = new Set(coins.map(({ id }) => id))
  const names = [...baseByKey().values(), ...moreOf(coins)].filter(({ coinId }) => ids.has(coinId))
  const parts = new Set(names.map(({ surface }) => surface.toLowerCase().replaceAll(/[^\p{L}\p{N} ]/gu, ".")))
  return new RegExp(parts.size === 0 ? "(?!)" : `(?<![a-z\\d])(?:${[...parts].join("|")})(?![a-z\\d])`, "i")
}
