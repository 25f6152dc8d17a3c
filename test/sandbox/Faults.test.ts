import { assert } from "@effect/vitest"
import { Effect, Exit, Fiber, Schema, Stream } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { hourMs } from "../../src/sandbox/Calendar.ts"
import type { Fault } from "../../src/sandbox/Faults.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import type { UpstreamEnvName } from "../../src/sandbox/Wires.ts"
import { call, friday, json, SandboxTest, isFriday, read, bybit, bitget } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

const Luno = Schema.Struct({ timestamp: Schema.Finite, bid: Schema.String, ask: Schema.String })

const BybitPage = Schema.Struct({
  result: Schema.Struct({ items: Schema.Array(Schema.Struct({ side: Schema.Finite, price: Schema.String })) })
})

const page = "/coins/markets?vs_currency=usd&per_page=20"

/** Runs with a fault and takes it back afterwards, whatever happens. */
const under = <A, E, R>(upstream: UpstreamEnvName, fault: Fault, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox
    yield* TestClock.setTime(friday)
    return yield* Effect.acquireUseRelease(
      sandbox.setFault(upstream, fault),
      () => effect,
      () => sandbox.setFault(upstream, null)
    )
  })

const isRow = Schema.is(Schema.Struct({ id: Schema.String, current_price: Schema.NullOr(Schema.Finite) }))

/** Real time for the sockets, which a TestClock does not move. */
const breathe = TestClock.withLive(Effect.sleep("60 millis"))

