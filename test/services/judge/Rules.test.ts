// What is peculiar to coins, fiat rates and the official rate.
import { assert, describe, it } from "@effect/vitest"
import type { Coin } from "../../../src/domain/Coin.ts"
import type { OfficialRate } from "../../../src/domain/OfficialRate.ts"
import { releaseRates } from "../../../src/domain/releaseRates.ts"
import { isoCurrencies } from "../../../src/domain/Fiat.ts"
import * as Judge from "../../../src/services/judge/Judge.ts"
import * as Rules from "../../../src/services/judge/Rules.ts"
import { coin, instant, NOW } from "../scripted.ts"
import { minuteOf, see, sourceOf } from "./judging.ts"

describe("a price that is missing", () => {
  const said = (price: number | null, source: string, minute: number) =>
    sourceOf(coin("a", { price, updated: instant(minuteOf(minute)) }), source, minute, "a")
  const served = (state: Judge.State<Coin>) => state.rows.get("a")

  it("is taken from the next source that has it, and does not outvote it", () => {
    assert.strictEqual(served(see(Rules.coins, Judge.initial, said(null, "A", 0), said(7, "B", 0)))?.source, "B")
    const state = see(Rules.coins, Judge.initial, said(5, "A", 0), said(null, "B", 0), said(null, "C", 0))
    assert.strictEqual(served(state)?.value.price, 5)
  })

  it("is the last served one while that is young, and null where no source ever had it", () => {
    const first = see(Rules.coins, Judge.initial, said(5, "A", 0))
    const later = (minute: number) =>
      Judge.step(Rules.coins, first, { sources: [said(null, "A", minute)], maxAge: 3_600_000 }, minuteOf(minute))
    assert.strictEqual(served(later(60))?.value.price, 5)
    assert.isNull(served(later(61))?.value.price)
    assert.isNull(served(see(Rules.coins, Judge.initial, said(null, "A", 0)))?.value.price)
  })
})

describe("the price of a stablecoin", () => {
  const said = (price: number, key: string, minute: number) =>
    sourceOf(coin("tether", { price, updated: instant(minuteOf(minute)) }), key, minute, "tether")
  const after = (...rounds: ReadonlyArray<ReadonlyArray<Judge.Source<Coin>>>) => {
    const state = rounds.reduce((state, round) => see(Rules.coins, state, ...round), Judge.initial as Judge.State<Coin>)
    return state.rows.get("tether")?.value.price
  }
  const exchanges = (price: number, minute: number) => said(price, Rules.EXCHANGES, minute)

  it("leaves the former one by more than 3 % once a source of another kind says the same, and never by repetition", () => {
    const held = [[exchanges(1, 0)], [exchanges(0.96, 1)], [exchanges(0.96, 2)], [exchanges(0.96, 3)]]
    assert.strictEqual(after(...held), 1)
    assert.strictEqual(after(...held, [exchanges(0.96, 4), said(0.965, "CoinGecko", 4)]), 0.96)
    assert.strictEqual(after([exchanges(1, 0)], [exchanges(1.025, 1)]), 1.025)
    const aggregators = [said(0.9, "CoinGecko", 1), said(0.9, "CoinPaprika", 1)]
    assert.strictEqual(after([said(1, "CoinGecko", 0)], aggregators), 1)
  })

  it("is compared with 1 USD at first", () => {
    assert.strictEqual(after([exchanges(1.5, 0), said(1.001, "CoinGecko", 0)]), 1.001)
    assert.isUndefined(after([exchanges(1.5, 0)]))
  })
})

