// Agents over HTTP: what the SDK's client makes of the tools, and what the route makes of messages that no client would send.
import { assert } from "@effect/vitest"
import { Effect, Layer, Logger, Schema } from "effect"
import { memoryUsage } from "node:process"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { tools } from "../../src/mcp/Tools.ts"
import { newKeyIn } from "../cli/NewKey.ts"
import { memberOf } from "../faults/Answers.ts"
import * as Exposition from "../http/Exposition.ts"
import { numbersIn, problemOf } from "../http/support.ts"
import { AFTER_A_FALL } from "../http/WhySupport.ts"
import { exchanges, friday, RunningService, withoutEvidence, get, pass, send, onFriday } from "../RunningService.ts"
import * as Agent from "./Agent.ts"
import { rulesIn } from "../rulesOf.ts"

const { message, post } = Agent

const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

const hello = (protocolVersion: string, name = "a test") =>
  message("initialize", { protocolVersion, capabilities: {}, clientInfo: { name, version: "1" } })

const answered = (text: string) => Schema.decodeUnknownEffect(Agent.Answered)(text)

rulesIn(RunningService.layer({ at: AFTER_A_FALL, config: { HISTORY: "on", SOURCES_DISABLED: exchanges } }))(
  "an agent",
  (rule) => {
    rule("lists the tools, each with a description, schemas and readOnlyHint", function* () {
      const client = yield* Agent.overHttp({ "x-forwarded-for": "198.18.250.1" })
      const listed = (yield* Effect.promise(() => client.listTools())).tools
      const names = "price prices search coin coins market naira p2p p2p_markets convert movers why fx"
      const past = "history naira_history p2p_history fixing fixings statement"
      assert.strictEqual(listed.map(({ name }) => name).join(" "), `${names} ${past}`)
      for (const { annotations, description = "", inputSchema, outputSchema, title } of listed) {
        assert.isNotEmpty(title)
        assert.isAbove(description.length, 100)
        assert.deepInclude(annotations, { readOnlyHint: true, idempotentHint: true, openWorldHint: true })
        assert.strictEqual(inputSchema.type, "object")
        assert.deepStrictEqual(outputSchema?.required, ["data", "meta"])
      }
      const convert = listed.find(({ name }) => name === "convert")
      assert.deepStrictEqual(convert?.inputSchema.required, ["from", "to"])
      for (const name of ["amount", "expect", "tolerance"]) {
        assert.deepInclude(convert?.inputSchema.properties?.[name], { type: ["string", "number"] }, name)
      }
      assert.match(client.getInstructions() ?? "", /null means unknown/)
    })

    rule("gets from every tool what the endpoint answers, text to the byte and structured by its schema", function* () {
      yield* pass("45 seconds")
      const client = yield* Agent.overHttp({ "x-forwarded-for": "198.18.250.2" })
      // The client checks structured data against the schemas that it was given here.
      yield* Effect.promise(() => client.listTools())
      const asked: Record<string, readonly [given: Record<string, unknown>, path: string]> = {
        price: [{ id: "bitcoin", fiat: "ngn" }, "/v1/price/bitcoin/ngn"],
        prices: [{ ids: "bitcoin,tether,btc", fiats: "usd,ngn" }, "/v1/prices?ids=bitcoin,tether,btc&fiats=usd,ngn"],
        search: [{ q: "bitcion", limit: 2 }, "/v1/search?q=bitcion&limit=2"],
        coin: [{ id: "Bitcoin" }, "/v1/coins/Bitcoin"],
        coins: [{ limit: 3, page: null }, "/v1/coins?limit=3"],
        convert: [{ from: "eur", to: "ethereum", amount: 0.1 }, "/v1/convert?from=eur&to=ethereum&amount=0.1"],
        why: [{ id: "bitcoin" }, "/v1/why/bitcoin"],
        history: [{ id: "bitcoin", fiat: "usd", interval: "hour" }, "/v1/price/bitcoin/usd/history?interval=hour"],
        p2p: [{ fiat: "kes" }, "/v1/p2p/kes"],
        p2p_history: [{ fiat: "GHS" }, "/v1/p2p/GHS/history"],
        fixing: [{ fiat: "kes" }, "/v1/p2p/kes/fixing"],
        fixings: [{ fiat: "kes", from: "2026-11-01" }, "/v1/p2p/kes/fixings?from=2026-11-01"],
        statement: [{ from: "USD", to: "NGN", on: "2026-11-17" }, "/v1/statement?from=USD&to=NGN&on=2026-11-17"]
      }
      for (const { name, path } of tools) {
        const [given, asPath] = asked[name] ?? [{}, path]
        const served = Effect.map(get(asPath), ({ text }) => text)
        // History is still written while this asks: the tool is compared where the endpoint did not change meanwhile.
        const both = Effect.gen(function* () {
          const before = yield* served
          const told = yield* Agent.during(Agent.call(client, name, given))
          return { before, told, after: yield* served }
        })
        const { after, told } = yield* Effect.repeat(both, { until: (one) => one.before === one.after, times: 9 })
        assert.deepStrictEqual([told.isError, told.text], [false, after], name)
        assert.deepStrictEqual(told.structured, JSON.parse(after), name)
      }
    })

    rule("gets a naira rate, and the explanation of a mover with its citations", function* () {
      const client = yield* Agent.overHttp({ "x-forwarded-for": "198.18.250.3" })
      const naira = yield* Agent.call(client, "naira")
      assert.isNumber(memberOf(naira.structured, ["data", "mid"]))
      assert.match(String(memberOf(naira.structured, ["meta", "source"])), /Bybit P2P \(sandbox\)/)
      const movers = memberOf((yield* Agent.call(client, "movers")).structured, ["data", "movers"])
      assert(Array.isArray(movers))
      const explained = movers.find((mover) => memberOf(mover, ["status"]) === "explained")
      const why = yield* Agent.call(client, "why", { id: memberOf(explained, ["id"]) })
      assert.strictEqual(memberOf(why.structured, ["data", "status"]), "explained")
      assert.match(String(memberOf(why.structured, ["data", "citations", "0", "url"])), /^https?:/)
    })

    rule("gets a wrong argument as a tool result, not as a protocol error", function* () {
      const client = yield* Agent.overHttp({ "x-forwarded-for": "198.18.250.4" })
      const wrong = [
        ["price", { id: "btc", fiat: "usd" }, "unknown_coin", /Did you mean bitcoin/],
        ["price", { id: "a/../b?c", fiat: "usd" }, "unknown_coin", /"a\/\.\.\/b\?c"/],
        ["price", { id: "bitcoin" }, "invalid_parameter", /^fiat is required and must be one of usd/],
        ["coin", { id: "x".repeat(600) }, "invalid_parameter", /^id must be .*It has more than 200 characters$/],
        ["coins", { limit: [1], page: true }, "invalid_parameter", /limit must be .*; page must be/],
        ["convert", { from: "eur", to: "nope" }, "unknown_asset", /neither a coin's id nor a fiat's code/],
        [
          "convert",
          { from: "a", to: "b", value: 5 },
          "invalid_parameter",
          /^value is unknown: the arguments are from,/
        ],
        ["fx", { format: "csv" }, "invalid_parameter", /^format is unknown: the arguments are at, max_age$/],
        ["market", { id: "x" }, "invalid_parameter", /^id is unknown: the tool has no arguments$/],
        ["price", { id: "bitcoin", fiat: "usd", expect: 1 }, "rate_moved", /further than 1 % from the expected 1/]
      ] as const
      for (const [name, given, code, detail] of wrong) {
        const { isError, structured, text } = yield* Agent.during(Agent.call(client, name, given))
        assert.deepStrictEqual([isError, structured], [true, undefined], name)
        assert.strictEqual(memberOf(JSON.parse(text), ["code"]), code, text)
        assert.match(String(memberOf(JSON.parse(text), ["detail"])), detail)
      }
      const unknown = yield* Effect.flip(Effect.tryPromise(() => client.callTool({ name: "trade", arguments: {} })))
      assert.match(String(unknown.cause), /Tool 'trade' not found/)
    })

    rule("shares kept answers with HTTP callers", function* () {
      const hits = Effect.flatMap(get("/metrics"), ({ text }) =>
        Effect.map(Exposition.read(text), ({ sum }) => sum("cda_kept_answers_total", { outcome: "hit" }))
      )
      const before = yield* hits
      const call = message("tools/call", { name: "price", arguments: { id: "ethereum", fiat: "zar" } })
      assert.strictEqual((yield* post(call)).status, 200)
      assert.strictEqual(yield* hits, before)
      yield* get("/v1/price/ethereum/zar")
      assert.strictEqual(yield* hits, before + 1)
    })

    rule("reads every digit of an amount, in text and structured", function* () {
      const amount = "123456789.123456789012345678"
      const call = message("tools/call", { name: "convert", arguments: { from: "eur", to: "eur", amount } })
      const { text } = yield* post(call, { "mcp-protocol-version": "2025-11-25" })
      assert.strictEqual(text.split(`"result":${amount}`).length, 2)
      assert.strictEqual(text.split(`\\"result\\":${amount}`).length, 2)
      assert.isEmpty(numbersIn(text).filter((number) => /e/i.test(number)))
    })
  }
)

