import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Schema } from "effect"
import type { Coin } from "../../../src/domain/Coin.ts"
import { knownRates } from "../../../src/domain/QuotedFiat.ts"
import { choose, type Claims, type Jump, type Row, type RowsByKey } from "../../../src/services/refresh/choose.ts"
import {
  coinRows,
  fxRows,
  globalRows,
  hourlyRows,
  officialRows,
  quoteRows,
  type Rows,
  whole
} from "../../../src/services/refresh/Rows.ts"
import type { OfficialRate } from "../../../src/domain/OfficialRate.ts"
import * as Served from "../../../src/services/refresh/Served.ts"
import { coin, instant, NOW } from "../scripted.ts"

/** One figure of a source, observed at a minute. */
type Said = readonly [figure: number, source: string, minute: number]

const rowsOf = (said: ReadonlyArray<Said>): ReadonlyArray<RowsByKey<number>> =>
  said.map(([value, source, minute]) => {
    const at = instant(NOW + minute * 60_000)
    return new Map([["x", { value, key: source, source, observedAt: at, retrievedAt: at }]])
  })

/** What is served after each of several rounds, in each of which the sources hold something. */
const servedAfter = (rounds: ReadonlyArray<ReadonlyArray<Said>>, isCrossChecked = false, jump?: Jump) => {
  let former: RowsByKey<number> = new Map()
  let claims: Claims = new Map()
  return rounds.map((said) => {
    const choice = choose({
      sources: rowsOf(said),
      former,
      claims,
      isYoung: () => true,
      figures: (figure) => [figure],
      isCrossChecked,
      jump
    })
    former = choice.rows
    claims = choice.claims
    return choice.rows.get("x")?.value
  })
}

/** Rounds of one source, a newer observation in each. */
const alone = (...figures: ReadonlyArray<number>) => servedAfter(figures.map((figure, n) => [[figure, "A", n]]))

