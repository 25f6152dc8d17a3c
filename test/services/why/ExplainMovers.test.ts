import { assert } from "@effect/vitest"

import { make as listOf } from "../../../src/domain/CoinList.ts"
import type { EvidenceItem } from "../../../src/domain/Evidence.ts"
import { explainAll } from "../../../src/services/why/ExplainMovers.ts"
import type { RunFacts } from "../../../src/why/RunFacts.ts"
import { coin, instant, NOW, report } from "../scripted.ts"
import { figurePages } from "../../../src/sources/catalog/SourceCatalog.ts"
import { rule } from "../../rulesOf.ts"

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

rule("the movers of a run are explained from what the feeds brought", function* () {
  const all = yield* explainAll([kadena, radix], factsOf(hack), new Map())
  assert.deepStrictEqual(
    all.map(({ status }) => status),
    ["explained", "unexplained"]
  )
})