const errors: Array<unknown> = []
const noted = Logger.layer([
  Logger.make(({ logLevel, message }) => void (logLevel === "Error" && errors.push(message)))
])

rulesIn(onFriday.pipe(Layer.provide(noted)))("a message", (rule) => {
  rule("is answered in the revision it names, and a handshake in the one it offers or else the newest", function* () {
    for (const revision of revisions) {
      const { headers, text } = yield* post(hello(revision))
      assert.strictEqual(memberOf(JSON.parse(text), ["result", "protocolVersion"]), revision)
      assert.strictEqual(headers["cache-control"], "no-store")
      const listed = yield* post(message("tools/list"), { "mcp-protocol-version": revision })
      assert.strictEqual(listed.headers["mcp-protocol-version"], revision)
    }
    const offered = yield* post(hello("1999-01-01"))
    assert.strictEqual(memberOf(JSON.parse(offered.text), ["result", "protocolVersion"]), "2025-11-25")
    const named = yield* post(message("tools/list"), { "mcp-protocol-version": "1999-01-01" })
    assert.match(named.text, /Unsupported protocol version '1999-01-01'.*2026-07-28/)
  })

  rule("of a revision without a handshake is answered too", function* () {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "a test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {}
    }
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "fx" }
    const called = yield* post(message("tools/call", { _meta, name: "fx", arguments: {} }), headers)
    assert.strictEqual(memberOf(JSON.parse(called.text), ["result", "structuredContent", "data", "base"]), "USD")
    const mismatched = yield* post(message("tools/call", { _meta, name: "naira", arguments: {} }), headers)
    assert.deepStrictEqual([mismatched.status, (yield* answered(mismatched.text)).error?.code], [400, -32020])
  })

  rule("needs no session", function* () {
    assert.isUndefined((yield* post(hello("2025-11-25"))).headers["mcp-session-id"])
    const stranger = { "mcp-session-id": "of-another-replica", "mcp-protocol-version": "2025-11-25" }
    assert.strictEqual((yield* post(message("ping"), stranger)).text.trim(), '{"jsonrpc":"2.0","id":1,"result":{}}')
  })

  rule("with large repeated handshakes does not fill the memory", function* () {
    const collected = () => (runInNewContext("gc")(), memoryUsage().heapUsed)
    setFlagsFromString("--expose-gc")
    const flood = Effect.forEach(Array.from({ length: 50 }), (_, index) =>
      post(hello("2025-11-25", `${index}`.padEnd(60_000, "x")))
    )
    yield* flood
    const before = collected()
    for (let round = 0; round < 3; round++) yield* flood
    // Kept, the names alone would be 9 MB.
    assert.isBelow(collected() - before, 6e6)
  })

  rule("costs one of the quota each, whatever its result; 401 and 429 are problem documents", function* () {
    const caller = { "x-forwarded-for": "198.18.251.1" }
    const bodies = [
      hello("2025-11-25"),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      message("ping"),
      message("tools/call", { name: "nope" }),
      [message("ping"), message("ping")],
      "{"
    ]
    const answers = yield* Effect.forEach(bodies, (body) => post(body, caller))
    assert.deepStrictEqual(
      answers.map(({ headers, status }) => [status, headers["x-ratelimit-remaining"]]),
      [200, 202, 200, 200, 400, 400].map((status, index) => [status, String(59 - index)])
    )
    assert.match(answers[4]?.text ?? "", /"code":-32600,"message":"Batches are not supported/)
    assert.match(answers[5]?.text ?? "", /"code":-32700,"message":"Parse error/)
    yield* Effect.replicateEffect(post(message("ping"), caller), 54)
    const refused = yield* post(message("ping"), caller)
    assert.deepStrictEqual([refused.status, (yield* problemOf(refused)).code], [429, "rate_limited"])
    assert.isDefined(refused.headers["retry-after"])
    const mistyped = yield* post(message("ping"), { "x-api-key": "cda_nonsense" })
    assert.deepStrictEqual([mistyped.status, (yield* problemOf(mistyped)).code], [401, "invalid_api_key"])
    assert.strictEqual(refused.headers["access-control-allow-origin"], "*", "pages of any origin may ask")
  })

  rule("that is too long is refused, with and without Content-Length", function* () {
    const fits = yield* post(JSON.stringify(message("ping")).padEnd(65_536, " "))
    assert.strictEqual(fits.status, 200)
    const long = yield* post(JSON.stringify(message("ping")).padEnd(65_537, " "))
    assert.deepStrictEqual([long.status, (yield* answered(long.text)).error?.code], [413, -32600])
    const head = "POST /mcp HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n"
    const chunk = `4000\r\n${" ".repeat(0x4000)}\r\n`
    assert.match(yield* send(`${head}${chunk.repeat(5)}0\r\n\r\n`), /^HTTP\/1.1 413 [^]*"code":-32600/)
  })

  rule("with thousands of unknown arguments, or long ones, is answered in fewer bytes than it has", function* () {
    for (const names of [Array.from({ length: 5_500 }, (_, n) => `a${n}`), ["a".repeat(60_000)]]) {
      const unknown = Object.fromEntries(names.map((name) => [name, 1]))
      const { text } = yield* post(message("tools/call", { name: "coin", arguments: unknown }))
      assert.include(text, "is unknown")
      assert.isBelow(text.length, 10_000)
    }
  })

  rule("that is malformed gets a 4xx or a protocol error, never a 5xx, and is no error in the log", function* () {
    const odd = [
      "",
      "{",
      "null",
      "1",
      "{}",
      "[]",
      { jsonrpc: "2.0", id: 1, method: "__proto__" },
      { jsonrpc: "2.0", id: 1, method: "initialize" },
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: [] },
      message("tools/call", { name: "coin", arguments: { id: { a: [] } } }),
      message("tools/call", { name: "toString", arguments: {} }),
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"coin","arguments":{"__proto__":{"id":"x"}}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"coin","arguments":{"id":${"[".repeat(30_000)}${"]".repeat(30_000)}}}}`,
      "\u0000",
      "[".repeat(60_000)
    ]
    for (const body of odd) {
      const { status, text } = yield* post(body, { "mcp-protocol-version": "2025-11-25" })
      assert.isBelow(status, 500, JSON.stringify(body).slice(0, 100))
      if (text !== "") yield* answered(text)
      assert.notMatch(text, /-32603|internal/i, JSON.stringify(body).slice(0, 100))
    }
    assert.deepStrictEqual(errors, [])
  })
})

rulesIn(
  RunningService.layer({
    at: friday,
    config: { SOURCES_DISABLED: `FRANKFURTER,CURRENCY_API,${withoutEvidence.SOURCES_DISABLED}` }
  })
)("a caller with a key", (rule) => {
  rule("counts by the key, is told the plan, and when to ask again for what is missing", function* () {
    const headers = { "x-api-key": yield* newKeyIn((yield* RunningService).dataDir) }
    const client = yield* Agent.overHttp(headers)
    const naira = yield* Agent.call(client, "naira")
    assert.strictEqual(memberOf(naira.structured, ["meta", "tier"]), "developer", naira.text)
    // Who came first with a key is nobody else's caller.
    const other = yield* post(message("tools/call", { name: "naira" }))
    assert.match(other.text, /\\"tier\\":\\"free\\"/)
    const missing = yield* Agent.during(Agent.call(client, "fx"))
    assert.isTrue(missing.isError)
    assert.match(missing.text, /"detail":"No fresh data for .* Ask again in \d+ s\."/)
    const last = yield* post(message("ping"), headers)
    // A handshake of two, its try at a stream of events (405), two calls, and this.
    assert.deepStrictEqual(
      [last.headers["x-ratelimit-limit"], last.headers["x-ratelimit-remaining"], last.headers["retry-after"]],
      ["600", "594", undefined]
    )
  })
})