describe("a jump", () => {
  it("is a figure more than five times as large or as small as the one served", () => {
    assert.deepStrictEqual(alone(1, 5), [1, 5])
    assert.deepStrictEqual(alone(1, 5.01), [1, 1])
    assert.deepStrictEqual(alone(1, 0.2), [1, 0.2])
    assert.deepStrictEqual(alone(1, 0.199), [1, 1])
  })

  it("is believed after two newer observations of its own source, within a quarter of it", () => {
    assert.deepStrictEqual(alone(1, 10, 10, 10), [1, 1, 1, 10])
    assert.deepStrictEqual(alone(1, 10, 12.4, 12.4), [1, 1, 1, 12.4])
    assert.deepStrictEqual(alone(1, 10, 12.6, 12.6), [1, 1, 1, 1])
    assert.deepStrictEqual(alone(1, 10, 30, 90, 300), [1, 1, 1, 1, 1])
  })

  it("is not confirmed by the same observation read again, also after an older one", () => {
    const read = (minute: number): ReadonlyArray<Said> => [[10, "A", minute]]
    assert.deepStrictEqual(
      servedAfter([[[1, "A", 0]], read(1), read(1), read(2), read(1), read(2), read(2), read(3)]),
      [1, 1, 1, 1, 1, 1, 1, 10]
    )
  })

  it("is believed at once when another source says the same, and passed over for one that says what was served", () => {
    assert.deepStrictEqual(
      servedAfter([
        [[1, "A", 0]],
        [
          [10, "A", 1],
          [11, "B", 1]
        ]
      ]),
      [1, 10]
    )
    assert.deepStrictEqual(
      servedAfter([
        [[1, "A", 0]],
        [
          [10, "A", 1],
          [1.2, "B", 1]
        ]
      ]),
      [1, 1.2]
    )
  })

  it("has to be repeated without a figure like the former one between", () => {
    assert.deepStrictEqual(alone(1, 10, 10, 1, 10, 10), [1, 1, 1, 1, 1, 1])
  })

  it("is forgotten with its row: a source that names other rows each time fills no memory", () => {
    let claims: Claims = new Map()
    let former: RowsByKey<number> = new Map<string, never>()
    for (let round = 0; round < 100; round++) {
      const rows = new Map(Array.from({ length: 20 }, (_, n): [string, number] => [`${round}-${n}`, 1]))
      const jumped = [...former.keys()].map((key) => [key, 10] as [string, number])
      const at = instant(NOW + round)
      const held = new Map(
        [...rows, ...jumped].map(([key, value]) => [
          key,
          { value, key: "A", source: "A", observedAt: at, retrievedAt: at }
        ])
      )
      const choice = choose({ sources: [held], former, claims, isYoung: () => true, figures: (figure) => [figure] })
      claims = choice.claims
      former = new Map([...choice.rows].filter(([key]) => rows.has(key)))
      assert.isAtMost(claims.size, 20)
    }
  })

  it("of a fiat rate is a change of more than 15 %, which another source or two newer observations confirm", () => {
    const after = (...rounds: ReadonlyArray<ReadonlyArray<Said>>) =>
      servedAfter([[[1, "A", 0]], ...rounds], false, fxRows.jump).slice(1)
    const alone = (rate: number, minute: number): ReadonlyArray<Said> => [[rate, "A", minute]]
    assert.deepStrictEqual(after(alone(1.15, 1)), [1.15])
    for (const rate of [1.16, 1.6, 0.85]) {
      assert.deepStrictEqual(after(alone(rate, 1), alone(rate, 1), alone(rate, 2), alone(rate, 3)), [1, 1, 1, rate])
      for (const [other, served] of [
        [1, 1],
        [rate * 1.04, rate]
      ] as const) {
        assert.deepStrictEqual(after([...alone(rate, 1), [other, "B", 1]]), [served])
      }
    }
  })

  it("is judged by what its own data set said, where two of one bank have one name", () => {
    const rows = (key: string, rate: number, minute: number) =>
      officialRows.split({ ...snapshot({ rate, date: `2026-11-${20 + minute}` }, minute), key, source: "CBN" })
    const choice = (
      sources: ReadonlyArray<RowsByKey<OfficialRate>>,
      before: { rows: RowsByKey<OfficialRate>; claims: Claims }
    ) => choose({ ...officialRows, sources, former: before.rows, claims: before.claims, isYoung: () => true })
    const first = choice([rows("nfem", 1400, 0)], { rows: new Map(), claims: new Map() })
    // Each of two data sets repeats the other's jump once: neither has repeated its own twice.
    const second = choice([rows("nfem", 2800, 1)], first)
    const third = choice([rows("all_rates", 2800, 2)], second)
    assert.strictEqual(choice([rows("nfem", 2800, 3)], third).rows.get("")?.value.rate, 1400)
  })

  it("is nothing where there was no figure before", () => {
    assert.deepStrictEqual(alone(1e9), [1e9])
  })
})

describe("a source alone against two that agree", () => {
  const round = (a: number, b: number, c: number): ReadonlyArray<Said> => [
    [a, "A", 0],
    [b, "B", 0],
    [c, "C", 0]
  ]

  it("is passed over from a difference of 10 % on, in the first round as in later ones", () => {
    assert.deepStrictEqual(servedAfter([round(1.12, 1, 1.01)], true), [1])
    assert.deepStrictEqual(servedAfter([round(1.1, 1, 1.01)], true), [1.1])
    assert.deepStrictEqual(servedAfter([round(1, 1, 1), round(2, 1, 1)], true), [1, 1])
  })

  it("serves where the two others do not agree, or where figures are not cross-checked", () => {
    assert.deepStrictEqual(servedAfter([round(2, 1, 1.5)], true), [2])
    assert.deepStrictEqual(servedAfter([round(2, 1, 1)]), [2])
  })

  it.prop(
    "whatever one of three says, what is served is near what the two others agree on",
    {
      liar: Schema.Literals(["A", "B", "C"]),
      lies: Schema.Array(Schema.Finite.check(Schema.isGreaterThan(0))).check(Schema.isMaxLength(8))
    },
    ({ liar, lies }) => {
      const rounds = lies.map((figure, n) =>
        ["A", "B", "C"].map((source): Said => [source === liar ? figure : 1 + n / 1000, source, n])
      )
      for (const figure of servedAfter(rounds, true)) assert.isBelow(Math.abs((figure ?? 0) - 1), 0.12)
    }
  )
})

