// What a person can write as a condition of `watch`.
import { assert } from "@effect/vitest"
import { Result } from "effect"
import { conditionOf } from "../../src/cli/WatchConditions.ts"
import { rule } from "../rulesOf.ts"

rule("a condition names a figure of a market or a coin, and a level or a move", function* () {
  const level = (isAbove: boolean, level: number) => ({ _tag: "Level", isAbove, level })
  const naira = (member: string) => ({ _tag: "Market", fiat: "NGN", member })
  const hour = 3_600_000
  for (const [written, figure, test] of [
    ["naira.mid > 1500", naira("mid"), level(true, 1500)],
    ["  naira.sell<1500.5 ", naira("sell"), level(false, 1500.5)],
    ["naira.premium < -0.5%", naira("premium"), level(false, -0.5)],
    ["p2p.kes.OFFICIAL > 130", { _tag: "Market", fiat: "KES", member: "official" }, level(true, 130)],
    [
      "price.a.b.c.Usd moved 5% 1h",
      { _tag: "Coin", id: "a.b.c", fiat: "USD", member: "price" },
      { _tag: "Move", verb: "moved", percent: 5, millis: hour }
    ],
    [
      "price.--3.ngn fell 0.5% 5m",
      { _tag: "Coin", id: "--3", fiat: "NGN", member: "price" },
      { _tag: "Move", verb: "fell", percent: 0.5, millis: hour / 12 }
    ],
    ["naira.buy rose 1000% 30d", naira("buy"), { _tag: "Move", verb: "rose", percent: 1000, millis: 720 * hour }],
    [
      "change_24h.bitcoin.usd < -10",
      { _tag: "Coin", id: "bitcoin", fiat: "USD", member: "change_24h" },
      level(false, -10)
    ]
  ] as const) {
    const read = Result.getOrThrow(conditionOf(written))
    assert.deepStrictEqual<unknown>([read.figure, read.test], [figure, test], written)
    assert.deepStrictEqual(Result.getOrThrow(conditionOf(read.text)), read)
  }
})

rule("a mistyped condition has a sentence that says what is meant", function* () {
  for (const [written, sentence] of [
    ["", "Figures are like naira.mid"],
    ["niara.mid > 1500", "Did you mean naira.mid?"],
    ["naira.mdi > 1500", "Did you mean naira.mid?"],
    ["p2p.KES.premum > 1", "Did you mean p2p.KES.premium?"],
    ["naira.kes.mid > 1", "Write it like naira.mid."],
    ["p2p.mid > 1", "Write it like p2p.KES.mid."],
    ["price.bitcoin > 1", "Write it like price.bitcoin.usd."],
    ["price.bitcoin@2026-11-20.usd > 1", "Write it like price.bitcoin.usd."],
    ["price.bitcoin.xyz > 1", "prices are in USD, NGN"],
    ["price.bitcoin.GBp > 1", "prices are in USD, NGN"],
    ["naira.mid >= 1500", '">="'],
    ["naira.mid mooved 5% 1h", "Did you mean moved?"],
    ["naira.mid", 'like "naira.mid > 1500"'],
    ["naira.mid > 1500 1h", 'like "naira.mid > 1500"'],
    ["naira.mid > 1,500", "without commas"],
    ["naira.mid > 1e400", "plain number"],
    ["naira.mid > 1500%", "plain number"],
    ["naira.mid > 0", "above 0"],
    ["naira.mid moved 5 1h", '"5" must be 0.5% to 99%'],
    ["naira.mid moved 0.4% 1h", "0.5% to 99%"],
    ["naira.mid fell 100% 1h", "0.5% to 99%"],
    ["naira.mid moved 5% 4m", '"4m" must be 5m to 30d'],
    ["naira.mid moved 5% 31d", "5m to 30d"],
    ["naira.mid moved 5% hour", "5m to 30d"],
    ["naira.premium moved 5% 1h", "Compare it with > or <"]
  ] as const) {
    const fault = Result.match(conditionOf(written), { onFailure: (fault) => fault, onSuccess: () => "no fault" })
    assert.include(fault, sentence)
    assert.include(fault, `"${written}": `)
  }
})
