import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Fiber, Layer, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import type { PlanName } from "../../../src/access/Plan.ts"
import { decide, isMiss } from "../../../src/http/gate/decide.ts"
import { Responses } from "../../../src/http/response/Responses.ts"
import { note } from "../../../src/http/response/Notes.ts"
import type { RawResponse } from "../../../src/http/response/RawResponse.ts"
import { parsePath } from "../../../src/http/request/ParsedPath.ts"
import * as Target from "../../../src/http/request/Target.ts"
import { read, VersionedRef } from "../../../src/services/refresh/Dependencies.ts"
import { rulesOf } from "../../rulesOf.ts"

const Told = Schema.Struct({ a: Schema.Int, b: Schema.Int, tier: Schema.String, padding: Schema.String })

/** Endpoints of each keeping, parsed for in two ways that mean the same. */
const paths = {
  cached: ["/v1/global", "/v1/global?x=1"],
  rare: ["/v1/fx", "/v1/fx?format=json"],
  made: ["/v1/sources", "/v1/sources/"]
} as const

interface Sender {
  readonly path: string
  readonly plan?: PlanName
  readonly encoding?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
}

const rawOf = ({ body, headers, status }: HttpServerResponse.HttpServerResponse): RawResponse => ({
  status,
  headers,
  content: body._tag === "Uint8Array" ? (body.text ?? body.body) : undefined
})

const quota = { limit: 60, remaining: 59, reset: 0, retryAfter: 1 }

/** Two snapshots, each a number that only grows, and a handler that takes a while to come from one to the other. */
const serving = Effect.gen(function* () {
  const answers = yield* Responses
  const world = {
    a: new VersionedRef(0),
    b: new VersionedRef(0),
    slow: 0,
    parsed: 0,
    /** How the body is written for an amount; without it the answer depends on the amount. */
    write: undefined as ((amount: BigDecimal.BigDecimal) => string) | undefined
  }
  const sent: Array<RawResponse> = []

  /** Requests whose handler ran twice, because of a refresh during its first run. */
  const repeated = new Set<number>()

  const handler = (tier: string, runs: { count: number }) =>
    Effect.gen(function* () {
      world.parsed++
      runs.count++
      const a = yield* read(world.a)
      if (world.write !== undefined) yield* note({ write: world.write })
      yield* Effect.sleep(world.slow)
      // Long enough to be worth compressing.
      const told = { a, b: yield* read(world.b), tier, padding: "0123456789".repeat(200) }
      return HttpServerResponse.jsonUnsafe(told)
    })

  const asking = Effect.fnUntraced(function* ({
    encoding = "identity",
    headers,
    method = "GET",
    path,
    plan = "free"
  }: Sender) {
    const target = Target.parse(path)
    const request = {
      id: "1",
      method,
      headers: { "accept-encoding": encoding, ...headers },
      parsed: parsePath(target.path),
      query: target.query,
      plan,
      isPrivate: plan !== "free",
      quota
    }
    const deciding = decide(answers, request)
    const decision = deciding instanceof Promise ? yield* Effect.promise(() => deciding) : deciding
    const runs = { count: 0 }
    const outgoing = isMiss(decision) ? rawOf(yield* answers.respond(request, decision, handler(plan, runs))) : decision
    assert.isAtMost(runs.count, 2)
    if (runs.count === 2) repeated.add(sent.length)
    sent.push(outgoing)
    return outgoing
  })
  return { asking, repeated, sent, world }
}).pipe(Effect.provide(Layer.fresh(Responses.layer)))

const rule = rulesOf(it, serving)

const bodyOf = ({ content, headers }: RawResponse): typeof Told.Type => {
  const bytes = typeof content === "string" ? Buffer.from(content) : content
  if (bytes === undefined) throw new Error("no body")
  const encoding = headers["content-encoding"]
  const plain = encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes
  return JSON.parse(new TextDecoder().decode(plain))
}

const Step = Schema.Union([
  Schema.TaggedStruct("Refresh", { which: Schema.Literals(["a", "b"]) }),
  Schema.TaggedStruct("Pass", { millis: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 })) }),
  Schema.TaggedStruct("Ask", {
    path: Schema.Literals(Object.values(paths).flat()),
    plan: Schema.Literals(["free", "business"]),
    encoding: Schema.Literals(["identity", "gzip", "br"]),
    slow: Schema.Literals([0, 5, 30])
  })
])

