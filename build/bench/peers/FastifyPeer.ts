// Fastify with its own plugins, as its documentation has it: ajv for parameters, response schemas for fast JSON.
import compress from "@fastify/compress"
import cors from "@fastify/cors"
import etag from "@fastify/etag"
import rateLimit from "@fastify/rate-limit"
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify"
import * as Contract from "./Contract.ts"
import * as Schemas from "./FastifySchemas.ts"
import { type Answer, fiats, linksOf } from "./Market.ts"

declare module "fastify" {
  interface FastifyRequest {
    caller: Contract.Caller
  }
}

class Refusal extends Error {
  readonly statusCode: number
  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

interface Failure extends Partial<Refusal> {
  readonly validation?: ReadonlyArray<{ readonly instancePath: string }>
}

const sendProblem = (reply: FastifyReply, body: ReturnType<typeof Contract.problem>) =>
  reply.code(body.status).type(Contract.PROBLEM).send(body)

const notFound = (code: "unknown_coin" | "unknown_asset", id: string, request: FastifyRequest, reply: FastifyReply) =>
  sendProblem(reply, Contract.problem(code, Contract.details[code](id), request.id))

/** The app, not listening yet. */
export const make = async ({ keys, market }: Contract.Given): Promise<FastifyInstance> => {
  const app = Fastify({ trustProxy: Contract.TRUSTED_PROXIES, genReqId: Contract.requestIds(), requestIdHeader: false })

  app.decorateRequest("caller")
  app.addHook("onRequest", (request, reply, done) => {
    const presented = request.headers["x-api-key"]
    request.caller = Contract.identify(keys, typeof presented === "string" ? presented : undefined, () => request.ip)
    reply.headers(Contract.constant).header("x-request-id", request.id).header("cache-control", "no-store")
    done()
  })
  app.addHook("preValidation", (request, _reply, done) => {
    done(request.caller.key === "unknown" ? new Refusal(401, Contract.details.invalid_api_key) : undefined)
  })

  await app.register(cors, { origin: "*", exposedHeaders: Contract.exposed, methods: ["GET", "HEAD", "OPTIONS"] })
  await app.register(rateLimit, {
    timeWindow: Contract.WINDOW,
    cache: Contract.MAX_CALLERS,
    keyGenerator: (request) => request.caller.id,
    max: (request) => request.caller.plan.limit,
    errorResponseBuilder: (_request, { max, ttl }) =>
      new Refusal(429, Contract.details.rate_limited(max, Math.ceil(ttl / 1000)))
  })
  await app.register(etag, { weak: true })
  await app.register(compress, { threshold: 1024, encodings: ["br", "gzip"] })

  app.setErrorHandler((error: Failure, request, reply) => {
    if (error.validation !== undefined) {
      const parameters = error.validation.map(({ instancePath }) => instancePath.slice(1))
      return sendProblem(reply, Contract.invalid(parameters, request.id))
    }
    const code = error.statusCode === 429 ? "rate_limited" : error.statusCode === 401 ? "invalid_api_key" : "internal"
    const detail = code === "internal" ? "Something went wrong on our side." : (error.message ?? "")
    return sendProblem(reply, Contract.problem(code, detail, request.id))
  })
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) =>
    sendProblem(
      reply.header("link", Contract.linked.link),
      Contract.problem("not_found", Contract.details.not_found, request.id)
    )
  )

  const send = (request: FastifyRequest, reply: FastifyReply, { data, source, updated }: Answer) => {
    const { key, plan } = request.caller
    reply.header("cache-control", Contract.cacheControl(key === "known", market.secondsLeft()))
    return reply.send({ data, meta: { source, updated, tier: plan.tier } })
  }

  app.get<{ Params: { id: string; fiat: string } }>(
    "/v1/price/:id/:fiat",
    { schema: { params: Schemas.priceParams(fiats), response: { 200: Schemas.price } } },
    (request, reply) => {
      const { fiat, id } = request.params
      const answer = market.price(id.toLowerCase(), fiat.toUpperCase())
      return answer === undefined ? notFound("unknown_coin", id, request, reply) : send(request, reply, answer)
    }
  )
  app.get<{ Params: { id: string } }>(
    "/v1/coins/:id",
    { schema: { response: { 200: Schemas.coin } } },
    (request, reply) => {
      const answer = market.coin(request.params.id.toLowerCase())
      return answer === undefined
        ? notFound("unknown_coin", request.params.id, request, reply)
        : send(request, reply, answer)
    }
  )
  app.get<{ Querystring: { limit: number; page: number } }>(
    "/v1/coins",
    { schema: { querystring: Schemas.pageQuery, response: { 200: Schemas.coins } } },
    (request, reply) => {
      const { limit, page } = request.query
      const answer = market.page(limit, page)
      reply.header("link", linksOf(limit, page, answer.more))
      return send(request, reply, answer)
    }
  )
  app.get<{ Querystring: { from: string; to: string; amount: string } }>(
    "/v1/convert",
    { schema: { querystring: Schemas.convertQuery, response: { 200: Schemas.conversion } } },
    (request, reply) => {
      const { amount, from, to } = request.query
      const answer = market.convert(from.toLowerCase(), to.toUpperCase(), Number(amount))
      return answer === undefined ? notFound("unknown_asset", from, request, reply) : send(request, reply, answer)
    }
  )

  return app
}

/** Serves on loopback. */
export const listen = async (given: Contract.Given, port: number): Promise<void> => {
  const app = await make(given)
  await app.listen({ host: "127.0.0.1", port })
}
