import { assert, describe } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { DefiLlama } from "../../../src/sources/news/DefiLlama.ts"
import { hasRecordings, json, recording, scriptedSource } from "../ScriptedUpstream.ts"
import { rule } from "../../rulesOf.ts"

const NOW = Date.UTC(2026, 8, 10, 12)
const day = (n: number) => Date.UTC(2026, 8, n) / 1000

const row = (more: object = {}) => ({
  date: day(9),
  name: "Example Bridge",
  classification: "Key Compromise",
  technique: "Hot Wallet Key Compromised",
  amount: 234_000.4,
  chain: ["Ethereum", "Base"],
  bridgeHack: true,
  source: "",
  returnedFunds: null,
  defillamaId: null,
  ...more
})

const llama = scriptedSource({ source: DefiLlama, setting: "DEFILLAMA_BASE_URL", at: NOW })

const itemsOf = (...rows: ReadonlyArray<unknown>) =>
  Effect.flatMap(
    llama(() => json(rows)),
    ({ hacks }) => Effect.map(hacks.get, ({ value }) => value)
  )

describe("DefiLlama's hacks", () => {
  rule("are incident records known to the day, cited by the list they stand in", function* () {
    const { hacks } = yield* llama(() => json([row()]))
    const [item] = (yield* hacks.get).value
    assert.strictEqual(Duration.toHours(hacks.every), 1)
    assert.deepStrictEqual(
      { ...item, id: "" },
      {
        id: "",
        type: "incident_record",
        tier: "primary",
        title: "Example Bridge hacked, $234,000 lost",
        summary:
          "DefiLlama records a hack of Example Bridge on Ethereum, Base on 2026-09-09; Key Compromise; Hot Wallet Key Compromised; $234,000 lost",
        url: "https://defillama.com/hacks",
        publisher: "DefiLlama",
        publishedAt: DateTime.makeUnsafe("2026-09-09T00:00:00Z"),
        firstSeenAt: DateTime.makeUnsafe(NOW),
        precision: "day"
      }
    )
  })

  rule("may lack amount, chain, technique and source; all share one address and none is lost for it", function* () {
    const items = yield* itemsOf(
      row({ name: "A", amount: null, returnedFunds: 5 }),
      { date: day(10), name: "B" },
      row({ name: "C", chain: null, technique: null, classification: "", amount: 0 })
    )
    assert.deepStrictEqual(items.map(({ title }) => title).toSorted(), ["A hacked", "B hacked", "C hacked"])
    assert.strictEqual(
      items.find(({ title }) => title === "B hacked")?.summary,
      "DefiLlama records a hack of B on 2026-09-10; amount not stated"
    )
    assert.include(items.find(({ title }) => title === "A hacked")?.summary ?? "", "amount not stated; $5 returned")
  })

  rule("come without order; only days that touch the last 96 hours are told, and none from the future", function* () {
    const items = yield* itemsOf(
      row({ name: "Long ago", date: day(1) }),
      row({ name: "Tomorrow", date: day(11) }),
      row({ name: "Edge", date: day(6) }),
      row({ name: "Past", date: day(5) }),
      row({ name: "Today", date: day(10) + 3_600 })
    )
    assert.deepStrictEqual(
      items
        .map(({ publishedAt, title }) => [title.split(" ")[0], DateTime.formatIso(publishedAt).slice(0, 16)])
        .toSorted(),
      [
        ["Edge", "2026-09-06T00:00"],
        ["Today", "2026-09-10T00:00"],
        ["Tomorrow", "2026-09-10T00:00"]
      ]
    )
  })

  rule("lose a bad row alone; names are cleaned; without a good row or with an empty list they failed", function* () {
    const bad = [
      row({ date: "yesterday" }),
      row({ name: "" }),
      row({ date: day(9) * 1000 }),
      null,
      row({ amount: "5" })
    ]
    const items = yield* itemsOf(...bad, row({ name: "<b>Bad</b><script>x</script>Guys" }))
    assert.deepStrictEqual(
      items.map(({ title }) => title),
      ["BadGuys hacked, $234,000 lost"]
    )
    assert.strictEqual((yield* Effect.flip(itemsOf(...bad))).reason._tag, "Undecodable")
    assert.strictEqual((yield* Effect.flip(itemsOf())).reason._tag, "Unusable")
  })
})

describe.skipIf(!hasRecordings)("recorded hacks (only where ../shared/samples is present)", () => {
  rule("are read", function* () {
    const rows: unknown = JSON.parse(recording("defillama/hacks.recorded-2026-09-14.json"))
    const recent = Effect.flatMap(
      llama(() => json(rows), { now: Date.UTC(2024, 1, 9, 12) }),
      ({ hacks }) => Effect.map(hacks.get, ({ value }) => value.map(({ title }) => title))
    )
    assert.deepStrictEqual(yield* recent, ["PlayDapp hacked, $290,000,000 lost"])
  })
})
