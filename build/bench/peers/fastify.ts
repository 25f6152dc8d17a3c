// Fastify with its own plugins, as its documentation has it: ajv for parameters, response schemas for fast JSON.
import compress from "@fastify/compress"
import cors from "@fastify/cors"
import etag from "@fastify/etag"
import rateLimit from "@fastify/rate-limit"
import Fastify, { type FastifyReply } from "fastify"
import * as Market from "./Market.ts"

const text = { type: "string" }
const number = { type: "number" }
const figure = { type: "number", nullable: true }
const optionalText = { ...text, nullable: true }
const object = (properties: Readonly<Record<string, object>>) => ({ type: "object", properties })
const array = (items: object) => ({ type: "array", items })
const envelope = (data: object) => ({
  response: { 200: object({ data, meta: object({ source: text, updated: text, tier: text }) }) }
})

const figures = (...names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, figure]))
const row = {
  id: text,
  symbol: text,
  name: text,
  ...figures("rank", "price", "market_cap", "volume_24h", "circulating_supply", "total_supply", "max_supply"),
  ...figures("change_1h", "change_24h", "change_7d"),
  updated: text
}
const detail = {
  ...row,
  ...figures("high_24h", "low_24h", "ath"),
  ath_date: optionalText,
  image: optionalText,
  platforms: { type: "object", nullable: true, additionalProperties: text },
  venues: { type: "array", nullable: true, items: text },
  dispersion: figure,
  ...figures("low", "high"),
  confidence: text,
  quotes: array(object({ source: text, kind: text, price: figure, updated: text })),
  source: text
}
const leg = object({ from: text, to: text, rate: number, source: text, updated: text, confidence: text })
const conversion = { from: text, to: text, amount: number, rate: number, result: number, legs: array(leg) }

const app = Fastify({ trustProxy: Market.TRUSTED_PROXIES, genReqId: Market.nextId, requestIdHeader: false })
app.addHook("onRequest", (request, reply, done) => {
  reply.headers({
    "x-content-type-options": "nosniff",
    vary: Market.file.headers["vary"],
    "x-request-id": request.id,
    "cache-control": "no-store"
  })
  done()
})
const exposedHeaders = Market.file.headers["access-control-expose-headers"] ?? ""
await app.register(cors, { origin: "*", exposedHeaders, methods: ["GET", "HEAD", "OPTIONS"] })
await app.register(rateLimit, {
  timeWindow: Market.WINDOW,
  cache: Market.MAX_CALLERS,
  keyGenerator: (request) => request.ip,
  max: Market.LIMIT,
  errorResponseBuilder: (_, { ttl }) => Object.assign(new Error(), Market.tooMany(Math.ceil(ttl / 1000)))
})
await app.register(etag, { weak: true })
await app.register(compress, { threshold: 1024, encodings: ["br", "gzip"] })

const refuse = (reply: FastifyReply, problem: Market.Problem) => {
  reply.code(problem.status).type("application/problem+json")
  return reply.send({ ...problem, instance: reply.request.id })
}
app.setErrorHandler((error: Market.Problem & { readonly validation?: unknown }, _, reply) => {
  refuse(reply, error.validation === undefined ? error : Market.file.invalid)
})
const notFound = (reply: FastifyReply) => refuse(reply.header("link", Market.file.documents), Market.file.notFound)
app.setNotFoundHandler({ preHandler: app.rateLimit() }, (_, reply) => notFound(reply))

const send = (reply: FastifyReply, answer: Market.Answer | undefined) =>
  answer === undefined ? notFound(reply) : reply.header("cache-control", Market.cacheControl()).send(answer)

const price = object({ id: text, symbol: text, fiat: text, price: number, change_24h: figure })
app.get<{ Params: { id: string; fiat: string } }>(
  "/v1/price/:id/:fiat",
  { schema: { params: object({ id: text, fiat: { ...text, pattern: "^[A-Za-z]{3}$" } }), ...envelope(price) } },
  ({ params: { fiat, id } }, reply) => send(reply, Market.prices.get(`${id.toLowerCase()}/${fiat.toUpperCase()}`))
)
app.get<{ Params: { id: string } }>(
  "/v1/coins/:id",
  { schema: envelope(object(detail)) },
  ({ params: { id } }, reply) => send(reply, Market.coins.get(id.toLowerCase()))
)
const page = object({ coins: array(object({ ...row, source: text })), page: number, limit: number })
const pageQuery = object({
  limit: { type: "integer", minimum: 1, maximum: 250, default: 100 },
  page: { type: "integer", minimum: 1, default: 1 }
})
app.get<{ Querystring: { limit: number; page: number } }>(
  "/v1/coins",
  { schema: { querystring: pageQuery, ...envelope(page) } },
  ({ query: { limit, page } }, reply) => {
    const { link, ...answer } = Market.pageOf(limit, page)
    return send(reply.header("link", link), answer)
  }
)
const amount = { ...text, pattern: String.raw`^\d{1,16}(\.\d{1,18})?$`, default: "1" }
const convertQuery = { ...object({ from: text, to: text, amount }), required: ["from", "to"] }
app.get<{ Querystring: { from: string; to: string; amount: string } }>(
  "/v1/convert",
  { schema: { querystring: convertQuery, ...envelope(object(conversion)) } },
  ({ query }, reply) => send(reply, Market.convert(query.from.toLowerCase(), query.to, Number(query.amount)))
)
await app.listen(Market.listening)
