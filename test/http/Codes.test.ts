// Codes and ids are read in any case of ASCII letters, and of no others: `ſ` is `S` in upper case, the Kelvin sign `k` in lower case.
import { assert } from "@effect/vitest"

import { get, sharedFriday } from "../RunningService.ts"
import { rulesIn } from "../rulesOf.ts"

rulesIn(sharedFriday)("a text that only Unicode folds to a code or an id", (rule) => {
  rule("is another one, on every path", function* () {
    for (const [path, status] of [
      ["/v1/price/bitcoin/usd", 400],
      ["/v1/convert?from=usd&to=ngn", 404],
      ["/v1/convert?from=fiat:usd&to=ngn", 404],
      ["/v1/p2p/kes", 404],
      ["/v1/coins/kaspa", 404],
      ["/v1/prices?ids=bitcoin&fiats=usd", 400],
      ["/v1/fx/history?quotes=usd", 400],
      ["/compat/yadio.io/rate/kes", 400],
      ["/compat/btcpay/api/rates?currencyPairs=kes_eur", 400],
      ["/compat/frankfurter/v2/rate/usd/eur", 422]
    ] as const) {
      assert.notStrictEqual((yield* get(path)).status, status, path)
      const folded = path.replace(/usd/, "u%C5%BFd").replace(/\bk(?=es|aspa)/, "%E2%84%AA")
      const { text, ...answer } = yield* get(folded)
      assert.strictEqual(answer.status, status, `${folded}: ${text}`)
    }
  })
})
