// Finds the coin or fiat that a user types as a code, a ticker, a name or an id.
import { useEffect, useState } from "preact/hooks"
import { useAnswer } from "./Answer.ts"
import type { Coin, Coins, Search } from "./Answers.ts"
import { fiatsNamed, isCurrency, nameOf } from "./Figures.ts"
import { isOtherUnit, otherUnit } from "./Fiats.ts"
import { api, type Asset } from "./Route.ts"

/** The coin table shows the same list, so both share one request. */
export const useCoins = () => useAnswer<Coins>(api.coins, 90)

export const fiatAsset = (code: string): Asset => ({ asked: `fiat:${code}`, symbol: code, name: nameOf(code) })

const coinAsset = ({ id, name, symbol }: Pick<Coin, "id" | "name" | "symbol">): Asset => ({
  asked: `coin:${id}`,
  symbol,
  name
})

/** Looks up fiat codes first, as the API does, then the largest coins, then fiat names. Of several coins the largest wins. */
const known = (text: string, coins: ReadonlyArray<Coin>): Asset | undefined => {
  if (isOtherUnit(text)) return undefined
  const upper = text.toUpperCase()
  if (isCurrency(upper)) return fiatAsset(upper)
  const lower = text.toLowerCase()
  const found =
    coins.find(({ id }) => id === lower) ??
    coins.find(({ symbol }) => symbol.toUpperCase() === upper) ??
    coins.find(({ name }) => name.toLowerCase() === lower)
  if (found !== undefined) return coinAsset(found)
  const { sure } = fiatsNamed(text)
  return sure === undefined ? undefined : fiatAsset(sure)
}

const EXACT: ReadonlySet<Search["coins"][number]["matched"]> = new Set(["address", "id", "symbol", "name"])

/** The value once it has not changed for some milliseconds, because each request costs quota. */
export const useRested = <Value>(value: Value, milliseconds: number): Value => {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

const ADDRESS = /^(0x[\da-f]{40,64}|[\dA-HJ-NP-Za-km-z]{32,64})$/i

const faultOf = (text: string, others: ReadonlyArray<Asset>): string => {
  if (ADDRESS.test(text)) return "No coin with this contract address is known."
  const isChoice = others.some(({ asked }) => asked.startsWith("fiat:"))
  return isChoice ? "Several currencies have this name:" : "No coin or currency has this name."
}

/** The asset that the user typed, once it is found, other coins that may be meant, and what is wrong with a text that names none. */
export const useAsset = (typed: string) => {
  const text = typed.trim()
  const rested = useRested(text, 350)
  const { data: list, problem } = useCoins()
  const near = known(text, list?.coins ?? [])
  const isSearched =
    near === undefined &&
    !isOtherUnit(text) &&
    (list ?? problem) !== undefined &&
    rested === text &&
    text.length > 1 &&
    text.length <= 100
  const { data: found } = useAnswer<Search>(isSearched ? api.search(text) : null, 3600)
  const hits = found?.coins ?? []
  const [best] = hits
  const asset = near ?? (best !== undefined && EXACT.has(best.matched) ? coinAsset(best) : undefined)
  const others = [
    ...(text.length > 2 ? fiatsNamed(text).others.map(fiatAsset) : []),
    ...hits.filter((hit) => asset === undefined || hit !== best).map(coinAsset)
  ]
  const isUnknown = isOtherUnit(text) || (isSearched && found !== undefined && asset === undefined)
  return { asset, others, fault: isUnknown ? (otherUnit(text) ?? faultOf(text, others)) : undefined }
}
