// Requests that Node would answer by itself or not at all: each gets the rate headers and a problem body, and counts
// one request.
import { NodeHttpServer } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import * as Net from "node:net"
import { ApiKeys } from "../../src/access/ApiKeys.ts"
import { RateLimiter } from "../../src/access/RateLimiter.ts"
import { Gate } from "../../src/http/gate/Gate.ts"
import { GateMiddleware } from "../../src/http/gate/GateMiddleware.ts"
import * as Listener from "../../src/node/Listener.ts"
import * as ProtocolErrors from "../../src/node/ProtocolErrors.ts"
import { Lifecycle } from "../../src/services/Lifecycle.ts"
import { rulesIn } from "../rulesOf.ts"

/** A server behind the gate with the options of the real one, but shorter timeouts. */
class Listening extends Context.Service<
  Listening,
  {
    readonly port: number
    /** The number of open connections. */
    readonly connections: Effect.Effect<number>
    /** The number of connections accepted so far. */
    readonly accepted: () => number
    /** The number of writes to connections so far. */
    readonly written: () => number
  }
>()("test/Listening") {
  static readonly layerWith = (limit: number, requestTimeout = 300, silence?: number) =>
    Layer.suspend(() => {
      const limits = { headersTimeout: 300, requestTimeout, connectionsCheckingInterval: 100 }
      const server = ProtocolErrors.makeServer(limits)
      server.timeout = silence ?? server.timeout
      let accepted = 0
      let written = 0
      server.on("connection", (socket) => {
        accepted++
        socket.write = new Proxy(socket.write, {
          apply: (write, connection, chunk) => {
            written++
            return Reflect.apply(write, connection, chunk)
          }
        })
      })
      const routes = Layer.mergeAll(
        HttpRouter.add("GET", "/", HttpServerResponse.text("here")),
        HttpRouter.add("GET", "/llms.txt", HttpServerResponse.text("here")),
        HttpRouter.add("POST", "/read", ({ text }) => Effect.map(Effect.orDie(text), HttpServerResponse.text)),
        HttpRouter.add("GET", "/slow", Effect.delay(Effect.succeed(HttpServerResponse.text("slow")), "200 millis"))
      ).pipe(Layer.provide(GateMiddleware))
      const limiter = Layer.effect(
        RateLimiter,
        Effect.map(RateLimiter, (inner) =>
          RateLimiter.of({
            ...inner,
            consume: (key, plan) => inner.consume(key, { ...plan, limit }),
            count: (key, plan, ...rest) => inner.count(key, { ...plan, limit }, ...rest)
          })
        )
      ).pipe(Layer.provide(RateLimiter.layerMemory()))
      return Layer.effect(
        Listening,
        Effect.map(HttpServer.HttpServer, ({ address }) => ({
          port: "port" in address ? address.port : 0,
          accepted: () => accepted,
          written: () => written,
          connections: Effect.callback<number>((resume) => {
            server.getConnections((_, count) => resume(Effect.succeed(count)))
          })
        }))
      ).pipe(
        Layer.merge(HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true })),
        Layer.provide(
          Layer.merge(
            Layer.merge(Listener.layer(server, { host: "127.0.0.1", port: 0 }), NodeHttpServer.layerHttpServices),
            ProtocolErrors.layer(server)
          )
        ),
        Layer.provide([Gate.layer, Lifecycle.layer]),
        Layer.provide(limiter),
        Layer.provide(
          ApiKeys.layerTest({
            authenticate: () => Effect.succeed({ _tag: "Refused", reason: "unknown" }),
            known: () => undefined
          })
        )
      )
    })

  static readonly layer = this.layerWith(10_000)
}

/** Writes the parts 50 ms apart and reads until the server closes the connection, which it always does. */
const say = (...parts: ReadonlyArray<string>) =>
  Effect.flatMap(Listening, ({ port }) =>
    Effect.callback<string>((resume) => {
      let text = ""
      const socket = Net.connect(port, "127.0.0.1", () => {
        for (const [n, part] of parts.entries()) setTimeout(() => socket.write(part), n * 50)
      })
      socket.on("data", (chunk: Buffer) => (text += chunk.toString()))
      socket.on("error", () => {})
      socket.on("close", () => resume(Effect.succeed(text)))
    })
  )

/** Parses consecutive responses. */
const responsesIn = (text: string) => {
  const responses: Array<{ status: number; headers: Record<string, string>; body: string }> = []
  for (let rest = text; rest !== "";) {
    const [head = "", ...bodies] = rest.split("\r\n\r\n")
    const [line = "", ...fields] = head.split("\r\n")
    const headers = Object.fromEntries(
      fields.map((field) => [field.slice(0, field.indexOf(":")).toLowerCase(), field.slice(field.indexOf(":") + 2)])
    )
    const length = Number(headers["content-length"] ?? 0)
    const after = bodies.join("\r\n\r\n")
    responses.push({ status: Number(line.split(" ")[1]), headers, body: after.slice(0, length) })
    rest = after.slice(length)
  }
  return responses
}

