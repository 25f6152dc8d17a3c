// node:http alone, by hand, in two ways: one makes every body anew for its request, as one would write it first; the other keeps
// each body as bytes with its tag and its compressed forms, which is as fast as Node gets.
import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { BlockList } from "node:net"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import * as Contract from "./Contract.ts"
import { type Answer, fiats, linksOf } from "./Market.ts"

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const compressors = { br: (bytes: Buffer) => promisify(brotliCompress)(bytes, brotli), gzip: promisify(gzip) }

/** What is found for an address: an answer, or a problem yet without its instance. */
type Found =
  | { readonly _tag: "Answer"; readonly answer: Answer; readonly link?: string; readonly isKept: boolean }
  | { readonly _tag: "Problem"; readonly code: Contract.Code; readonly detail: string }
  | { readonly _tag: "Invalid"; readonly parameters: ReadonlyArray<string> }

const known: ReadonlySet<string> = new Set(fiats)
const amountShape = new RegExp(Contract.AMOUNT)

const found = (answer: Answer | undefined, code: "unknown_coin" | "unknown_asset", id: string, isKept = true): Found =>
  answer === undefined
    ? { _tag: "Problem", code, detail: Contract.details[code](id) }
    : { _tag: "Answer", answer, isKept }

const find = (market: Contract.Given["market"], url: string): Found => {
  const [path = "", query = ""] = url.split("?", 2)
  const [, version, what, id, fiat, more] = path.split("/")
  if (version === "v1" && more === undefined) {
    if (what === "price" && id !== undefined && fiat !== undefined) {
      if (!known.has(fiat.toUpperCase())) return { _tag: "Invalid", parameters: ["fiat"] }
      return found(market.price(id.toLowerCase(), fiat.toUpperCase()), "unknown_coin", id)
    }
    if (what === "coins" && fiat === undefined) {
      if (id !== undefined) return found(market.coin(id.toLowerCase()), "unknown_coin", id)
      const search = new URLSearchParams(query)
      const limit = Contract.whole(search.get("limit"), 100, 250)
      const page = Contract.whole(search.get("page"), 1, Number.MAX_SAFE_INTEGER)
      if (limit === undefined) return { _tag: "Invalid", parameters: ["limit"] }
      if (page === undefined) return { _tag: "Invalid", parameters: ["page"] }
      const answer = market.page(limit, page)
      return { _tag: "Answer", answer, link: linksOf(limit, page, answer.more), isKept: true }
    }
    if (what === "convert" && id === undefined) {
      const search = new URLSearchParams(query)
      const from = search.get("from") ?? ""
      const amount = search.get("amount") ?? "1"
      if (!amountShape.test(amount)) return { _tag: "Invalid", parameters: ["amount"] }
      const to = search.get("to")?.toUpperCase() ?? ""
      return found(market.convert(from.toLowerCase(), to, Number(amount)), "unknown_asset", from, false)
    }
  }
  return { _tag: "Problem", code: "not_found", detail: Contract.details.not_found }
}

/** A body and its tag; what it is compressed to. */
interface Encoded {
  readonly body: string | Buffer
  readonly length: number
  readonly tag: string
  readonly link: string | undefined
  readonly br?: Buffer
  readonly gzip?: Buffer
}

/** Text leaves in one write with the head; bytes are not encoded again. */
const TEXT_UP_TO = 4096

const encode = ({ data, source, updated }: Answer, tier: string, link: string | undefined): Encoded => {
  const text = JSON.stringify({ data, meta: { source, updated, tier } })
  const length = Buffer.byteLength(text)
  const body = length <= TEXT_UP_TO ? text : Buffer.from(text)
  return { body, length, tag: `W/"${createHash("sha1").update(body).digest("base64")}"`, link }
}

const encodingOf = (request: IncomingMessage, encoded: Encoded): "br" | "gzip" | undefined => {
  const accepted = request.headers["accept-encoding"]
  if (accepted === undefined || encoded.length <= 1024 || typeof accepted !== "string") return undefined
  return accepted.includes("br") ? "br" : accepted.includes("gzip") ? "gzip" : undefined
}

const trusted = new BlockList()
trusted.addSubnet("127.0.0.0", 8)

const addressOf = (request: IncomingMessage): string => {
  const peer = request.socket.remoteAddress ?? "unknown"
  const forwarded = request.headers["x-forwarded-for"]
  if (typeof forwarded !== "string" || !trusted.check(peer)) return peer
  const hops = forwarded.split(",").map((hop) => hop.trim())
  return hops.findLast((hop) => !trusted.check(hop)) ?? peer
}

