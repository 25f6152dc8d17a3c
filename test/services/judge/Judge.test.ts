import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Schema } from "effect"
import { rateJump } from "../../../src/domain/Thresholds.ts"
import * as Judge from "../../../src/services/judge/Judge.ts"
import * as Rules from "../../../src/services/judge/Rules.ts"
import { savedState } from "../../../src/services/judge/SavedState.ts"
import { coin, instant } from "../scripted.ts"
import { type Figure, minuteOf, prices, type Said, see, sourceOf } from "./judging.ts"

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
