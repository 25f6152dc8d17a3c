// What is sent without a fiber is what the gate sends: the same requests go to a server that answers directly and to one that
// does not.
import { NodeHttpServer } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { BigDecimal, Context, Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { IpNetwork } from "effect/net"
import * as Http from "node:http"
import { ApiKeys } from "../../src/access/ApiKeys.ts"
import { keyed } from "../../src/access/Plan.ts"
import { RateLimiter } from "../../src/access/RateLimiter.ts"
import { makeMemoryWindows, WindowStore } from "../../src/access/WindowStore.ts"
import { Cacheable, IsCached } from "../../src/api/Cacheable.ts"
import { Amount } from "../../src/api/Parameters.ts"
import { Caller } from "../../src/api/Caller.ts"
import { Validation } from "../../src/api/Validation.ts"
import { plainDecimal } from "../../src/domain/Decimal.ts"
import { Gate } from "../../src/http/gate/Gate.ts"
import { TrustedProxies } from "../../src/http/gate/Identity.ts"
import { ValidationLayer } from "../../src/http/gate/ValidationLayer.ts"
import * as AmountAnswers from "../../src/http/response/AmountAnswers.ts"
import { SyncHandlers } from "../../src/http/response/SyncHandlers.ts"
import { CacheableLayer } from "../../src/http/response/CacheableLayer.ts"
import { UnknownPath } from "../../src/http/UnknownPath.ts"
import * as DirectServer from "../../src/node/DirectServer.ts"
import * as ProtocolErrors from "../../src/node/ProtocolErrors.ts"
import { notCacheable, read, VersionedRef } from "../../src/services/refresh/Dependencies.ts"

const Told = Schema.Struct({
  data: Schema.Struct({ n: Schema.Int, padding: Schema.String }),
  meta: Schema.Struct({ tier: Schema.String })
})

class Group extends HttpApiGroup.make("group").add(
  HttpApiEndpoint.get("short", "/short", { success: Told }).annotate(IsCached, true),
  HttpApiEndpoint.get("long", "/long", { success: Told }).annotate(IsCached, true),
  HttpApiEndpoint.get("computed", "/computed/:how", { params: { how: Schema.String }, success: Told }).annotate(
    IsCached,
    true
  ),
  HttpApiEndpoint.get("times", "/times", { query: { amount: Schema.optionalKey(Amount) }, success: Told })
) {}

class TheApi extends HttpApi.make("api").add(Group).middleware(Validation).middleware(Cacheable) {}

/** When all requests are counted, so that both servers name the same end of a window. */
const AT = 1_900_000_000_000

/** Delays each count, as a store elsewhere does. */
const windowsAfter = (millis: number) => {
  const windows = makeMemoryWindows()
  return Layer.succeed(WindowStore, {
    count: (key, tokens, _now, done) => {
      if (millis === 0) return done(windows.count(key, tokens, AT))
      setTimeout(() => done(windows.count(key, tokens, AT)), millis)
    }
  })
}

interface Serving {
  readonly isDirect: boolean
  readonly delay?: number
}

const amountOf = (n: number, amount = BigDecimal.fromBigInt(1n)) => {
  const writer = (amount: BigDecimal.BigDecimal) => `{"n":${n},"amount":${plainDecimal(amount)}}`
  return AmountAnswers.varying(HttpServerResponse.text(writer(amount), { contentType: "application/json" }), writer)
}

/** A server of the paths; `handled` counts the requests that came as far as Effect. */
const serving = Effect.fnUntraced(function* ({ delay = 0, isDirect }: Serving) {
  const snapshot = new VersionedRef(1)
  let handled = 0
  const told = (padding: string) =>
    Effect.gen(function* () {
      const { tier } = yield* Caller
      return { data: { n: yield* read(snapshot), padding }, meta: { tier } }
    })
  const offered = (url: string) => {
    const [, how] = /^\/computed\/(\w+)$/.exec(url) ?? []
    const body = Effect.map(told(how ?? ""), (value) => JSON.stringify(value))
    if (how === undefined) return undefined
    if (how === "incomplete") return Effect.andThen(notCacheable, body)
    if (how === "unread") return Effect.succeed('{"data":{"n":0,"padding":""},"meta":{"tier":"free"}}')
    return how === "slow" ? Effect.delay(body, 5) : how === "failing" ? Effect.fail("no answer") : body
  }
  const routes = HttpApiBuilder.layer(TheApi).pipe(
    Layer.provide(
      HttpApiBuilder.group(TheApi, "group", (handlers) =>
        SyncHandlers.useSync((syncHandlers) => syncHandlers.offer("/computed/:how", offered)).pipe(
          Effect.flatten,
          Effect.as(
            handlers.handleAll({
              computed: ({ params }) =>
                Effect.andThen(params.how === "incomplete" ? notCacheable : Effect.void, told(params.how)),
              short: () => told(""),
              long: () => told("0123456789".repeat(900)),
              times: ({ query }) => Effect.map(read(snapshot), (n) => amountOf(n, query.amount))
            })
          )
        )
      ).pipe(Layer.provide([CacheableLayer, ValidationLayer, SyncHandlers.layer]))
    ),
    Layer.provide(Gate),
    Layer.merge(UnknownPath)
  )
  const server = Http.createServer(ProtocolErrors.serverOptions)
  const inner = Layer.effect(
    HttpServer.HttpServer,
    Effect.map(HttpServer.HttpServer, ({ address, serve }) =>
      HttpServer.make({
        address,
        serve: (app) =>
          serve(
            Effect.suspend(() => {
              handled++
              return app
            })
          )
      })
    )
  ).pipe(Layer.provideMerge(NodeHttpServer.layer(() => server, { host: "127.0.0.1", port: 0 })))
  const outer = isDirect ? DirectServer.layer(server).pipe(Layer.provideMerge(inner)) : inner
  const built = yield* Layer.build(
    HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provide(RateLimiter.layerNoDeps.pipe(Layer.provide(windowsAfter(delay)))),
      Layer.provide(
        ApiKeys.layerTest({
          authenticate: (key) => Effect.succeed({ _tag: "Valid", plan: keyed.business, quotaKey: `key:${key}` }),
          known: (key) => ({ _tag: "Valid", plan: keyed.business, quotaKey: `key:${key}` })
        })
      ),
      Layer.provide(Layer.succeed(TrustedProxies, [IpNetwork.fromStringUnsafe("127.0.0.0/8")])),
      Layer.provideMerge(outer),
      Layer.fresh
    )
  )
  const { address } = Context.get(built, HttpServer.HttpServer)
  return { port: "port" in address ? address.port : 0, snapshot, handled: () => handled }
})

