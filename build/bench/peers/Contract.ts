// The parts of the contract that are plain values: plans, keys, headers, problems.
import { keySource } from "../../../src/api/Terms.ts"
import { type Market, make, type MarketFile } from "./Market.ts"

/** What a caller may do. */
export interface Plan {
  readonly tier: string
  readonly limit: number
}

/** Requests a minute. */
export const plans = {
  free: { tier: "free", limit: 60 },
  developer: { tier: "developer", limit: 600 },
  business: { tier: "business", limit: 3000 }
} as const satisfies Record<string, Plan>

/** Every quota is counted in windows of this many milliseconds. */
export const WINDOW = 60_000

/** Callers that are remembered at most. */
export const MAX_CALLERS = 100_000

/** The network whose `X-Forwarded-For` counts. */
export const TRUSTED_PROXIES = "127.0.0.0/8"

/** What the harness writes. */
export interface PeerFile {
  readonly market: MarketFile
  readonly keys: Readonly<Record<string, keyof typeof plans>>
}

/** What a peer serves. */
export interface Given {
  readonly market: Market
  readonly keys: ReadonlyMap<string, Plan>
}

/** What a peer serves, from what the harness wrote. */
export const givenBy = (file: PeerFile): Given => ({
  market: make(file.market),
  keys: new Map(Object.entries(file.keys).map(([key, plan]) => [key, plans[plan]]))
})

/** A caller; one with an unknown key is counted by address. */
export interface Caller {
  readonly id: string
  readonly plan: Plan
  readonly key: "none" | "known" | "unknown"
}

/** Who is calling, by what stands in `x-api-key`, or else by address. */
export const identify = (
  keys: ReadonlyMap<string, Plan>,
  presented: string | undefined,
  address: () => string
): Caller => {
  if (presented === undefined) return { id: address(), plan: plans.free, key: "none" }
  const plan = keys.get(presented)
  return plan === undefined
    ? { id: address(), plan: plans.free, key: "unknown" }
    : { id: presented, plan, key: "known" }
}

/** Ids of requests: unique among the processes, then counted. */
export const requestIds = (): (() => string) => {
  const start = Math.floor(Math.random() * 0xffffffff).toString(16)
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}

/** Headers a page of another origin may read. */
export const exposed = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "ETag",
  "Link",
  "Retry-After",
  "X-Request-Id",
  "X-Source",
  "X-Updated"
]

/** What depends on nothing. */
export const constant = { "x-content-type-options": "nosniff", vary: "x-api-key, Accept-Encoding" }

/** How long an answer may be kept, and by whom. */
export const cacheControl = (hasKey: boolean, secondsLeft: number): string =>
  `${hasKey ? "private" : "public"}, max-age=${secondsLeft}, stale-while-revalidate=60, stale-if-error=3600`

/** Where a body is a problem. */
export const PROBLEM = "application/problem+json"

const titles = {
  invalid_parameter: [400, "Invalid parameter"],
  invalid_api_key: [401, "Invalid API key"],
  unknown_coin: [404, "Unknown coin"],
  unknown_asset: [404, "Unknown coin or fiat"],
  not_found: [404, "Not found"],
  rate_limited: [429, "Too many requests"],
  internal: [500, "Internal error"]
} as const

/** What may go wrong. */
export type Code = keyof typeof titles

/** What is wrong with one parameter. */
export interface Fault {
  readonly parameter: string
  readonly detail: string
}

/** A problem's body. */
export const problem = (code: Code, detail: string, instance: string, errors?: ReadonlyArray<Fault>) => {
  const [status, title] = titles[code]
  return { type: `/problems/${code}`, title, status, detail, code, instance, ...(errors && { errors }) }
}

/** What a parameter must be, for the error that says so. */
export const rules: Readonly<Record<string, string>> = {
  limit: "a whole number from 1 to 250",
  page: "a whole number from 1",
  fiat: "one of usd, ngn, eur, gbp, inr, zar, aed, cad, jpy",
  amount: "a plain decimal above 0 and up to 1000000000000000 with at most 18 decimals, such as 0.25"
}

/** What an amount looks like. */
export const AMOUNT = String.raw`^\d{1,16}(\.\d{1,18})?$`

/** A whole number from 1, for those who validate by hand. */
export const whole = (text: unknown, fallback: number, most: number): number | undefined => {
  if (text === undefined || text === null) return fallback
  const number = typeof text === "string" && /^\d{1,16}$/.test(text) ? Number(text) : 0
  return number >= 1 && number <= most ? number : undefined
}

/** The problem of parameters that break their rules. */
export const invalid = (parameters: ReadonlyArray<string>, instance: string) => {
  const errors = parameters.map((parameter) => ({ parameter, detail: `must be ${rules[parameter] ?? "given"}` }))
  return problem(
    "invalid_parameter",
    errors.map(({ detail, parameter }) => `${parameter} ${detail}`).join("; "),
    instance,
    errors
  )
}

/** Where the documents are: the header of what is not found. */
export { linked } from "../../../src/http/response/Headers.ts"

/** The details of problems that are no parameter's. */
export const details = {
  not_found: "No such path. The paths that exist are listed in /openapi.json.",
  invalid_api_key: `The key in x-api-key is unknown. ${keySource(null)}`,
  unknown_coin: (id: string) => `No coin has the id "${id}".`,
  unknown_asset: (id: string) => `"${id}" is neither a coin's id nor a fiat's code.`,
  rate_limited: (limit: number, seconds: number) =>
    `All ${limit} requests of this minute are used. Ask again in ${seconds} s. ${keySource(null)}`
}
