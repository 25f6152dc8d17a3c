// The type of a simulated upstream: a pure function from a request, the world and the time to a reply.
import type { World } from "./World.ts"

/** A request as an upstream sees it. `path` is the part after the base URL. */
export interface WireRequest {
  readonly world: World
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** The parsed JSON body; `undefined` if there is none or it is not JSON. */
  readonly body: unknown
  /** The entity tag that the client sent. */
  readonly ifNoneMatch: string | undefined
  /** Whether bids and asks are swapped, if the upstream has sides. */
  readonly isInverted: boolean
}

/** A status and a body: JSON, or text if it is a string. */
export interface WireReply {
  readonly status: number
  readonly body: unknown
  readonly contentType?: string
  readonly etag?: string
  /** The time of its clock for the header `Date`, epoch milliseconds, if a client reads it. */
  readonly date?: number
}

export type Wire = (request: WireRequest) => WireReply

export const ok = (body: unknown): WireReply => ({ status: 200, body })

export const failed = (status: number, body: unknown): WireReply => ({ status, body })

/** A query parameter as a list; `undefined` if it is absent or empty. */
export const listOf = (query: URLSearchParams, name: string): ReadonlyArray<string> | undefined => {
  const text = query.get(name)
  return text === null || text === "" ? undefined : text.split(",").map((item) => item.trim())
}

/** A query parameter as a whole number within bounds, clamped as upstreams clamp. */
export const integerOf = (query: URLSearchParams, name: string, fallback: number, max: number): number => {
  const value = Number(query.get(name) ?? fallback)
  return Number.isInteger(value) && value >= 0 ? Math.min(value, max) : fallback
}

/** Text in lower case, with a hyphen for every other character than letters and digits. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")

export const significant = (value: number, digits: number): number => Number(value.toPrecision(digits))
