// The API key as programs made for CoinGecko send it: in a header of CoinGecko's. Never in the URL, where logs keep it.
import type { HttpServerRequest } from "effect/http"
import * as Paths from "../Paths.ts"
import { commonHeaders } from "../response/CommonHeaders.ts"

export const COINGECKO_HEADERS = ["x-cg-demo-api-key", "x-cg-pro-api-key"] as const

export const KEY_HEADERS = COINGECKO_HEADERS.join(", ")

/** What responses to these programs vary by. */
export const COMPAT_VARY = `${KEY_HEADERS}, ${commonHeaders.vary}`

/** The key of a request: of one to these endpoints also from CoinGecko's headers. */
export const presentedKey = ({ headers, url }: HttpServerRequest.HttpServerRequest): string | undefined =>
  headers["x-api-key"] ??
  (Paths.isCoinGecko(url) ? (headers["x-cg-pro-api-key"] ?? headers["x-cg-demo-api-key"]) : undefined)