/** Counts in windows; callers of the window before last are forgotten. */
const makeMemoryWindows = () => {
  let young = new Map<string, { count: number; ends: number }>()
  let old = young
  let turn = 0
  return (id: string, now: number) => {
    if (now >= turn || young.size >= Contract.MAX_CALLERS / 2) {
      old = young
      young = new Map()
      turn = now + Contract.WINDOW
    }
    const held = young.get(id) ?? old.get(id)
    if (held !== undefined && held.ends > now) {
      held.count++
      return held
    }
    const fresh = { count: 1, ends: now + Contract.WINDOW }
    young.set(id, fresh)
    return fresh
  }
}

const exposed = Contract.exposed.join(", ")

const makeHandler = ({ keys, market }: Contract.Given, isKeeping: boolean) => {
  const nextId = Contract.requestIds()
  const count = makeMemoryWindows()
  const kept: Record<string, Map<string, Encoded>> = { free: new Map(), developer: new Map(), business: new Map() }

  return (request: IncomingMessage, response: ServerResponse): void => {
    const { method, url = "/" } = request
    const presented = request.headers["x-api-key"]
    const caller = Contract.identify(keys, typeof presented === "string" ? presented : undefined, () =>
      addressOf(request)
    )
    const id = nextId()
    const now = Date.now()
    const window = count(caller.id, now)
    const { limit, tier } = caller.plan
    const headers: Record<string, string | number> = {
      "access-control-allow-origin": "*",
      "access-control-expose-headers": exposed,
      "x-content-type-options": "nosniff",
      "x-ratelimit-limit": limit,
      "x-ratelimit-remaining": Math.max(0, limit - window.count),
      "x-ratelimit-reset": Math.ceil(window.ends / 1000),
      "x-request-id": id,
      vary: "x-api-key, Accept-Encoding",
      "cache-control": "no-store"
    }
    const sendProblem = (body: ReturnType<typeof Contract.problem>) => {
      const text = JSON.stringify(body)
      headers["content-type"] = Contract.PROBLEM
      headers["content-length"] = Buffer.byteLength(text)
      response.writeHead(body.status, headers).end(method === "HEAD" ? undefined : text)
    }

    if (window.count > limit) {
      const seconds = Math.ceil((window.ends - now) / 1000)
      headers["retry-after"] = seconds
      return sendProblem(Contract.problem("rate_limited", Contract.details.rate_limited(limit, seconds), id))
    }
    if (caller.key === "unknown") {
      return sendProblem(Contract.problem("invalid_api_key", Contract.details.invalid_api_key, id))
    }
    const held = isKeeping ? kept[tier]?.get(url) : undefined
    let encoded: Encoded
    if (held !== undefined) encoded = held
    else {
      const what = find(market, url)
      if (what._tag === "Problem" && what.code === "not_found") response.setHeader("link", Contract.linked.link)
      if (what._tag === "Problem") return sendProblem(Contract.problem(what.code, what.detail, id))
      if (what._tag === "Invalid") return sendProblem(Contract.invalid(what.parameters, id))
      encoded = encode(what.answer, tier, what.link)
      if (isKeeping && what.isKept) kept[tier]?.set(url, encoded)
    }

    headers["cache-control"] = Contract.cacheControl(caller.key === "known", market.secondsLeft())
    headers["etag"] = encoded.tag
    if (encoded.link !== undefined) headers["link"] = encoded.link
    if (request.headers["if-none-match"] === encoded.tag) {
      response.writeHead(304, headers).end()
      return
    }
    const send = (body: string | Buffer, length: number) => {
      headers["content-type"] = "application/json"
      headers["content-length"] = length
      response.writeHead(200, headers).end(method === "HEAD" ? undefined : body)
    }
    const encoding = encodingOf(request, encoded)
    if (encoding === undefined) return send(encoded.body, encoded.length)
    headers["content-encoding"] = encoding
    const { [encoding]: compressed, body } = encoded
    if (compressed !== undefined) return send(compressed, compressed.length)
    void compressors[encoding](Buffer.from(body)).then((bytes) => {
      if (isKeeping) kept[tier]?.set(url, { ...encoded, [encoding]: bytes })
      send(bytes, bytes.length)
    })
  }
}

const listen = (given: Contract.Given, port: number, isKeeping: boolean): void => {
  createServer(makeHandler(given, isKeeping)).listen(port, "127.0.0.1")
}

/** Serves on loopback, each body made for its request. */
export const listenStringifying = (given: Contract.Given, port: number): void => listen(given, port, false)

/** Serves on loopback, bodies kept. */
export const listenEncoded = (given: Contract.Given, port: number): void => listen(given, port, true)