type Response = ReturnType<typeof responsesIn>[number]

const assertRated = ({ headers }: Response, what: string) => {
  assert.match(headers["x-ratelimit-limit"] ?? "", /^\d+$/, what)
  assert.match(headers["x-ratelimit-remaining"] ?? "", /^\d+$/, what)
  assert.match(headers["x-ratelimit-reset"] ?? "", /^\d{10}$/, what)
  assert.strictEqual(headers["access-control-allow-origin"], "*", what)
  assert.include(headers["access-control-expose-headers"], "X-RateLimit-Reset", what)
  assert.match(headers["x-request-id"] ?? "", /^\S+$/, what)
  assert.match(headers["date"] ?? "", / GMT$/, what)
}

const assertProblem = (response: Response, status: number, code: string, what: string) => {
  assertRated(response, what)
  assert.strictEqual(response.status, status, what)
  assert.strictEqual(response.headers["content-type"], "application/problem+json", what)
  assert.strictEqual(response.headers["cache-control"], "no-store", what)
  const problem: unknown = JSON.parse(response.body)
  assert.deepInclude(problem, { type: `/problems/${code}`, status, code, instance: response.headers["x-request-id"] })
}

rulesIn(Listening.layer, { excludeTestServices: true })("a protocol error", (rule, it) => {
  const GET = "GET / HTTP/1.1\r\nHost: x\r\n"
  const POST = "POST /read HTTP/1.1\r\nHost: x\r\n"
  const broken: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "400 malformed_request": {
      "a malformed request line": "NONSENSE\r\n\r\n",
      "a TLS handshake": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello",
      "HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "a target that is no path": "GET nope HTTP/1.1\r\nHost: x\r\n\r\n",
      "an unknown method": "FETCH / HTTP/1.1\r\nHost: x\r\n\r\n",
      "a header without a name": `${GET}: nothing\r\n\r\n`,
      "a line break in a header": `${GET}a: b\rc\r\n\r\n`,
      "two lengths": `${GET}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      "a length and chunks": `${GET}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      "two hosts": `${GET}Host: y\r\n\r\n`,
      "the same host twice": `${GET}HOST: x\r\n\r\n`,
      "two keys in one header": `${GET}Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`,
      "chunks in HTTP/1.0": "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "a malformed chunk": `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`
    },
    "431 headers_too_large": {
      "an oversize header": `${GET}x: ${"a".repeat(66_000)}\r\n\r\n`,
      "a header of a megabyte": `${GET}x: ${"a".repeat(1_000_000)}\r\n\r\n`,
      "an oversize path": `GET /${"a".repeat(66_000)} HTTP/1.1\r\nHost: x\r\n\r\n`
    },
    "408 request_timeout": {
      "a request line that never ends": "GET /",
      "headers that never end": GET,
      "a body that never ends": `${POST}Content-Length: 9\r\n\r\n{`
    },
    "405 method_not_allowed": { "a tunnel": "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n" }
  }
  for (const [problem, texts] of Object.entries(broken)) {
    const [status, code = ""] = problem.split(" ")
    for (const [what, text] of Object.entries(texts)) {
      rule(`${what} is a ${status} with the rate headers, and the connection is closed`, function* () {
        const [response, ...others] = responsesIn(yield* say(text))
        assert.deepStrictEqual(others, [])
        if (response === undefined) return assert.fail("no response")
        assertProblem(response, Number(status), code, what)
        assert.strictEqual(response.headers["connection"], "close")
        if (status === "405") assert.strictEqual(response.headers["allow"], "GET, HEAD, OPTIONS")
      })
    }
  }

  rule("counts one request", function* () {
    const remaining = Effect.map(say(`${GET}Connection: close\r\n\r\n`), (text) =>
      Number(responsesIn(text)[0]?.headers["x-ratelimit-remaining"])
    )
    const before = yield* remaining
    yield* say("NONSENSE\r\n\r\n")
    assert.strictEqual(yield* remaining, before - 2)
    // After the last request of a connection nothing is read.
    yield* say(`${GET}Connection: close\r\n\r\nNONSENSE\r\n\r\n`)
    assert.strictEqual(yield* remaining, before - 4)
  })

  it.effect("is a 429 after the quota is used up, like any other request", () =>
    Effect.gen(function* () {
      assert.strictEqual(responsesIn(yield* say("NONSENSE\r\n\r\n"))[0]?.status, 400)
      const [response] = responsesIn(yield* say("NONSENSE\r\n\r\n"))
      if (response === undefined) return assert.fail("no response")
      assertProblem(response, 429, "rate_limited", "over the limit")
      assert.match(response.headers["retry-after"] ?? "", /^\d+$/)
    }).pipe(Effect.provide(Layer.fresh(Listening.layerWith(1))))
  )

  rule("is answered after the response to an earlier request on its connection", function* () {
    const slow = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"
    for (const parts of [[`${slow}NONSENSE\r\n\r\n`], [slow, "NONSENSE\r\n\r\n"]]) {
      const [first, second, ...rest] = responsesIn(yield* say(...parts))
      assert.deepStrictEqual([first?.status, first?.body, rest], [200, "slow", []])
      if (second === undefined) return assert.fail("no second response")
      assertProblem(second, 400, "malformed_request", "pipelined")
    }
  })

  rule("closes its connection a second later, even if the client sends more and never closes its side", function* () {
    const { accepted, connections, port } = yield* Listening
    const [before, began] = [accepted(), yield* Clock.currentTimeMillis]
    const sockets = yield* Effect.forEach(Array.from({ length: 50 }), () =>
      Effect.sync(() => {
        const socket = Net.connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => {
          socket.write("NONSENSE\r\n\r\n")
        })
        socket.on("end", () => socket.write("more"))
        return socket.on("error", () => {}).resume()
      })
    )
    yield* Effect.andThen(Effect.sleep("20 millis"), connections).pipe(
      Effect.repeat({ until: (count) => accepted() - before === 50 && count === 0 })
    )
    assert.isAtLeast((yield* Clock.currentTimeMillis) - began, 990)
    for (const socket of sockets) socket.destroy()
  })
})

