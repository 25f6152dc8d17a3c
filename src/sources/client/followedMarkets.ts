// `P2P_MARKETS`: which of the known P2P markets are followed. The usual one always is, because prices in its fiat are made of it.
import { Config, Schema } from "effect"
import { defaultMarkets, inOrder, marketsByFiat, type P2pMarket } from "../../domain/P2pMarket.ts"
import { asciiUpper } from "../../domain/asciiCase.ts"

const codeOf = (text: string): string => asciiUpper(text.trim())

const Code = Schema.String.check(Schema.makeFilter((text) => marketsByFiat.has(codeOf(text))))

/** The usual one first, then by code. Codes in any case of letters. */
export const followedMarkets: Config.Config<ReadonlyArray<P2pMarket>> = Config.Array(Code, "P2P_MARKETS").pipe(
  Config.withDefault(defaultMarkets),
  Config.map((codes) => inOrder(codes.map(codeOf)))
)
