import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Schema } from "effect"
import type { Coin } from "../../../src/domain/Coin.ts"
import type { OfficialRate } from "../../../src/domain/OfficialRate.ts"
import { releaseRates } from "../../../src/domain/releaseRates.ts"
import { isoCurrencies } from "../../../src/domain/Fiat.ts"
import { jump, rateJump } from "../../../src/domain/Thresholds.ts"
import * as Judge from "../../../src/services/judge/Judge.ts"
import * as Rules from "../../../src/services/judge/Rules.ts"
import { savedState } from "../../../src/services/judge/SavedState.ts"
import { coin, instant, NOW } from "../scripted.ts"

/** A figure of a source, observed at a minute. */
type Said = readonly [figure: number | null, source: string, minute: number]

const minuteOf = (minute: number) => NOW + minute * 60_000

const sourceOf = <R>(value: R, source: string, minute: number, key = "x", freshUntil = Infinity): Judge.Source<R> => {
  const at = instant(minuteOf(minute))
  return { rows: new Map([[key, { value, key: source, source, observedAt: at, retrievedAt: at }]]), freshUntil }
}

type Figure = number | null

const prices: Judge.Rules<Figure> = { figures: (figure) => [figure], jump: () => jump }

const see = <R>(rules: Judge.Rules<R>, state: Judge.State<R>, ...sources: ReadonlyArray<Judge.Source<R>>) =>
  Judge.step(rules, state, { sources, maxAge: Infinity }, minuteOf(1e6))

/** What is served after each of several rounds, in each of which the sources have something. */
const servedAfter = (rounds: ReadonlyArray<ReadonlyArray<Said>>, rules = prices) => {
  let state: Judge.State<Figure> = Judge.initial
  return rounds.map((said) => {
    state = see(rules, state, ...said.map(([figure, source, minute]) => sourceOf(figure, source, minute)))
    return state.rows.get("x")?.value
  })
}

/** Rounds of one source, a newer observation in each. */
const alone = (...figures: ReadonlyArray<Figure>) => servedAfter(figures.map((figure, n) => [[figure, "A", n]]))