describe("Caching: a kept answer", () => {
  it.effect.prop(
    "is never older than one that was sent before, whatever is refreshed meanwhile, unless a second run is overtaken too",
    { steps: Schema.Array(Step) },
    ({ steps }) =>
      Effect.gen(function* () {
        const { asking, repeated, sent, world } = yield* serving
        const parsed: Array<Fiber.Fiber<RawResponse>> = []
        for (const step of steps) {
          if (step._tag === "Refresh") world[step.which].replace(world[step.which].value + 1)
          else if (step._tag === "Pass") yield* TestClock.adjust(step.millis)
          else {
            world.slow = step.slow
            parsed.push(yield* Effect.forkChild(asking(step), { startImmediately: true }))
          }
          // Compressing goes on beside; sometimes it is done before the next step, sometimes not.
          yield* TestClock.withLive(Effect.yieldNow)
        }
        while (parsed.some((fiber) => fiber.pollUnsafe() === undefined)) {
          yield* TestClock.adjust(50)
          yield* TestClock.withLive(Effect.sleep(1))
        }
        assert.strictEqual(sent.length, parsed.length)
        const told = sent.map(bodyOf)
        for (const [n, { a, b }] of told.entries()) {
          if (repeated.has(n)) continue
          assert.isAtLeast(a, Math.max(0, ...told.slice(0, n).map((before) => before.a)))
          assert.isAtLeast(b, Math.max(0, ...told.slice(0, n).map((before) => before.b)))
        }
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 150, size: 60 } }
  )

  rule("is made once for equal requests, again when a snapshot it read changes", function* ({ asking, sent, world }) {
    for (const path of [...paths.cached, ...paths.cached]) yield* asking({ path })
    assert.strictEqual(world.parsed, 1)
    world.b.replace(1)
    for (const path of [...paths.cached, ...paths.cached]) yield* asking({ path })
    assert.strictEqual(world.parsed, 2)
    assert.deepStrictEqual(
      sent.map((response) => bodyOf(response).b),
      [0, 0, 0, 0, 1, 1, 1, 1]
    )
  })

  rule("is separate for each plan", function* ({ asking, sent }) {
    for (const plan of ["free", "business", "free", "business"] as const) yield* asking({ path: paths.cached[0], plan })
    assert.deepStrictEqual(
      sent.map((response) => [bodyOf(response).tier, response.headers["cache-control"]?.split(",")[0]]),
      [
        ["free", "public"],
        ["business", "private"],
        ["free", "public"],
        ["business", "private"]
      ]
    )
  })

  rule("is compressed once for each encoding", function* ({ asking, sent, world }) {
    for (const encoding of ["gzip", "br", "identity", "gzip", "br"]) yield* asking({ path: paths.cached[0], encoding })
    assert.strictEqual(world.parsed, 1)
    assert.strictEqual(sent[0]?.content, sent[3]?.content)
    assert.strictEqual(sent[1]?.content, sent[4]?.content)
    assert.strictEqual(new Set(sent.map(({ headers }) => headers["etag"])).size, 3)
  })

  rule("is a 304 without a body for a matching tag, for GET and HEAD, new or kept", function* ({ asking }) {
    for (const path of [paths.made[0], paths.cached[0], paths.cached[1]]) {
      const { headers } = yield* asking({ path })
      const etag = headers["etag"] ?? ""
      for (const method of ["GET", "HEAD"]) {
        const known = yield* asking({ path, method, headers: { "if-none-match": `"other", ${etag}` } })
        assert.deepStrictEqual([known.status, known.content, known.headers["etag"]], [304, undefined, etag])
        assert.isUndefined(known.headers["content-length"])
      }
    }
  })

  rule("expires when a snapshot that it read has reached its maximum age", function* ({ asking, world }) {
    world.a.replace(1, 60_000)
    yield* asking({ path: paths.cached[0] })
    yield* TestClock.adjust("1 minute")
    yield* asking({ path: paths.cached[0] })
    assert.strictEqual(world.parsed, 1)
    yield* TestClock.adjust(1)
    yield* asking({ path: paths.cached[0] })
    assert.strictEqual(world.parsed, 2)
  })

  rule("is kept although a part was too old: that part is missing until a newer one", function* ({ asking, world }) {
    world.a.replace(1, 60_000)
    yield* TestClock.adjust("2 minutes")
    for (let n = 0; n < 3; n++) yield* asking({ path: paths.cached[0] })
    assert.strictEqual(world.parsed, 1)
    world.a.replace(2, 300_000)
    yield* asking({ path: paths.cached[0] })
    assert.strictEqual(world.parsed, 2)
  })

  rule("is not one for one amount alone: callers think of any number of them", function* ({ asking, world }) {
    for (const path of [
      "/v1/naira?amount=3",
      // A rate that depends on the amount: its handler notes no way to write another.
      "/v1/convert?basis=customer&amount=3&from=a&to=b",
      "/compat/yadio.io/customer/convert/3/USD/NGN"
    ]) {
      const parsed = world.parsed
      for (let n = 0; n < 3; n++) yield* asking({ path })
      assert.strictEqual(world.parsed, parsed + 3, path)
    }
  })

  rule(
    "of a rate serves every amount, each with a body and a tag of its own, until the rate changes",
    function* ({ asking, sent, world }) {
      world.write = (amount) => `{"amount":${BigDecimal.format(amount)},"rate":${world.a.value}}`
      for (const [path, at] of [
        ["/v1/convert?from=a&to=b&amount=@", "3"],
        ["/compat/yadio.io/convert/@/USD/NGN", "3.0"]
      ] as const) {
        const parsed = world.parsed
        yield* asking({ path: path.replace("@", "2") })
        for (const amount of [at, "4", "0003", "0.5"]) yield* asking({ path: path.replace("@", amount) })
        assert.strictEqual(world.parsed, parsed + 1, path)
        const [three, four, again, half] = sent.slice(-4)
        assert.deepStrictEqual(
          [three, four, again, half].map((response) => response?.content),
          [3, 4, 3, 0.5].map((amount) => `{"amount":${amount},"rate":${world.a.value}}`)
        )
        assert.strictEqual(three?.headers["etag"], again?.headers["etag"])
        assert.notStrictEqual(three?.headers["etag"], four?.headers["etag"])
        world.a.replace(world.a.value + 1)
        yield* asking({ path: path.replace("@", "4") })
        assert.strictEqual(world.parsed, parsed + 2, path)
      }
    }
  )

  rule("is made for each request where the endpoint is not kept", function* ({ asking, world }) {
    for (let n = 0; n < 3; n++) yield* asking({ path: paths.made[0] })
    assert.strictEqual(world.parsed, 3)
  })
})
