import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { make as listOf } from "../../../src/domain/CoinList.ts"
import type { EvidenceItem } from "../../../src/domain/Evidence.ts"
import { explainAll, explainWith } from "../../../src/services/why/ExplainMovers.ts"
import type { RunFacts } from "../../../src/why/RunFacts.ts"
import { coin, instant, NOW, report } from "../scripted.ts"
import { figurePages } from "../../../src/sources/catalog/SourceCatalog.ts"

const kadena = coin("kadena", { name: "Kadena", change_24h: -20 })
const radix = coin("radix", { name: "Radix", change_24h: -20 })
const quiet = ["bitcoin", "ethereum", "solana", "dash"].map((id) => coin(id, { change_24h: 0.5 }))

const factsOf = (...items: ReadonlyArray<EvidenceItem>): RunFacts => ({
  asOf: instant(NOW),
  market: { coins: listOf([kadena, radix, ...quiet]), global: null, history: new Map() },
  source: "CoinGecko",
  observedAt: instant(NOW),
  figurePages,
  gathered: { items, sourcesOk: 5, sourcesFailed: [], freshShare: 1 },
  publicUrl: "https://api.example"
})

const hack = report("kadena", "Kadena bridge emptied of $40 million by unknown attacker", 1)
const radixHack = report("radix", "Radix bridge emptied of $40 million by unknown attacker", 1)

describe("the movers of a run", () => {
  it.effect("are explained from the feeds, and where those do not explain one, from what was found about it", () =>
    Effect.gen(function* () {
      const facts = factsOf(hack)
      const statusesWith = (found: ReadonlyMap<string, ReadonlyArray<EvidenceItem>>) =>
        Effect.map(explainAll([kadena, radix], facts, found), (all) =>
          all.map(({ explanation, needsSearch }) => [explanation.status, needsSearch])
        )
      assert.deepStrictEqual(yield* statusesWith(new Map()), [
        ["explained", false],
        ["unexplained", true]
      ])
      // It is searched for again: the feeds still do not explain it.
      assert.deepStrictEqual(yield* statusesWith(new Map([["radix", [radixHack]]])), [
        ["explained", false],
        ["explained", true]
      ])
      const [, unexplained] = yield* explainAll([kadena, radix], facts, new Map())
      if (unexplained === undefined) return assert.fail("not explained")
      assert.strictEqual((yield* explainWith(unexplained, facts, [radixHack])).explanation.status, "explained")
    })
  )
})