describe("a price that is missing", () => {
  const rows = (price: number | null, source: string, minute: number) =>
    coinRows.split({
      ...snapshot([coin("a", { price, updated: instant(NOW + minute * 60_000) })], minute),
      key: source,
      source
    })
  const options = { ...coinRows, isYoung: () => true }

  it("is taken from the next source that has it", () => {
    const sources = [rows(null, "A", 0), rows(7, "B", 0)]
    assert.strictEqual(choose({ ...options, sources, former: new Map(), claims: new Map() }).rows.get("a")?.source, "B")
  })

  it("of two sources does not outvote the price of a third", () => {
    const sources = [rows(5, "A", 0), rows(null, "B", 0), rows(null, "C", 0)]
    assert.strictEqual(
      choose({ ...options, sources, former: new Map(), claims: new Map() }).rows.get("a")?.value.price,
      5
    )
  })

  it("is no jump where it comes", () => {
    const former = rows(null, "A", 0)
    assert.strictEqual(
      choose({ ...options, sources: [rows(7, "A", 1)], former, claims: new Map() }).rows.get("a")?.value.price,
      7
    )
  })

  it("is null where no source has it", () => {
    const choice = choose({ ...options, sources: [rows(null, "A", 0)], former: new Map(), claims: new Map() })
    assert.isNull(choice.rows.get("a")?.value.price)
  })
})

const snapshot = <A>(value: A, minute: number): Row<A> => ({
  value,
  key: "A",
  source: "A",
  observedAt: instant(NOW + minute * 60_000),
  retrievedAt: instant(NOW + minute * 60_000)
})

it("a row is never newer than its retrieval", () => {
  const ahead = instant(NOW + 3_600_000)
  const [row] = coinRows.split(snapshot([coin("a", { updated: ahead })], 0)).values()
  assert.strictEqual(row?.observedAt.epochMilliseconds, NOW)
})

const forever = Duration.hours(1e6)
const serving = <A, R>(rows: Rows<A, R>) =>
  Served.make({ name: "test", rows, maxAge: forever, staleAfter: forever, grace: forever })

/** What is served of several answers of one source, a minute apart. */
const served = <A, R>(rows: Rows<A, R>, ...answers: ReadonlyArray<A>) => {
  const { decide, origin } = serving(rows)
  return answers.map((value, minute) => {
    const answer = snapshot(value, minute)
    Effect.runSync(decide([{ key: "A", snapshot: answer, rows: rows.split(answer), isFailing: false }]))
    return origin.value?.value
  })
}

it("what a restart begins with is never the figure of another source, which stands in for one that is held back", () => {
  const { believed, decide } = serving(coinRows)
  const held = (source: string, price: number, ...others: ReadonlyArray<string>) => {
    const coins = [coin("a", { price }), ...others.map((id) => coin(id))]
    const said = { ...snapshot(coins, price), key: source, source: "the same bank" }
    return { key: source, snapshot: said, rows: coinRows.split(said), isFailing: false }
  }
  const idsOf = (one: ReturnType<typeof held>) => believed(one).value.map(({ id, price }) => [id, price])
  Effect.runSync(decide([held("A", 1, "b")]))
  assert.deepStrictEqual(idsOf(held("A", 10, "b")), [
    ["a", 1],
    ["b", 1]
  ])
  Effect.runSync(decide([held("A", 10, "b"), held("B", 1.1)]))
  assert.deepStrictEqual(idsOf(held("A", 10, "b")), [["b", 1]])
  assert.strictEqual(believed(held("A", 10)).observedAt.epochMilliseconds, 0)
})