describe("a jump", () => {
  it("is a figure more than five times as large or as small as the one served", () => {
    assert.deepStrictEqual(alone(1, 5), [1, 5])
    assert.deepStrictEqual(alone(1, 5.01), [1, 1])
    assert.deepStrictEqual(alone(1, 0.2), [1, 0.2])
    assert.deepStrictEqual(alone(1, 0.199), [1, 1])
  })

  it("is confirmed by two newer observations of its own source that go on in its direction within the factor", () => {
    assert.deepStrictEqual(alone(1, 10, 10, 10), [1, 1, 1, 10])
    assert.deepStrictEqual(alone(1, 10, 30, 90), [1, 1, 1, 90])
    assert.deepStrictEqual(alone(1, 10, 60, 60, 60), [1, 1, 1, 1, 60])
    assert.deepStrictEqual(alone(1, 10, 0.1, 10, 0.1), [1, 1, 1, 1, 1])
  })

  it("is not confirmed by the same observation read again, also after an older one", () => {
    const read = (minute: number): ReadonlyArray<Said> => [[10, "A", minute]]
    assert.deepStrictEqual(
      servedAfter([[[1, "A", 0]], read(1), read(1), read(2), read(1), read(2), read(2), read(3)]),
      [1, 1, 1, 1, 1, 1, 1, 10]
    )
  })

  it("is confirmed by another source that says the same, and passed over for one that says what was served", () => {
    const after = (a: number, b: number) =>
      servedAfter([
        [[1, "A", 0]],
        [
          [a, "A", 1],
          [b, "B", 1]
        ]
      ])
    assert.deepStrictEqual(after(10, 11), [1, 10])
    assert.deepStrictEqual(after(10, 1.2), [1, 1.2])
  })

  it("is not confirmed by its own repetition while another fresh source stands by the former figure", () => {
    const rounds = (freshUntil: number) => {
      let state: Judge.State<Figure> = see(prices, Judge.initial, sourceOf<Figure>(1, "A", 0))
      return [1, 2, 3, 4].map((minute) => {
        state = see(prices, state, sourceOf<Figure>(10, "A", minute), sourceOf<Figure>(1.1, "B", 0, "x", freshUntil))
        return state.rows.get("x")?.value
      })
    }
    assert.deepStrictEqual(rounds(Infinity), [1.1, 1.1, 1.1, 1.1])
    assert.deepStrictEqual(rounds(0), [1.1, 1.1, 10, 10])
  })

  it("has to be repeated without a figure like the former one between", () => {
    assert.deepStrictEqual(alone(1, 10, 10, 1, 10, 10), [1, 1, 1, 1, 1, 1])
  })

  it("is measured against the last served figure, also after rows without a figure", () => {
    const books = Rules.book("NGN", (figure: Figure) => figure)
    const rounds = [1500, 9000, null, 9000, 9000].map((figure, n): ReadonlyArray<Said> => [[figure, "A", n]])
    assert.deepStrictEqual(servedAfter(rounds, books), [1500, 1500, null, 1500, 9000])
    assert.deepStrictEqual(alone(10, null, 10_000), [10, 10, 10])
  })

  it("of a fiat rate is a change of more than 15 %", () => {
    const rates = { ...prices, jump: () => rateJump }
    const after = (...rounds: ReadonlyArray<ReadonlyArray<Said>>) =>
      servedAfter([[[1, "A", 0]], ...rounds], rates).slice(1)
    const alone = (rate: number, minute: number): ReadonlyArray<Said> => [[rate, "A", minute]]
    assert.deepStrictEqual(after(alone(1.15, 1)), [1.15])
    for (const rate of [1.16, 1.6, 0.85]) {
      assert.deepStrictEqual(after(alone(rate, 1), alone(rate, 1), alone(rate, 2), alone(rate, 3)), [1, 1, 1, rate])
      assert.deepStrictEqual(after([...alone(rate, 1), [1, "B", 1]]), [1])
      assert.deepStrictEqual(after([...alone(rate, 1), [rate * 1.04, "B", 1]]), [rate])
    }
  })

  it("of a currency that floats is followed while one source publishes it", () => {
    const rates = { ...prices, jump: () => rateJump }
    const floating = [57, 74, 78.1, 82.5, 87.1].map((rate, day): ReadonlyArray<Said> => [[rate, "A", day]])
    assert.deepStrictEqual(servedAfter(floating, rates), [57, 57, 57, 82.5, 87.1])
  })

  it("is judged by what its own data set said, where two of one bank have one name", () => {
    const said = (key: string, rate: number, day: number) => {
      const date = `2026-11-${day}`
      return sourceOf({ rate, date }, key, day, "")
    }
    const first = see(Rules.official, Judge.initial, said("nfem", 1400, 10), said("all", 1400, 10))
    const second = see(Rules.official, first, said("nfem", 2800, 11))
    const third = see(Rules.official, second, said("all", 2800, 12))
    assert.strictEqual(see(Rules.official, third, said("nfem", 2800, 13)).rows.get("")?.value.rate, 1400)
  })
})

describe("a source alone against two that agree", () => {
  const checked = { ...prices, isCrossChecked: true } as const
  const round = (a: number, b: number, c: number): ReadonlyArray<Said> => [
    [a, "A", 0],
    [b, "B", 0],
    [c, "C", 0]
  ]

  it("is passed over from a difference of 10 % on, in the first round as in later ones", () => {
    assert.deepStrictEqual(servedAfter([round(1.12, 1, 1.01)], checked), [1])
    assert.deepStrictEqual(servedAfter([round(1.1, 1, 1.01)], checked), [1.1])
    assert.deepStrictEqual(servedAfter([round(1, 1, 1), round(2, 1, 1)], checked), [1, 1])
  })

  it("serves where the two others do not agree, or where figures are not cross-checked", () => {
    assert.deepStrictEqual(servedAfter([round(2, 1, 1.5)], checked), [2])
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
      for (const figure of servedAfter(rounds, checked)) assert.isBelow(Math.abs((figure ?? 0) - 1), 0.12)
    }
  )
})

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