rulesIn(SandboxTest)("under a fault", (rule, it) => {
  rule("refuse: the connection is closed without an answer", function* () {
    const exit = yield* Effect.exit(under("COINGECKO", { fault: "refuse" }, call("COINGECKO", page)))
    assert.isTrue(Exit.isFailure(exit))
    assert.strictEqual((yield* call("COINGECKO", page)).status, 200)
  })

  it.effect("truncated: the answer begins and breaks off", () =>
    under(
      "COINGECKO",
      { fault: "truncated" },
      Effect.gen(function* () {
        const { baseUrls } = yield* Sandbox
        const response = yield* HttpClient.get(baseUrls.COINGECKO + page)
        assert.strictEqual(response.status, 200)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(response.text)))
      })
    )
  )

  it.effect("hang: no answer, however late it gets", () =>
    under(
      "LUNO",
      { fault: "hang" },
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(call("LUNO", "/api/1/ticker?pair=USDTNGN"))
        yield* breathe
        yield* TestClock.adjust("1 hour")
        yield* breathe
        assert.isUndefined(fiber.pollUnsafe())
        yield* Fiber.interrupt(fiber)
      })
    )
  )

  it.effect("slow: the right answer, by the clock, after the seconds said", () =>
    under(
      "LUNO",
      { fault: "slow", seconds: 5 },
      Effect.gen(function* () {
        const { calls } = yield* Sandbox
        const before = (yield* calls).LUNO
        const fiber = yield* Effect.forkChild(json("LUNO", "/api/1/ticker?pair=USDTNGN"))
        yield* Effect.repeat(Effect.andThen(breathe, calls), { until: ({ LUNO }) => LUNO > before })
        yield* TestClock.adjust("4 seconds")
        yield* breathe
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 second")
        const { timestamp } = yield* Schema.decodeUnknownEffect(Luno)(yield* Fiber.join(fiber))
        assert.isAtLeast(timestamp, friday)
      })
    )
  )

  it.effect.each<readonly [what: string, fault: Fault, status: number, header: string, value: RegExp]>([
    ["rate_limited: 429", { fault: "rate_limited" }, 429, "retry-after", /^undefined$/],
    [
      "rate_limited: with Retry-After where asked for",
      { fault: "rate_limited", retryAfter: 7 },
      429,
      "retry-after",
      /^7$/
    ],
    ["server_error: 503", { fault: "server_error" }, 503, "location", /^undefined$/],
    ["server_error: the status asked for", { fault: "server_error", status: 500 }, 500, "location", /^undefined$/],
    ["html: a block page with 200", { fault: "html" }, 200, "content-type", /^text\/html/]
  ])("%s", ([, fault, status, header, value]) =>
    Effect.map(under("COINGECKO", fault, call("COINGECKO", page)), (reply) => {
      assert.strictEqual(reply.status, status)
      assert.match(String(reply.headers[header]), value)
      assert.strictEqual(reply.text.startsWith("<!DOCTYPE html>"), fault.fault === "html")
    })
  )

  rule("malformed: 200 and application/json that is none", function* () {
    const reply = yield* under("COINGECKO", { fault: "malformed" }, call("COINGECKO", page))
    assert.match(reply.headers["content-type"] ?? "", /^application\/json/)
    assert.throws(() => JSON.parse(reply.text))
  })

  rule("wrong_types: JSON in which no row decodes and a list is an object", function* () {
    const body = yield* under("COINGECKO", { fault: "wrong_types" }, json("COINGECKO", page))
    assert.isFalse(Array.isArray(body))
    assert.isFalse(Object.values(Object(body)).some(isRow))
    const luno = yield* under("LUNO", { fault: "wrong_types" }, json("LUNO", "/api/1/ticker?pair=USDTNGN"))
    assert.isFalse(Schema.is(Luno)(luno))
  })

  rule("empty: the documented shape with nothing in it", function* () {
    assert.deepStrictEqual(yield* under("COINGECKO", { fault: "empty" }, json("COINGECKO", page)), [])
    const items = yield* under("BYBIT_P2P", { fault: "empty" }, json("BYBIT_P2P", "/fiat/otc/item/online", bybit("1")))
    assert.deepInclude(items, { ret_code: 0, result: { count: 0, items: [] } })
    const list = yield* under(
      "BITGET_P2P",
      { fault: "empty" },
      json("BITGET_P2P", "/v1/p2p/pub/adv/queryAdvList", bitget(1))
    )
    assert.deepInclude(list, { code: "00000", data: { dataList: null } })
    const usd = yield* under(
      "CURRENCY_API",
      { fault: "empty" },
      json("CURRENCY_API", "/currency-api@latest/v1/currencies/usd.min.json")
    )
    assert.deepInclude(usd, { usd: {} })
  })

  rule("oversize: a body far beyond what anyone should buffer, streamed", function* () {
    const { baseUrls } = yield* Sandbox
    const size = HttpClient.get(baseUrls.COINGECKO + page).pipe(
      Effect.flatMap((response) =>
        Stream.runFold(
          response.stream,
          () => 0,
          (sum, chunk) => sum + chunk.byteLength
        )
      )
    )
    assert.isAtLeast(yield* under("COINGECKO", { fault: "oversize", bytes: 64 * 1024 * 1024 }, size), 64 * 1024 * 1024)
    assert.strictEqual(yield* under("COINGECKO", { fault: "oversize", bytes: 65_536 }, size), 65_538)
  })

  rule("stale: the bytes of some hours ago", function* () {
    const stale = yield* under("COINGECKO", { fault: "stale", hours: 6 }, call("COINGECKO", page))
    yield* TestClock.setTime(friday - 6 * hourMs)
    assert.strictEqual((yield* call("COINGECKO", page)).text, stale.text)
  })

  rule("inverted: asks for bids and bids for asks, labelled as if they were right", function* () {
    const ticker = read(Luno, "LUNO", "/api/1/ticker?pair=USDTNGN")
    const book = (side: string) => read(BybitPage, "BYBIT_P2P", "/fiat/otc/item/online", bybit(side))
    const straight = yield* Effect.andThen(isFriday, ticker)
    const inverted = yield* under("LUNO", { fault: "inverted" }, ticker)
    assert.deepStrictEqual([inverted.bid, inverted.ask], [straight.ask, straight.bid])
    const bids = yield* book("0")
    const asks = yield* under("BYBIT_P2P", { fault: "inverted" }, book("1"))
    assert.deepStrictEqual(
      asks.result.items.map((item) => item.price),
      bids.result.items.map((item) => item.price)
    )
    assert.isTrue(asks.result.items.every((item) => item.side === 1))
  })

  it.effect("the other upstreams are not touched", () =>
    under(
      "COINGECKO",
      { fault: "server_error" },
      Effect.map(call("COINPAPRIKA", "/global"), ({ status }) => assert.strictEqual(status, 200))
    )
  )
})

rulesIn(SandboxTest)("the sandbox", (rule) => {
  rule("counts and logs every request, those under a fault too", function* () {
    const sandbox = yield* Sandbox
    yield* call("QUIDAX", "/markets/tickers/usdtngn")
    yield* under("QUIDAX", { fault: "server_error" }, call("QUIDAX", "/markets/tickers/usdtngn?x=1"))
    const calls = yield* sandbox.calls
    assert.deepInclude(calls, { QUIDAX: 2, LUNO: 0 })
    const { QUIDAX } = yield* sandbox.requests
    assert.deepStrictEqual(
      QUIDAX.map(({ method, path }) => [method, path]),
      [
        ["GET", "/markets/tickers/usdtngn"],
        ["GET", "/markets/tickers/usdtngn?x=1"]
      ]
    )
  })
})