it("what a restart begins with has the time of the figure that is kept, not of the one that is held back", () => {
  const rows = whole<number>((figure) => [figure])
  const { believed, decide } = serving(rows)
  const held = (figure: number, minute: number) => {
    const said = snapshot(figure, minute)
    return { key: "A", snapshot: said, rows: rows.split(said), isFailing: false }
  }
  Effect.runSync(decide([held(1, 0)]))
  const { observedAt, value } = believed(held(10, 1))
  assert.deepStrictEqual([value, observedAt], [1, snapshot(1, 0).observedAt])
})

describe("what is compared", () => {
  it("is a coin's price, also where it is no longer named; the other coins go on", () => {
    const prices = (later: number | null) =>
      served(
        coinRows,
        [coin("a", { price: 10 })],
        ...[1, 2, 3].map((minute) => [
          coin("a", { price: later, updated: instant(NOW + minute) }),
          coin("b", { price: minute })
        ])
      ).map((list) => list?.map(({ price }) => price))
    assert.deepStrictEqual(prices(10_000), [[10], [10, 1], [10, 2], [10_000, 3]])
    assert.deepStrictEqual(prices(null), [[10], [10, 1], [10, 2], [null, 3]])
    assert.deepStrictEqual(prices(11), [[10], [11, 1], [11, 2], [11, 3]])
  })

  it("is a first price of USDT with 1 USD, and no other coin's first price with anything", () => {
    const first = (id: string, price: number) => served(coinRows, [coin(id, { price })])[0]?.map(({ price }) => price)
    assert.deepStrictEqual(
      [first("tether", 0.3), first("tether", 0.19), first("tether", 17)],
      [[0.3], undefined, undefined]
    )
    assert.deepStrictEqual([first("a", 0.19), first("a", 17)], [[0.19], [17]])
  })

  it("is a quote in a fiat, with its time, while the other fiat's goes on", () => {
    const quotes = (eur: number, jpy: number, minute: number) =>
      new Map([
        [
          "bitcoin",
          new Map([
            ["EUR", { price: eur, change_24h: 1, updated: instant(NOW + minute) }],
            ["JPY", { price: jpy, change_24h: 1, updated: instant(NOW + minute) }]
          ])
        ]
      ])
    const [, after] = served(quoteRows, quotes(80_000, 14e6, 0), quotes(80_000_000, 15e6, 1))
    assert.deepStrictEqual(after?.get("bitcoin")?.get("EUR"), quotes(80_000, 0, 0).get("bitcoin")?.get("EUR"))
    assert.deepStrictEqual(after?.get("bitcoin")?.get("JPY"), quotes(0, 15e6, 1).get("bitcoin")?.get("JPY"))
  })

  it("is the whole market's cap, volume and shares, and not the number of its coins", () => {
    const market = {
      market_cap: 3e12,
      volume_24h: 1e11,
      market_cap_change_24h: 1,
      btc_dominance: 58,
      eth_dominance: 12,
      active_coins: 2000
    }
    for (const change of [{ market_cap: 3e13 }, { volume_24h: 0 }, { btc_dominance: 5 }, { eth_dominance: 90 }]) {
      const next = { ...market, ...change, active_coins: 2001 }
      assert.deepStrictEqual(served(globalRows, market, next, next, next).slice(1), [market, market, next])
    }
    const counted = { ...market, active_coins: 17_000 }
    assert.deepStrictEqual(served(globalRows, market, counted).slice(1), [counted])
  })

  it("is a coin's hourly prices, by the last of them", () => {
    const series = (last: number) => [{ id: "a", end: instant(NOW), prices: [last, last] }]
    assert.deepStrictEqual(served(hourlyRows, series(10), series(10_000)).slice(1), [series(10)])
    assert.deepStrictEqual(served(hourlyRows, series(10), series(20)).slice(1), [series(20)])
  })

  it("is a fiat rate, with its day; a first rate is compared with the one known of old", () => {
    const rates = (EUR: number, day: string) => ({ rates: { EUR }, observed: { EUR: day } })
    const [before, after] = served(fxRows, rates(0.9, "2026-11-19"), rates(9, "2026-11-20"))
    assert.deepStrictEqual([before?.rates, after?.rates], [{ EUR: 0.9 }, { EUR: 0.9 }])
    assert.deepStrictEqual(after?.observed, { EUR: "2026-11-19" })
    assert.deepStrictEqual(served(fxRows, rates((knownRates["EUR"] ?? 1) * 10, "2026-11-19")), [undefined])
    // A rate for tomorrow is the same observation each time it is read.
    const tomorrow = rates(9, "2026-11-21")
    assert.strictEqual(served(fxRows, rates(0.9, "2026-11-20"), ...Array(4).fill(tomorrow)).at(-1)?.rates["EUR"], 0.9)
    const official = (rate: number, date: string) => ({ rate, date })
    const later = official(14_000, "2026-11-21")
    assert.strictEqual(
      served(officialRows, official(1400, "2026-11-20"), later, later, later, later).at(-1)?.rate,
      1400
    )
  })
})