describe("a first rate", () => {
  const said = (rate: number, source: string, day: string, code = "EUR") => sourceOf({ rate, day }, source, 0, code)
  const [friday, saturday] = ["2026-11-20", "2026-11-21"]
  const euro = releaseRates["EUR"] ?? 0
  const served = (state: Judge.State<Rules.FxRow>, code = "EUR") => state.rows.get(code)?.value.rate

  it("has a figure of the release for each code", () => {
    for (const code of isoCurrencies) assert.property(releaseRates, code)
  })

  it("of two sources that differ by more than 5 % is the one nearer to the release, and none more than 1.5 away", () => {
    const first = (a: number, b: number) =>
      see(Rules.fx, Judge.initial, said(euro * a, "A", saturday), said(euro * b, "B", friday))
    const upsideDown = first(1 / euro ** 2, 1.01)
    assert.strictEqual(served(upsideDown), euro * 1.01)
    assert.deepStrictEqual(upsideDown.passedOver, [{ key: "EUR", dataSet: "A", source: "A", why: "differs" }])
    assert.strictEqual(served(first(1.2, 1.01)), euro * 1.01)
    assert.strictEqual(served(first(1.3, 1.2)), euro * 1.2)
    assert.isUndefined(served(first(1.6, 1.8)))
    assert.strictEqual(served(first(1.6, 1.62)), euro * 1.6)
  })

  it("is the same whichever of two sources came first", () => {
    const [wrong, right] = [said(euro * 1.2, "A", saturday), said(euro * 1.01, "B", friday)]
    for (const first of [wrong, right]) {
      const state = see(Rules.fx, see(Rules.fx, Judge.initial, first), wrong, right)
      assert.strictEqual(served(state), euro * 1.01)
    }
  })

  it("is compared with the own record if there is one", () => {
    const seen = { sources: [said(5, "A", friday)], maxAge: Infinity }
    assert.isUndefined(served(Judge.step(Rules.fx, Judge.initial, seen, NOW)))
    assert.strictEqual(served(Judge.step(Rules.fx, Judge.initial, { ...seen, recorded: () => [4.9] }, NOW)), 5)
  })

  it("that was wrong does not keep the right one away", () => {
    const wrong = see(Rules.fx, Judge.initial, said(1 / 50, "A", friday, "EGP"), said(50, "B", friday, "EGP"))
    assert.strictEqual(served(see(Rules.fx, wrong, said(49.2, "A", saturday, "EGP")), "EGP"), 49.2)
  })

  it("is taken of the later day where two agree within the jump", () => {
    const first = see(Rules.fx, Judge.initial, said(euro, "A", friday), said(euro * 1.01, "B", saturday))
    assert.strictEqual(served(first), euro * 1.01)
  })

  it("is the one nearer to the former figure where two differ by more than 5 % later, also of an earlier day", () => {
    const first = see(Rules.fx, Judge.initial, said(euro, "A", friday), said(euro * 1.01, "B", friday))
    for (const wrong of [0.893, 1.12]) {
      const later = see(Rules.fx, first, said(euro * wrong, "A", saturday), said(euro, "B", friday))
      assert.strictEqual(served(later), euro)
      assert.deepStrictEqual(later.passedOver, [{ key: "EUR", dataSet: "A", source: "A", why: "differs" }])
    }
  })
})

describe("three sources of one rate", () => {
  const said = (rate: number, source: string, date: string) => sourceOf({ rate, date }, source, 0, "")
  const [former, today] = ["2026-11-20", "2026-11-23"]
  const served = (state: Judge.State<OfficialRate>) => state.rows.get("")?.value.rate
  const three = (a: number, b: number, c: number, day: string) => [
    said(a, "A", day),
    said(b, "B", day),
    said(c, "C", former)
  ]

  it("follow a devaluation that two of them have, whatever the third still says", () => {
    const first = see(Rules.official, Judge.initial, ...three(1400, 1400, 1400, former))
    for (const factor of [1.06, 1.4, 0.8]) {
      const rate = 1400 * factor
      assert.strictEqual(served(see(Rules.official, first, ...three(rate, rate, 1400, today))), rate)
      assert.strictEqual(served(see(Rules.official, first, ...three(rate, 1400, 1400, today))), 1400)
    }
  })

  it("outvote one at first, though it is the nearest to the release", () => {
    const release = releaseRates["NGN"] ?? 0
    const state = see(Rules.official, Judge.initial, ...three(release, release * 1.1, release * 1.1, former))
    assert.strictEqual(served(state), release * 1.1)
  })
})

describe("a cap, a supply or a volume", () => {
  const served = (...said: ReadonlyArray<Parameters<typeof coin>[1]>) =>
    see(Rules.coins, Judge.initial, ...said.map((fields, n) => sourceOf(coin("a", fields), `${n}`, 0, "a"))).rows.get(
      "a"
    )?.value

  for (const figure of ["market_cap", "volume_24h", "circulating_supply", "total_supply", "max_supply"] as const) {
    it(`is null more than tenfold away from that of every other source that has one: ${figure}`, () => {
      const of = (...figures: ReadonlyArray<number | null>) =>
        served(...figures.map((value) => ({ [figure]: value })))?.[figure]
      assert.deepStrictEqual([of(1, 1000), of(1000, 1), of(1, 11, null)], [null, null, null])
      assert.deepStrictEqual([of(1, 10), of(1, 1000, 2), of(1), of(1, null)], [1, 1, 1, 1])
      assert.strictEqual(served({ [figure]: 1 }, { [figure]: 1000 })?.price, 1)
    })
  }

  it("that is left out does not replace the row at each step", () => {
    const sources = [1, 1000].map((cap) => sourceOf(coin("a", { market_cap: cap }), `${cap}`, 0, "a"))
    const first = see(Rules.coins, Judge.initial, ...sources)
    assert.strictEqual(see(Rules.coins, first, ...sources).rows.get("a"), first.rows.get("a"))
  })
})

it("two data sets of one source do not confirm each other, and do not overrule another source", () => {
  const rate = (dataSet: string, source: string, rate: number): Judge.Source<OfficialRate> => {
    const { rows, ...one } = sourceOf<OfficialRate>({ rate, date: "2026-01-02" }, source, 0)
    return { ...one, rows: new Map([...rows].map(([key, row]) => [key, { ...row, key: dataSet }])) }
  }
  const both = [rate("window", "Bank", 1_380_000), rate("table", "Bank", 1_380_500)]
  const served = (...others: ReadonlyArray<Judge.Source<OfficialRate>>) =>
    see(Rules.official, Judge.initial, ...both, ...others).rows.get("x")?.value.rate
  assert.deepStrictEqual([served(), served(rate("copy", "Copy", 1381))], [undefined, 1381])
})
