// What a run reads of its items, and what it keeps for the next.
import { assert, describe, it } from "@effect/vitest"
import { explain } from "../../src/why/Explain.ts"
import { readPool } from "../../src/why/Pool.ts"
import { inputFor, item, kadena } from "./support.ts"

const orchard = { ...kadena, id: "orchard", symbol: "ORCH", name: "Orchardia" }

const told = item({ id: "told", title: "Kadena bridge emptied of $40 million by unknown attacker" })
const other = item({ id: "other", title: "Orchardia bridge emptied of $30 million", url: "https://decrypt.co/1" })
const blog = item({ id: "blog", title: "A note on our plans", type: "project_blog", publisher: "Orchardia Labs" })

const idsAbout = (coinId: string, coins: ReadonlyArray<typeof kadena>) =>
  readPool([told, other, blog, told], coins)
    .about(coinId)
    .map((entry) => entry.item.id)

describe("a pool", () => {
  it("has each id once, and counts the publishers", () => {
    const pool = readPool([told, other, told], [])
    assert.deepStrictEqual(
      pool.items.map((entry) => entry.item.id),
      ["told", "other"]
    )
    assert.strictEqual(pool.publishers, 1)
  })

  it("tells which items name a coin, also one that the registry does not have", () => {
    assert.deepStrictEqual(idsAbout("kadena", [kadena, orchard]), ["told", "blog"])
    assert.deepStrictEqual(idsAbout("orchard", [kadena, orchard]), ["other", "blog"])
  })

  it("reads an item once in its life", () => {
    const [first, second] = [[kadena], [kadena, orchard]].map((coins) => readPool([told, other], coins).items)
    assert.isTrue(first?.every((entry, at) => entry === second?.[at]))
    const again = readPool([told, other], [kadena])
    assert.strictEqual(again.about("kadena")[0], first?.[0])
  })

  it("explains the same whether it was read before or not, for each mover and both ways", () => {
    const movers = [kadena, orchard].flatMap((coin) => [-18, 18].map((change) => ({ ...inputFor({ change }), coin })))
    const explainAll = () => {
      const evidence = [told, other, blog].map((one) => ({ ...one }))
      const fresh = movers.map(
        (input) => explain({ ...input, evidence: evidence.map((one) => ({ ...one })) }).explanation
      )
      const pool = readPool(evidence, [kadena, orchard])
      const shared = [1, 2].map(() => movers.map((input) => explain({ ...input, evidence }, pool).explanation))
      return { fresh, shared }
    }
    const { fresh, shared } = explainAll()
    assert.deepStrictEqual(shared, [fresh, fresh])
    assert.deepStrictEqual(
      fresh.map(({ status }) => status),
      ["explained", "unexplained", "explained", "unexplained"]
    )
  })
})
