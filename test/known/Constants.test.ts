// The figures that decide what is believed, and how often anyone may ask, a line each: none changes unnoticed. A
// change that is meant is recorded anew with `npx vitest run test/known/Constants.test.ts -u`.
import { expect, it } from "@effect/vitest"
import { planNames, usual } from "../../src/access/Plan.ts"
import { p2pMarkets } from "../../src/domain/P2pMarket.ts"
import * as Plausibility from "../../src/domain/Plausibility.ts"
import * as Thresholds from "../../src/domain/Thresholds.ts"
import { sourceCatalog } from "../../src/sources/catalog/SourceCatalog.ts"

it("bounds, markets, budgets and plans are those that are recorded", async () => {
  const figures = {
    ...Thresholds,
    ...Plausibility.bounds,
    ...p2pMarkets,
    ...Object.fromEntries(planNames.map((name) => [name, usual(name)])),
    ...Object.fromEntries(sourceCatalog.map((source) => [source.id, source]))
  }
  const lines = Object.entries(figures).map(([name, figure]) => `${name} ${JSON.stringify(figure)}\n`)
  await expect(lines.join("")).toMatchFileSnapshot("constants.txt")
})
