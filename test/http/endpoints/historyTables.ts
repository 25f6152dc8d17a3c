// Histories as CSV: the documented columns, and the bytes of `history export`.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { history } from "../../../src/cli/HistoryCommand.ts"
import type { It } from "../../api/endpoints.ts"
import { inProcess } from "../../cli/inProcess.ts"
import { codesIn, tableUnder } from "../../docs/Markdown.ts"
import { get, RunningService, until } from "../../RunningService.ts"
import { rulesOf } from "../../rulesOf.ts"
import { answerAt } from "../support.ts"

/** A series of each kind, and the endpoint of its history. */
const series = [
  ["fx/EUR", "/v1/fx/history?quotes=EUR&"],
  ["official", "/v1/fx/history?quotes=NGN&"],
  ["naira", "/v1/naira/history?"],
  ["p2p/KES", "/v1/p2p/KES/history?"],
  ["coin/bitcoin", "/v1/price/bitcoin/usd/history?"]
] as const

const required: Readonly<Record<string, string>> = {
  "/v1/prices": "ids=bitcoin&",
  "/v1/coins": "limit=1&",
  "/v1/fx/history": "quotes=EUR&",
  "/v1/convert": "from=bitcoin&to=NGN&",
  "/v1/statement": "from=USD&to=NGN&on=2026-11-14&"
}

/** Over a service with a record of the past. */
export const historyTables = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  rule("tables have the documented columns, in their order", function* () {
    for (const [path = "", columns = ""] of tableUnder("docs/endpoints.md", "CSV").map((row) => row.flatMap(codesIn))) {
      const asked = path.replace("{id}", "bitcoin").replace("{fiat}", path.startsWith("/v1/p2p") ? "ngn" : "usd")
      const { text } = yield* answerAt(`${asked}?${required[path] ?? ""}format=csv`)
      assert.strictEqual(text.split("\r\n")[0], columns, path)
    }
  })

  rule("tables of histories are the same to the byte as `history export`, of each kind of series", function* () {
    const { dataDir } = yield* RunningService
    const past = get("/v1/naira/history?from=2026-11-14&to=2026-11-14&format=csv")
    yield* until(Effect.map(past, ({ text }) => /,p2p,|,order_book,/.test(text)))
    for (const [name, path] of series) {
      for (const interval of path.startsWith("/v1/fx") ? ["day", "week", "month"] : ["day", "hour", "week", "month"]) {
        for (const range of [
          { interval, from: "2026-11-01" },
          { interval, from: "2026-11-14", to: "2026-11-18" }
        ]) {
          const { text } = yield* get(`${path}${new URLSearchParams(range)}&format=csv`)
          const flags = Object.entries(range).flatMap(([flag, value]) => [`--${flag}`, String(value)])
          const { out } = yield* inProcess(history, { DATA_DIR: dataDir }, ["export", name, ...flags])
          const isEmpty = text.split("\r\n").length === 2
          assert.isTrue(!isEmpty || "to" in range, `${name} ${interval} has rows`)
          assert.strictEqual(out, isEmpty ? "" : text, `${name} ${flags.join(" ")}`)
        }
      }
    }
  })
}
