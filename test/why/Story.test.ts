// One story, one sense: what links an item to a coin beside its name.
import { assert, describe, it } from "@effect/vitest"
import type { EvidenceItem } from "../../src/domain/Evidence.ts"
import { explain } from "../../src/why/Explain.ts"
import { at, inputFor, item, kadena } from "./support.ts"

const orchard = { ...kadena, id: "orchard", symbol: "ORCH", name: "Orchard" }

/** How surely an item is linked to the coin, among others; 0 where it is not. */
const linkOf = (one: EvidenceItem, others: ReadonlyArray<EvidenceItem>, coin = kadena): number => {
  const { analysis } = explain({ ...inputFor({ change: -18, evidence: [one, ...others] }), coin })
  return analysis.scored.find(({ entry }) => entry.item.id === one.id)?.link.strength ?? 0
}

const sure = item({
  id: "sure",
  title: "Kadena builder Vantro Works files for protection from creditors",
  summary: "The filing in Delaware lists debts of $80 million."
})

const other = (title: string, summary = ""): EvidenceItem =>
  item({ id: "other", title, summary, url: "https://www.reuters.com/other", publisher: "Reuters", publishedAt: at(4) })

describe("a story", () => {
  it("links an item that tells what a sure report tells", () => {
    const same = other("Delaware court takes $80 million bankruptcy of ledger firm", "Vantor creditors meet in May.")
    assert.strictEqual(linkOf(same, []), 0)
    assert.isAtLeast(linkOf({ ...same, summary: "" }, [{ ...sure, title: "Kadena's Vantor files in Delaware" }]), 0.5)
    const told = { ...sure, title: "Kadena lab Vantor goes bankrupt in Delaware" }
    assert.isAtLeast(linkOf(same, [told]), 0.5)
    assert.strictEqual(linkOf(other("Harvest fair opens in Oslo"), [told]), 0)
  })

  it("settles whether a word is the coin", () => {
    const said = other("Delaware court takes over Orchard debts of $80 million")
    const sureOfIt = { ...sure, title: "Orchard (ORCH) protocol files for protection in Delaware" }
    assert.strictEqual(linkOf(said, [], orchard), 0)
    assert.isAtLeast(linkOf(said, [sureOfIt], orchard), 0.7)
    assert.strictEqual(linkOf(other("Apple Orchard opens to visitors"), [sureOfIt], orchard), 0)
  })

  it("does not take what is another coin's, nor what came days before", () => {
    const told = { ...sure, title: "Kadena goes bankrupt in Delaware over loan to Vantor" }
    const same = "Delaware takes $80 million bankruptcy of Vantor"
    assert.isAtLeast(linkOf(other(same), [told]), 0.5)
    assert.strictEqual(linkOf(other(`Solana lender in ${same}`), [told]), 0)
    assert.strictEqual(linkOf({ ...other(same), publishedAt: at(40), firstSeenAt: at(40) }, [told]), 0)
  })
})
