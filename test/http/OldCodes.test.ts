// Codes of fiats that another one has replaced: the answer names the successor, and since when.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { isoCurrencies } from "../../src/domain/Fiat.ts"
import { retiredCurrencies } from "../../src/domain/RetiredCurrencies.ts"
import { friday, get, pass, RunningService, withoutEvidence } from "../RunningService.ts"
import { jsonAt, refused } from "./support.ts"

describe("the table of old codes", () => {
  it("leads to codes in use, with a day and a source of each", () => {
    for (const [code, { since, source, successor }] of retiredCurrencies) {
      assert.isTrue(isoCurrencies.has(successor) && !retiredCurrencies.has(successor), code)
      assert.isBelow(Date.parse(since), friday, code)
      assert.match(source, /^https:/)
    }
    assert.includeMembers([...retiredCurrencies.keys()], ["HRK", "ZWL", "SLL", "VEF", "BGN", "ANG"])
  })
})

layer(RunningService.layer({ at: friday, config: withoutEvidence }))("an old code", (it) => {
  it.effect("is a 404 that names its successor, and is in no list of rates", () =>
    Effect.gen(function* () {
      yield* pass("20 seconds")
      const { rates } = (yield* jsonAt("/v1/fx")).data
      for (const [code, { since, successor }] of retiredCurrencies) {
        for (const [path, parameter] of [
          [`/v1/convert?from=${code}&to=USD`, "from"],
          [`/v1/convert?from=usd&to=${code.toLowerCase()}`, "to"],
          [`/v1/convert?from=bitcoin&to=fiat:${code}&basis=official`, "to"]
        ] as const) {
          const { detail, errors, suggestions } = yield* refused(path, 404, "unknown_asset")
          assert.strictEqual(detail, `"${code}" is no longer in use: ${successor} replaced it on ${since}.`, path)
          assert.deepStrictEqual([errors?.[0]?.parameter, suggestions?.map(({ id }) => id)], [parameter, [successor]])
        }
        assert.notProperty(rates, code)
        const { detail } = yield* refused(`/v1/p2p/${code}`, 404, "unknown_asset")
        assert.include(detail, `${successor} replaced it`)
        assert.isAtLeast((yield* get(`/compat/yadio.io/rate/${code}`)).status, 400)
      }
    })
  )
})