describe("a cap, a supply or a volume", () => {
  const rows = (key: string, fields: Parameters<typeof coin>[1]) =>
    coinRows.split({ ...snapshot([coin("a", fields)], 0), key, source: key })
  const served = (...said: ReadonlyArray<Parameters<typeof coin>[1]>) =>
    choose({
      ...coinRows,
      sources: said.map((fields, n) => rows(`${n}`, fields)),
      former: new Map(),
      claims: new Map(),
      isYoung: () => true
    }).rows.get("a")?.value

  for (const figure of ["market_cap", "volume_24h", "circulating_supply", "total_supply", "max_supply"] as const) {
    it(`is null more than tenfold away from that of every other source that has one: ${figure}`, () => {
      const of = (...figures: ReadonlyArray<number | null>) =>
        served(...figures.map((value) => ({ [figure]: value })))?.[figure]
      assert.deepStrictEqual([of(1, 1000), of(1000, 1), of(1, 11, null)], [null, null, null])
      assert.deepStrictEqual([of(1, 10), of(1, 1000, 2), of(1), of(1, null)], [1, 1, 1, 1])
      assert.strictEqual(served({ [figure]: 1 }, { [figure]: 1000 })?.price, 1)
    })
  }

  it("that is left out does not replace the row at each choice", () => {
    const sources = [rows("A", { market_cap: 1 }), rows("B", { market_cap: 1000 })]
    const choice = (former: RowsByKey<Coin>) =>
      choose({ ...coinRows, sources, former, claims: new Map(), isYoung: () => true }).rows
    const first = choice(new Map())
    assert.strictEqual(choice(first).get("a"), first.get("a"))
  })
})

describe("a witness", () => {
  const chosen = (witness: ReadonlyArray<Said>, sources: ReadonlyArray<Said>) => {
    const [seen] = rowsOf(witness)
    const options = { former: new Map(), claims: new Map(), isYoung: () => true, figures: (figure: number) => [figure] }
    return choose({ ...options, sources: rowsOf(sources), witness: seen, isCrossChecked: true }).rows.get("x")?.source
  }

  it("counts as a voice against a source that is alone, and is never served", () => {
    const sources: ReadonlyArray<Said> = [
      [100, "A", 0],
      [1, "B", 0]
    ]
    assert.strictEqual(chosen([[1.05, "exchanges", 0]], sources), "B")
    assert.strictEqual(chosen([[99, "exchanges", 0]], sources), "A")
    assert.isUndefined(chosen([[1, "exchanges", 0]], []))
  })
})
