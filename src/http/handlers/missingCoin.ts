// Why an answer about several coins lacks one of them.
import type { Missing } from "../../services/Conversions.ts"
import type { MissingThen } from "../../services/history/Past.ts"

const codes = {
  UnknownCoin: "unknown_coin",
  NoPrice: "no_price",
  NoData: "no_data",
  Unavailable: "source_unavailable"
} as const

/** A member of `missing`. */
export const missingCoin = ({ failure, id }: Missing | MissingThen) => ({
  id,
  code: codes[failure._tag],
  suggestions: failure._tag === "UnknownCoin" ? failure.suggestions : []
})