rulesIn(Listening.layer, { excludeTestServices: true })("an unusual request", (rule) => {
  const GET = "GET / HTTP/1.1\r\nHost: x\r\n"
  const end = "Connection: close\r\n\r\n"
  const odd: Readonly<Record<string, string>> = {
    "HTTP/1.0": "GET / HTTP/1.0\r\n\r\n",
    "HTTP/1.1 without Host": `GET / HTTP/1.1\r\n${end}`,
    "an unknown expectation": `${GET}Expect: x\r\n${end}`,
    "an upgrade to WebSocket": `${GET}Upgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n`,
    "an upgrade to HTTP/2 with chunks": `${GET}Upgrade: h2c\r\nConnection: Upgrade, close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    "a whole URL": `GET http://x/ HTTP/1.1\r\nHost: x\r\n${end}`,
    "1,500 headers": `GET / HTTP/1.1\r\n${"a:\r\n".repeat(1500)}${end}`,
    "an asterisk": `OPTIONS * HTTP/1.1\r\nHost: x\r\n${end}`,
    "HTTP/0.9": "GET /\r\n\r\n"
  }
  for (const [what, text] of Object.entries(odd)) {
    rule(`${what} is answered like any other`, function* () {
      const [response, ...rest] = responsesIn(yield* say(text))
      if (response === undefined) return assert.fail("no response")
      assert.deepStrictEqual([response.status, rest], [what === "an asterisk" ? 204 : 200, []])
      assertRated(response, what)
    })
  }

  rule("is answered from the cache with its head and body in one write", function* () {
    const { written } = yield* Listening
    const asked = say(`GET /llms.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    // An answer is cached from the second request on.
    yield* Effect.andThen(asked, asked)
    const before = written()
    const [response] = responsesIn(yield* asked)
    assert.deepStrictEqual([response?.status, response?.body], [200, "here"])
    assert.strictEqual(written() - before, 1)
  })

  rule("Expect: 100-continue is granted", function* () {
    const text = yield* say(
      "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n",
      "ok"
    )
    const [response] = responsesIn(text.replace("HTTP/1.1 100 Continue\r\n\r\n", ""))
    if (response === undefined) return assert.fail("no response")
    assert.strictEqual(response.status, 405)
    assertRated(response, "100-continue")
  })
})

rulesIn(Listening.layerWith(10_000, 60_000, 200), { excludeTestServices: true })("a silent client", (rule) => {
  rule("in the midst of its body gets a 408, whatever the framing; one without a request gets nothing", function* () {
    const post = "POST /read HTTP/1.1\r\nHost: x\r\n"
    for (const body of ["Content-Length: 9\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n5\r\n{"]) {
      const [response] = responsesIn(yield* say(post + body))
      assert(response !== undefined)
      assertProblem(response, 408, "request_timeout", body)
    }
    assert.strictEqual(yield* say(""), "")
  })
})
