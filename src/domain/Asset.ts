// The assets that callers name: coins and fiats.
import { asciiLower, asciiUpper } from "./asciiCase.ts"
import { coinIdOf } from "./CoinId.ts"
import { isoCurrencies } from "./Fiat.ts"
import { isOtherUnit } from "./otherUnits.ts"

/** A coin by id in lower case, or a fiat by code in upper case. */
export type Asset = { readonly _tag: "Coin"; readonly id: string } | { readonly _tag: "Fiat"; readonly code: string }

/**
 * The asset a caller names: a fiat's code or a coin's id in any case. If a fiat and a coin have the same name, the fiat
 * wins; `coin:x` and `fiat:x` choose one. Tickers are never guessed. A spelling of another unit, such as `GBp`, is no fiat.
 */
export const parseAsset = (text: string): Asset => {
  const [, kind, name = ""] = /^(?:(coin|fiat):)?(.*)$/is.exec(text.trim()) ?? []
  const code = isOtherUnit(name) ? name : asciiUpper(name)
  const isFiat = kind === undefined ? isoCurrencies.has(code) : asciiLower(kind) === "fiat"
  return isFiat ? { _tag: "Fiat", code } : { _tag: "Coin", id: coinIdOf(name) }
}

export const nameOf = (asset: Asset): string => (asset._tag === "Coin" ? asset.id : asset.code)

/** The one text that {@link parseAsset} reads as this asset, with a prefix only where its name alone means another. */
export const textOf = (asset: Asset): string => {
  const name = nameOf(asset)
  const read = parseAsset(name)
  const isPlain = name !== "" && read._tag === asset._tag && nameOf(read) === name
  return isPlain ? name : `${asciiLower(asset._tag)}:${name}`
}
