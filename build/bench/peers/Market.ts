// What both peers serve: values and problems as the service answered them. Lookups, parameters and headers are each peer's own work.
import { readFileSync } from "node:fs"
import Process from "node:process"

/** Whose `X-Forwarded-For` counts, requests a minute of an address, and addresses counted at once. */
export const [TRUSTED_PROXIES, LIMIT, WINDOW, MAX_CALLERS] = ["127.0.0.0/8", 60, 60_000, 100_000] as const

/** The body of a 200 under `/v1`. */
export interface Answer<A = object> {
  readonly data: A
  readonly meta: object
}

/** A problem, with the instance of another request. */
export interface Problem {
  readonly status: number
  readonly detail: string
}

/** What the service answered about bitcoin, its dollar and its naira, and the list of all coins. */
export interface MarketFile {
  readonly price: Answer
  readonly coin: Answer
  readonly list: Answer<{ readonly coins: ReadonlyArray<object> }>
  readonly conversion: Answer<{ readonly rate: number; readonly legs: ReadonlyArray<object> }>
  /** Of a price. */
  readonly headers: Readonly<Record<string, string>>
  /** The `Link` of a 404. */
  readonly documents: string
  readonly notFound: Problem
  readonly invalid: Problem
  readonly tooMany: Problem
}

const [, , path = "", port] = Process.argv
export const file: MarketFile = JSON.parse(readFileSync(path, "utf8"))
export const listening = { host: "127.0.0.1", port: Number(port) }

export const prices = new Map([["bitcoin/USD", file.price]])
export const coins = new Map([["bitcoin", file.coin]])
const conversions = new Map([["bitcoin/NGN", file.conversion]])

export const pageOf = (limit: number, page: number): Answer & { readonly link: string } => {
  const link = (to: number, rel: string) => `</v1/coins?limit=${limit}&page=${to}>; rel="${rel}"`
  const shown = file.list.data.coins.slice((page - 1) * limit, page * limit)
  const links = `${link(1, "first")}, ${link(page + 1, "next")}`
  return { data: { coins: shown, page, limit }, meta: file.list.meta, link: links }
}

/** Doubles are right to 12 digits, which is what a rate of several legs has. */
export const convert = (from: string, code: string, amount: number): Answer | undefined => {
  const to = code.toUpperCase()
  const found = conversions.get(`${from}/${to}`)
  if (found === undefined) return undefined
  const { legs, rate } = found.data
  return { data: { from, to, amount, rate, result: Number((amount * rate).toPrecision(12)), legs }, meta: found.meta }
}

const [beforeAge, afterAge] = (file.headers["cache-control"] ?? "").split(/(?<=max-age=)\d+/)

/** Counts down to a refresh once a minute, as the service's does. */
export const cacheControl = (): string => `${beforeAge}${60 - (Math.floor(Date.now() / 1000) % 60)}${afterAge}`

export const tooMany = (seconds: number): Problem => ({
  ...file.tooMany,
  detail: file.tooMany.detail.replace(/\d+ s/, `${seconds} s`)
})

const start = Math.floor(Math.random() * 0xffffffff).toString(16)
let count = 0
export const nextId = (): string => `${start}-${(count++).toString(36)}`
