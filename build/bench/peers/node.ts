// `node:http` by hand, without compression. Each body is kept as bytes with its tag, which is about as fast as Node gets.
import { createHash } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import { BlockList } from "node:net"
import * as Market from "./Market.ts"

const whole = (text: string, most: number): number | undefined =>
  /^\d{1,16}$/.test(text) && Number(text) >= 1 && Number(text) <= most ? Number(text) : undefined

const { documents, headers: given, invalid, notFound } = Market.file

const find = (url: string): (Market.Answer | Market.Problem) & { readonly link?: string } => {
  const [path = "", query = ""] = url.split("?", 2)
  const [, version, what, id = "", fiat = ""] = path.split("/")
  const search = new URLSearchParams(query)
  const answered = (answer: Market.Answer | undefined) => answer ?? { ...notFound, link: documents }
  if (version !== "v1") return answered(undefined)
  if (what === "price") return answered(Market.prices.get(`${id.toLowerCase()}/${fiat.toUpperCase()}`))
  if (what === "coins" && id !== "") return answered(Market.coins.get(id.toLowerCase()))
  if (what === "coins") {
    const limit = whole(search.get("limit") ?? "100", 250)
    const page = whole(search.get("page") ?? "1", Number.MAX_SAFE_INTEGER)
    return limit === undefined || page === undefined ? invalid : Market.pageOf(limit, page)
  }
  if (what !== "convert") return answered(undefined)
  const amount = search.get("amount") ?? "1"
  if (!/^\d{1,16}(\.\d{1,18})?$/.test(amount)) return invalid
  return answered(Market.convert(search.get("from")?.toLowerCase() ?? "", search.get("to") ?? "", Number(amount)))
}

const trusted = new BlockList()
trusted.addSubnet("127.0.0.0", 8)

const addressOf = ({ headers, socket: { remoteAddress = "" } }: IncomingMessage): string => {
  const forwarded = headers["x-forwarded-for"]
  if (typeof forwarded !== "string" || !trusted.check(remoteAddress)) return remoteAddress
  return forwarded.split(",").findLast((hop) => !trusted.check(hop.trim())) ?? remoteAddress
}

let windows = new Map<string, { count: number; ends: number }>()

const count = (id: string, now: number) => {
  if (windows.size >= Market.MAX_CALLERS) windows = new Map()
  let window = windows.get(id)
  if (window === undefined || window.ends <= now) windows.set(id, (window = { count: 0, ends: now + Market.WINDOW }))
  window.count++
  return window
}

const kept = new Map<string, { readonly body: Buffer; readonly tag: string; readonly link: string | undefined }>()

createServer((request, response) => {
  const { url = "/" } = request
  const id = Market.nextId()
  const now = Date.now()
  const window = count(addressOf(request), now)
  const headers: Record<string, string | number | undefined> = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": given["access-control-expose-headers"],
    "x-content-type-options": "nosniff",
    "x-ratelimit-limit": Market.LIMIT,
    "x-ratelimit-remaining": Math.max(0, Market.LIMIT - window.count),
    "x-ratelimit-reset": Math.ceil(window.ends / 1000),
    "x-request-id": id,
    vary: given["vary"]
  }
  const send = (status: number, type: string, body: string | Buffer) => {
    const own = { "content-type": type, "content-length": Buffer.byteLength(body) }
    response.writeHead(status, { ...headers, ...own }).end(body)
  }
  const refuse = (problem: Market.Problem) => {
    headers["cache-control"] = "no-store"
    send(problem.status, "application/problem+json", JSON.stringify({ ...problem, instance: id }))
  }
  if (window.count > Market.LIMIT) {
    const seconds = Math.ceil((window.ends - now) / 1000)
    headers["retry-after"] = seconds
    return refuse(Market.tooMany(seconds))
  }
  let answer = kept.get(url)
  if (answer === undefined) {
    const { link, ...found } = find(url)
    if (link !== undefined) headers["link"] = link
    if ("status" in found) return refuse(found)
    const body = Buffer.from(JSON.stringify(found))
    answer = { body, tag: `W/"${createHash("sha1").update(body).digest("base64")}"`, link }
    // Amounts make addresses without end.
    if (kept.size < 10_000) kept.set(url, answer)
  }
  headers["cache-control"] = Market.cacheControl()
  headers["etag"] = answer.tag
  if (answer.link !== undefined) headers["link"] = answer.link
  if (request.headers["if-none-match"] === answer.tag) return void response.writeHead(304, headers).end()
  send(200, "application/json", answer.body)
}).listen(Market.listening)
