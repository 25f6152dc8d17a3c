// `value --minutes` over simulated exchanges.
import { assert } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { parse } from "csv-parse/sync"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { value } from "../../src/cli/ValueCommand.ts"
import * as History from "../../src/history/store/History.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { observed } from "../history/records.ts"
import { rulesIn } from "../rulesOf.ts"
import { inProcess } from "./inProcess.ts"
import * as Serving from "./ServingProcess.ts"

const MINUTE = 60_000

rulesIn(Serving.layerWorld, { excludeTestServices: true })("value", (rule) => {
  rule("with --minutes has the price of the minute before the time, at an exchange", function* () {
    const settings = yield* Serving.settings
    const { world } = yield* Sandbox
    const end = Math.floor((yield* Clock.currentTimeMillis) / MINUTE) * MINUTE - 90 * MINUTE
    const minute = world.market.candle("bitcoin", end - MINUTE, MINUTE)?.close ?? NaN
    const before = end - 40 * MINUTE
    yield* Effect.gen(function* () {
      const history = yield* History.History
      const mid = { kind: "p2p", confidence: "high", buy: 1510, sell: 1490 } as const
      const coins = [observed("coin/bitcoin", before, minute * 1.1), observed("coin/tether", before, 1)]
      yield* history?.offer([...coins, observed("naira", end - 2 * MINUTE, 1500, mid)]) ?? Effect.void
      yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => Effect.sync(() => history?.version() === 1) })
    }).pipe(Effect.provide(History.layerSqlite(join(settings.DATA_DIR, "history.sqlite"))))
    const file = join(settings.DATA_DIR, "file.csv")
    const time = new Date(end + 20_000).toISOString()
    writeFileSync(file, `id,asset,amount,time\n1,bitcoin,2,${time}\n2,tether,2,${time}\n`)

    const { failure, out, succeeded } = yield* inProcess(value, settings, [file, "--minutes"])
    assert.isTrue(succeeded, failure)
    const rows: ReadonlyArray<Record<string, string>> = parse(out, { columns: true, record_delimiter: "\r\n" })
    assert.match(rows[0]?.["source"] ?? "", /^(Bitstamp|Bitfinex|Binance|KuCoin) \+ A$/)
    assert.closeTo(Number(rows[0]?.["usd"]) / (2 * minute), 1, 0.005)
    assert.closeTo(Number(rows[0]?.["ngn"]) / Number(rows[0]?.["usd"]), 1500, 1e-6)
    assert.deepStrictEqual([rows[1]?.["ngn"], rows[1]?.["source"]], ["3000", "A"], "USDT is the record's")
  })
})