interface Question {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The response, without what is another one for every response. */
const ask = (port: number, { headers = {}, method = "GET", path }: Question) =>
  Effect.promise(
    () =>
      new Promise<{ status: number | undefined; headers: ReadonlyArray<string>; body: string }>((resolve, reject) => {
        const request = Http.request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
          const chunks: Array<Buffer> = []
          response.on("data", (chunk: Buffer) => chunks.push(chunk))
          response.on("end", () => {
            const sent = response.rawHeaders.filter(
              (_, n, all) => !["date", "x-request-id"].includes((all[n - (n % 2)] ?? "").toLowerCase())
            )
            // A problem repeats the request's id.
            const body = Buffer.concat(chunks)
              .toString("latin1")
              .replace(/"instance":"[^"]+"/, "")
            resolve({ status: response.statusCode, headers: sent, body })
          })
        })
        request.on("error", reject)
        request.end()
      })
  )

const tagOf = ({ headers }: { readonly headers: ReadonlyArray<string> }): string =>
  headers[headers.findIndex((name) => name.toLowerCase() === "etag") + 1] ?? ""

it.live("every response is the same to the byte, in the same order of headers", () =>
  Effect.gen(function* () {
    const direct = yield* serving({ isDirect: true })
    const plain = yield* serving({ isDirect: false })
    const { headers } = yield* ask(plain.port, { path: "/short", headers: { "x-forwarded-for": "198.51.100.9" } })
    const tag = tagOf({ headers })
    assert.match(tag, /^W\//)
    yield* ask(direct.port, { path: "/short", headers: { "x-forwarded-for": "198.51.100.9" } })
    const questions: ReadonlyArray<Question> = ["/short", "/long", "/short?x=1"].flatMap((path) =>
      [
        {},
        { "x-api-key": "k" },
        { "x-forwarded-for": "203.0.113.7" },
        { "x-forwarded-for": "::1, 2001:db8::1" }
      ].flatMap((who) => [
        { path, headers: who },
        { path, headers: who, method: "HEAD" },
        { path, headers: { ...who, "accept-encoding": "gzip" } },
        { path, headers: { ...who, "if-none-match": tag } },
        { path, headers: { ...who, "if-none-match": `"other", ${tag}` }, method: "HEAD" },
        { path, headers: { ...who, "content-length": "0" } },
        { path, headers: { ...who, accept: "text/csv" } },
        { path, headers: who, method: "POST" }
      ])
    )
    for (const question of [...questions, ...questions]) {
      const [ours, theirs] = [yield* ask(direct.port, question), yield* ask(plain.port, question)]
      assert.deepStrictEqual(ours, theirs, JSON.stringify(question))
    }
    assert.isBelow(direct.handled(), plain.handled() / 2, "most are answered directly")
  }).pipe(Effect.scoped)
)

it.live("what a handler computes at once is what the router answers, and the rest is the router's", () =>
  Effect.gen(function* () {
    const direct = yield* serving({ isDirect: true })
    const plain = yield* serving({ isDirect: false })
    const questions: ReadonlyArray<Question> = [
      "/computed/a",
      "/computed/b?x=1",
      "/computed/incomplete",
      "/computed/slow",
      "/computed/failing",
      "/computed/unread"
    ].flatMap((path) => [
      { path, headers: { "if-none-match": "*" } },
      { path, method: "HEAD", headers: { "x-api-key": "k" } },
      { path, headers: { "accept-encoding": "br" } },
      { path, method: "POST" }
    ])
    for (const n of [1, 2]) {
      for (const question of questions) {
        const [ours, theirs] = [yield* ask(direct.port, question), yield* ask(plain.port, question)]
        assert.deepStrictEqual(ours, theirs, `${JSON.stringify(question)} of ${n}`)
      }
      for (const { snapshot } of [direct, plain]) snapshot.replace(2)
    }
    // Of each path the POST of both rounds; of those that are not computed also the first request of each round.
    assert.strictEqual(direct.handled(), 6 * 2 + 4 * 2)
  }).pipe(Effect.scoped)
)

it.live("exactly the quota is answered, and a refused request is counted once", () =>
  Effect.gen(function* () {
    for (const delay of [0, 2]) {
      const { handled, port } = yield* serving({ isDirect: true, delay })
      const statuses = yield* Effect.forEach(
        Array.from({ length: 90 }),
        () => Effect.map(ask(port, { path: "/short" }), ({ status }) => status),
        { concurrency: 8 }
      )
      assert.strictEqual(statuses.filter((status) => status === 200).length, 60)
      assert.strictEqual(statuses.filter((status) => status === 429).length, 30)
      // Those that were on their way when the first was computed.
      assert.isAtMost(handled(), 8, "refused directly")
    }
  }).pipe(Effect.scoped)
)

it.live("a refusal is the gate's to the byte, but for the seconds that are left, whatever is asked for", () =>
  Effect.gen(function* () {
    const refusals = []
    for (const isDirect of [true, false]) {
      const { handled, port } = yield* serving({ isDirect })
      for (let n = 0; n < 60; n++) yield* ask(port, { path: "/short" })
      const before = handled()
      for (const path of [
        "/short",
        "/long",
        "/computed/slow",
        "/times?amount=x",
        "/nothing",
        "/nothing?x=%zz",
        "/%zz"
      ]) {
        for (const method of ["GET", "HEAD"]) {
          for (const headers of [{}, { "accept-encoding": "br" }, { "if-none-match": "*" }]) {
            const refused = yield* ask(port, { path, method, headers })
            assert.strictEqual(refused.status, 429)
            assert.strictEqual(refused.body === "", method === "HEAD")
            refusals.push(JSON.stringify([path, method, headers, refused]).replaceAll(/(\d+)(?= s\.|",)/g, ""))
          }
        }
      }
      assert.strictEqual(handled() - before, isDirect ? 0 : refusals.length / 2)
    }
    const half = refusals.length / 2
    assert.deepStrictEqual(refusals.slice(0, half), refusals.slice(half))
  }).pipe(Effect.scoped)
)

it.live(
  "an unknown path and an invalid parameter that were refused before are refused directly, as the gate refuses",
  () =>
    Effect.gen(function* () {
      const direct = yield* serving({ isDirect: true })
      const plain = yield* serving({ isDirect: false })
      const wrong = [
        "/nothing",
        "/nothing?x=%zz",
        "/shorter",
        "/times?amount=x",
        "/short?api_key=k",
        "/times?amount=1&amount=1"
      ]
      const long = `/nothing?x=${"y".repeat(600)}`
      for (const path of [...wrong, ...wrong, ...wrong, long, long]) {
        for (const question of [{ path }, { path, method: "HEAD" }, { path, headers: { "x-api-key": "k" } }]) {
          const [ours, theirs] = [yield* ask(direct.port, question), yield* ask(plain.port, question)]
          assert.deepStrictEqual(ours, theirs, JSON.stringify(question))
        }
      }
      // What is too long to remember is asked six times, and a URL with a key in it nine times.
      assert.strictEqual(direct.handled(), 5 + 6 + 9, "the first of each, and what is not remembered")
      yield* ask(direct.port, { path: "/times?amount=x", method: "POST" })
      yield* ask(direct.port, { path: "/nothing", headers: { "content-length": "0" } })
      assert.strictEqual(direct.handled(), 22, "another method and a body are left to the gate")
    }).pipe(Effect.scoped)
)

it.live("an answer that is replaced while the request is counted is not sent", () =>
  Effect.gen(function* () {
    const { port, snapshot } = yield* serving({ isDirect: true, delay: 30 })
    const text = Effect.map(ask(port, { path: "/short" }), ({ body, headers }) => ({
      told: JSON.parse(body),
      remaining: headers[headers.indexOf("x-ratelimit-remaining") + 1]
    }))
    assert.strictEqual((yield* text).told.data.n, 1)
    const [later] = yield* Effect.all(
      [
        text,
        Effect.andThen(
          Effect.sleep(15),
          Effect.sync(() => snapshot.replace(2))
        )
      ],
      { concurrency: 2 }
    )
    assert.strictEqual(later.told.data.n, 2)
    assert.strictEqual(later.remaining, "58", "counted once")
  }).pipe(Effect.scoped)
)

it.live("what differs by its amount alone is what the handler answers, for amounts that it refuses too", () =>
  Effect.gen(function* () {
    const direct = yield* serving({ isDirect: true })
    const plain = yield* serving({ isDirect: false })
    const amounts = ["5", "6", "0.000000000000000001", "01.50", "1000000000000000", "5"]
    const refused = ["0", "1000000000000001", "1e5", "-1", "", "0.0000000000000000001"]
    const queries = [...amounts, ...refused].map((amount) => `amount=${amount}`)
    const others = [
      "",
      "amount=5&amount=6",
      "x=1&amount=7",
      "x=1&amount=8",
      "amount=7&x=1",
      "amount=8&x=1",
      "amount=7#f"
    ]
    let who = 0
    for (const n of [1, 2]) {
      for (const query of [...queries, ...queries, ...queries, ...others, ...others]) {
        const headers = { "x-forwarded-for": `203.0.113.${who++}` }
        const question = { path: `/times?${query}`, headers }
        const [ours, theirs] = [yield* ask(direct.port, question), yield* ask(plain.port, question)]
        assert.deepStrictEqual(ours, theirs, `${query} of ${n}`)
      }
      for (const { snapshot } of [direct, plain]) snapshot.replace(2)
    }
    const isAnswered = amounts.length * 3 + others.length
    assert.isAtMost(direct.handled(), plain.handled() - isAnswered, "answers are not the handler's after the first")
  }).pipe(Effect.scoped)
)