describe("what is saved", () => {
  const rules = Rules.coins
  const { from, text } = savedState(rules)
  const said = (price: number, minute: number) =>
    sourceOf(coin("a", { price, updated: instant(minuteOf(minute)) }), "A", minute, "a")

  it("lets a claim go on after a restart, and the last served row is served on", () => {
    const claimed = [said(10, 1), said(10, 2)]
    const before = claimed.reduce((state, one) => see(rules, state, one), see(rules, Judge.initial, said(1, 0)))
    const kept = Option.getOrThrow(from(text(before, [said(10, 2)]), instant(minuteOf(3))))
    const restored = { ...Judge.initial, ...kept }
    assert.strictEqual(see(rules, restored, said(10, 2)).rows.get("a")?.value.price, 1)
    assert.strictEqual(see(rules, restored, said(10, 3)).rows.get("a")?.value.price, 10)
    assert.isTrue(Option.isNone(from("{}", instant(minuteOf(3)))))
  })

  it("is checked like what is fetched: its figures and its times", () => {
    const now = instant(minuteOf(3))
    const kept = text(see(rules, Judge.initial, said(1, 0)), [])
    const rowOf = (text: string) => Option.getOrThrow(from(text, now)).former.get("a")?.row?.value.price
    assert.strictEqual(rowOf(kept), 1)
    assert.strictEqual(rowOf(kept.replace('"price":1,', '"price":1e300,')), null)
    const later = kept.replaceAll(DateTime.formatIso(instant(minuteOf(0))), "2099-01-01T00:00:00.000Z")
    assert.notStrictEqual(later, kept)
    assert.isUndefined(rowOf(later))
    const official = savedState(Rules.official)
    const rate = see(Rules.official, Judge.initial, sourceOf({ rate: 1400, date: "2026-11-20" }, "A", 0))
    const edited = official.text(rate, []).replace('"rate":1400', '"rate":-3')
    assert.deepStrictEqual(
      [...Option.getOrThrow(official.from(edited, now)).former.values()].map(({ row }) => row),
      [undefined]
    )
  })

  it("is bounded, whatever rows sources name", () => {
    let state: Judge.State<Figure> = Judge.initial
    for (let round = 0; round < 3; round++) {
      const rows = new Map(
        Array.from({ length: 9000 }, (_, n) => {
          const [row] = sourceOf<Figure>(n + 1, "A", round).rows.values()
          return [`${round} ${n}`, row ?? assert.fail()] as const
        })
      )
      state = see(prices, state, { rows, freshUntil: Infinity })
    }
    assert.isAtMost(state.former.size, 10_000)
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

it("a failing source comes after the others once its data is five of its intervals old", () => {
  const rows = (minute: number, isFailing: boolean) => {
    const one = sourceOf<Figure>(1, "A", 0)
    const [row] = one.rows.values()
    const freshUntil = Judge.freshUntil(row ?? assert.fail(), isFailing, 60_000)
    const sources = [{ ...one, freshUntil }, sourceOf<Figure>(1.1, "B", 0)]
    return Judge.step(prices, Judge.initial, { sources, maxAge: Infinity }, minuteOf(minute)).rows.get("x")?.source
  }
  assert.deepStrictEqual([rows(5, true), rows(6, true), rows(60, false)], ["A", "B", "A"])
})

it("a failing source gives way to one that answers or has a newer observation, not to one that fails too", () => {
  const [first, second] = [sourceOf<Figure>(1, "A", 0, "x", minuteOf(5)), sourceOf<Figure>(1.1, "B", 0)]
  const servedOf = (other: Judge.Source<Figure>) =>
    Judge.step(
      prices,
      Judge.initial,
      { sources: [{ ...first, isFailing: true }, other], maxAge: Infinity },
      minuteOf(6)
    )
  const sources = [
    { ...second, isFailing: true },
    { ...second, isFailing: false },
    { ...sourceOf<Figure>(1.1, "B", 1), isFailing: true }
  ]
  assert.deepStrictEqual(
    sources.map((other) => servedOf(other).rows.get("x")?.source),
    ["A", "B", "B"]
  )
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
