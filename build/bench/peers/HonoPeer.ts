// Hono on its Node server, with its own middleware for everything that it has one for.
import { getConnInfo } from "@hono/node-server/conninfo"
import { serve } from "@hono/node-server"
import { type Context, Hono } from "hono"
import { compress } from "hono/compress"
import { cors } from "hono/cors"
import { etag, RETAINED_304_HEADERS } from "hono/etag"
import { requestId } from "hono/request-id"
import { validator } from "hono/validator"
import { rateLimiter } from "hono-rate-limiter"
import { BlockList } from "node:net"
import * as Contract from "./Contract.ts"
import { type Answer, fiats, linksOf } from "./Market.ts"

interface Env {
  Variables: {
    caller: Contract.Caller
    requestId: string
    rateLimit: { readonly limit: number; readonly remaining: number; readonly resetTime?: Date }
  }
}

const trusted = new BlockList()
trusted.addSubnet("127.0.0.0", 8)

const addressOf = (c: Context<Env>): string => {
  const peer = getConnInfo(c).remote.address ?? "unknown"
  const forwarded = c.req.header("x-forwarded-for")
  if (forwarded === undefined || !trusted.check(peer)) return peer
  const hops = forwarded.split(",").map((hop) => hop.trim())
  return hops.findLast((hop) => !trusted.check(hop)) ?? peer
}

const problem = (c: Context<Env>, body: ReturnType<typeof Contract.problem>) =>
  c.body(JSON.stringify(body), { status: body.status, headers: { "content-type": Contract.PROBLEM } })

const secondsTo = (time: Date | undefined): number =>
  Math.max(1, Math.ceil(((time?.getTime() ?? 0) - Date.now()) / 1000))

const rateHeaders = (c: Context<Env>): void => {
  const { limit, remaining, resetTime } = c.get("rateLimit")
  c.header("x-ratelimit-limit", String(limit))
  c.header("x-ratelimit-remaining", String(remaining))
  c.header("x-ratelimit-reset", String(Math.ceil((resetTime?.getTime() ?? 0) / 1000)))
}

const notFound = (c: Context<Env>, code: "unknown_coin" | "unknown_asset", id: string) =>
  problem(c, Contract.problem(code, Contract.details[code](id), c.get("requestId")))

const known: ReadonlySet<string> = new Set(fiats)
const amountShape = new RegExp(Contract.AMOUNT)

/** Serves on loopback. */
export const listen = ({ keys, market }: Contract.Given, port: number): void => {
  const app = new Hono<Env>()
  app.use(requestId({ headerName: "X-Request-Id", generator: Contract.requestIds() }))
  app.use(cors({ origin: "*", exposeHeaders: Contract.exposed, allowMethods: ["GET", "HEAD", "OPTIONS"] }))
  app.use(async (c, next) => {
    c.set(
      "caller",
      Contract.identify(keys, c.req.header("x-api-key"), () => addressOf(c))
    )
    for (const [name, value] of Object.entries(Contract.constant)) c.header(name, value)
    c.header("cache-control", "no-store")
    await next()
  })
  app.use(
    rateLimiter<Env>({
      windowMs: Contract.WINDOW,
      limit: (c) => c.get("caller").plan.limit,
      keyGenerator: (c) => c.get("caller").id,
      standardHeaders: false,
      handler: (c) => {
        rateHeaders(c)
        const { limit, resetTime } = c.get("rateLimit")
        const seconds = secondsTo(resetTime)
        c.header("retry-after", String(seconds))
        return problem(
          c,
          Contract.problem("rate_limited", Contract.details.rate_limited(limit, seconds), c.get("requestId"))
        )
      }
    })
  )
  app.use(async (c, next) => {
    rateHeaders(c)
    if (c.get("caller").key !== "unknown") return next()
    return problem(c, Contract.problem("invalid_api_key", Contract.details.invalid_api_key, c.get("requestId")))
  })
  app.use(compress({ threshold: 1024 }))
  app.use(
    etag({
      weak: true,
      retainedHeaders: [
        ...RETAINED_304_HEADERS,
        ...Contract.exposed,
        "access-control-allow-origin",
        "access-control-expose-headers",
        "x-content-type-options"
      ]
    })
  )

  const send = (c: Context<Env>, { data, source, updated }: Answer) => {
    const { key, plan } = c.get("caller")
    c.header("cache-control", Contract.cacheControl(key === "known", market.secondsLeft()))
    return c.json({ data, meta: { source, updated, tier: plan.tier } })
  }

  app.get(
    "/v1/price/:id/:fiat",
    validator("param", (params, c) =>
      known.has(params["fiat"]?.toUpperCase() ?? "")
        ? params
        : problem(c, Contract.invalid(["fiat"], c.get("requestId")))
    ),
    (c) => {
      const { fiat, id } = c.req.param()
      const answer = market.price(id.toLowerCase(), fiat.toUpperCase())
      return answer === undefined ? notFound(c, "unknown_coin", id) : send(c, answer)
    }
  )
  app.get("/v1/coins/:id", (c) => {
    const { id } = c.req.param()
    const answer = market.coin(id.toLowerCase())
    return answer === undefined ? notFound(c, "unknown_coin", id) : send(c, answer)
  })
  app.get(
    "/v1/coins",
    validator("query", (query, c) => {
      const limit = Contract.whole(query["limit"], 100, 250)
      const page = Contract.whole(query["page"], 1, Number.MAX_SAFE_INTEGER)
      if (limit !== undefined && page !== undefined) return { limit, page }
      const wrong = [...(limit === undefined ? ["limit"] : []), ...(page === undefined ? ["page"] : [])]
      return problem(c, Contract.invalid(wrong, c.get("requestId")))
    }),
    (c) => {
      const { limit, page } = c.req.valid("query")
      const answer = market.page(limit, page)
      c.header("link", linksOf(limit, page, answer.more))
      return send(c, answer)
    }
  )
  app.get(
    "/v1/convert",
    validator("query", ({ amount = "1", from, to }, c) =>
      typeof amount === "string" && amountShape.test(amount) && typeof from === "string" && typeof to === "string"
        ? { amount: Number(amount), from, to }
        : problem(c, Contract.invalid(["amount"], c.get("requestId")))
    ),
    (c) => {
      const { amount, from, to } = c.req.valid("query")
      const answer = market.convert(from.toLowerCase(), to.toUpperCase(), amount)
      return answer === undefined ? notFound(c, "unknown_asset", from) : send(c, answer)
    }
  )
  app.notFound((c) => {
    c.header("link", Contract.linked.link)
    return problem(c as Context<Env>, Contract.problem("not_found", Contract.details.not_found, c.get("requestId")))
  })

  serve({ fetch: app.fetch, hostname: "127.0.0.1", port })
}
