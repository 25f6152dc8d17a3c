// The followed P2P markets: those in `P2P_MARKETS`, those of the operator's file, and the usual one, because prices in its fiat depend
// on it.
import { Config, Schema } from "effect"
import { builtInMarkets, defaultMarkets, inOrder, type P2pMarket } from "../../domain/P2pMarket.ts"
import { asciiUpper } from "../../domain/asciiCase.ts"
import { ownMarkets } from "./marketsFile.ts"

const codeOf = (text: string): string => asciiUpper(text.trim())

const Code = Schema.String.check(Schema.makeFilter((text) => builtInMarkets.has(codeOf(text))))

/** `P2P_MARKETS`: codes of built-in markets in any case. */
export const namedMarkets: Config.Config<ReadonlyArray<string>> = Config.Array(Code, "P2P_MARKETS").pipe(
  Config.withDefault(defaultMarkets),
  Config.map((codes) => codes.map(codeOf))
)

/** The usual market first, then by code. A market of the file replaces a built-in one. */
export const followedMarkets: Config.Config<ReadonlyArray<P2pMarket>> = Config.all([namedMarkets, ownMarkets]).pipe(
  Config.map(([named, own]) => {
    const mine = own.map((market) => [market.fiat, market] as const)
    return inOrder(new Map([...builtInMarkets, ...mine]).values(), [...named, ...mine.map(([fiat]) => fiat)])
  })
)
