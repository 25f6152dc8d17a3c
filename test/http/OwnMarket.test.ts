// A market of the operator's own file is in every place that lists markets, without code.
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { friday, get, pass, RunningService, withoutEvidence } from "../RunningService.ts"
import { temporaryFolder } from "../resources.ts"
import { blockOf } from "../docs/Markdown.ts"
import { Conversion } from "../../src/api/ConversionApi.ts"
import { P2pMarket } from "../../src/api/P2pApi.ts"
import { jsonAt, read, refused } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

const running = Layer.unwrap(
  Effect.map(temporaryFolder, (folder) => {
    const path = join(folder, "markets.json")
    writeFileSync(path, blockOf("json markets"))
    const config = { ...withoutEvidence, COINGECKO_PLAN: "pro", P2P_MARKETS: "NGN", P2P_MARKETS_FILE: path }
    return RunningService.layer({ at: friday, config: { ...config, HISTORY: "on" } })
  })
)

rulesIn(running)("a market of the operator's own", (rule) => {
  rule("has a rate near its street, by the venues of its record", function* () {
    yield* pass("1 minute")
    const { sandbox } = yield* RunningService
    const { data } = yield* read("/v1/p2p/cop?amount=9000000&min_confidence=medium", P2pMarket)
    const street = (yield* sandbox.truth).street("COP")
    assert.isBelow(Math.abs((data.mid ?? 0) / street - 1), 0.01)
    assert.deepStrictEqual(
      data.venues.map(({ venue }) => venue),
      ["Bybit P2P (sandbox)", "Binance P2P (sandbox)"]
    )
    assert.strictEqual(data.official, (yield* jsonAt("/v1/fx")).data.rates.COP)
    assert.isNumber(data.quote?.rate)
  })

  rule("is listed, converted by, recorded, measured, suggested and told to agents", function* () {
    const listed = (yield* jsonAt("/v1/p2p")).data.markets.map(({ fiat }: { readonly fiat: string }) => fiat)
    assert.deepStrictEqual(listed, ["NGN", "COP"])
    const { data } = yield* read("/v1/convert?from=tether&to=cop&basis=p2p", Conversion)
    assert.strictEqual(data.rate, (yield* jsonAt("/v1/p2p/cop")).data.mid)
    assert.deepStrictEqual((yield* jsonAt("/v1/p2p/cop/history?interval=hour")).data.pair, "USDT/COP")
    assert.match((yield* get("/metrics")).text, /market="COP"/)
    const { suggestions } = yield* refused("/v1/p2p/kes", 404, "unknown_asset")
    assert.deepStrictEqual(
      suggestions?.map(({ id }) => id),
      ["NGN", "COP"]
    )
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "p2p_markets", arguments: {} } }
    const agent = yield* get("/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify(call)
    })
    assert.include(agent.text, "USDT/COP")
  })
})
