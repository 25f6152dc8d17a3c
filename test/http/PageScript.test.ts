// What the page's script computes without a browser. Its lines for other programs are in `Documents.test.ts`.
import { assert, describe, it } from "@effect/vitest"
import type { MarketHistory } from "../../src/http/page/browser/Answers.ts"
import { waitFor } from "../../src/http/page/browser/Clock.ts"
import { amount, coins, exact, fiatNamed, minus, money, percent } from "../../src/http/page/browser/Figures.ts"
import { pastOf, queryOf, spans } from "../../src/http/page/browser/Past.ts"
import { onlyOfficial } from "../../src/http/page/browser/Street.ts"
import { routeOf, titleOf } from "../../src/http/page/browser/Route.ts"

const DAY = 86_400_000

/** Noon, UTC. */
const now = Date.UTC(2026, 10, 27, 12)

const day = (before: number): string => new Date(now - before * DAY).toISOString().slice(0, 10)

type Point = MarketHistory["points"][number]

const point = (before: number, kind: Point["kind"], more: Partial<Point> = {}): Point => ({
  date: day(before),
  time: `${day(before)}T00:00:00.000Z`,
  final: before > 0,
  observed: `${day(before)}T11:00:00.000Z`,
  source: "A",
  buy: "1501",
  sell: "1499",
  mid: kind === null ? null : `${1500 + before}`,
  low: null,
  high: null,
  official: "1400",
  official_date: day(before),
  premium: null,
  confidence: null,
  kind,
  method: "p2p/1",
  fixing: null,
  revised: null,
  ...more
})

const history = (points: ReadonlyArray<Point>, from: string | null): MarketHistory => ({
  pair: "USDT/NGN",
  interval: "day",
  points,
  coverage: { from, to: day(0), missing: [] }
})

const [, , month = { name: "", step: DAY, slots: 30 }] = spans

describe("the past as the chart draws it", () => {
  const drawn = pastOf(
    history(
      [
        point(6, "order_book"),
        point(5, "order_book"),
        point(2, "order_book", { revised: `${day(1)}T03:00:00.000Z` }),
        point(1, null),
        point(0, "p2p")
      ],
      day(6)
    ),
    month,
    now
  )

  it("begins where the record does, and has a slot for each day", () => {
    assert.lengthOf(drawn.times, 7)
    assert.strictEqual(drawn.times[0], Date.parse(day(6)))
    assert.strictEqual(drawn.recordedSince, day(6))
  })

  it("never draws an order book as a street rate, and bridges no gap", () => {
    const valuesOf = Object.fromEntries(drawn.lines.map(({ look, values }) => [look, values]))
    assert.deepStrictEqual(valuesOf["main"], [null, null, null, null, null, null, 1500])
    assert.deepStrictEqual(valuesOf["book"], [1506, 1505, null, null, 1502, null, null])
    assert.deepStrictEqual(valuesOf["official"], [1400, 1400, null, null, 1400, 1400, 1400])
  })

  it("hatches only where nothing at all is known", () => assert.deepStrictEqual(drawn.gaps, [[2, 3]]))

  it("says of each day what is known of it, and what was corrected", () => {
    assert.strictEqual(
      drawn.remarks.at(-1),
      "₦1,500.00 street, buy ₦1,501.00, sell ₦1,499.00, official ₦1,400.00, so far. A"
    )
    assert.match(drawn.remarks[4] ?? "", /^₦1,502\.00 order book, .*, corrected 26 Nov 2026\. A$/)
    assert.match(drawn.remarks[5] ?? "", /^no market rate, .*official ₦1,400\.00\. A$/)
    assert.isNull(drawn.remarks[2])
  })

  it("has a slot for each week from Monday, and the running one", () => {
    const week = (monday: string): Point => ({ ...point(0, "p2p"), date: monday, time: `${monday}T00:00:00.000Z` })
    const weeks = pastOf(
      history([week("2026-11-09"), week("2026-11-23")], "2026-11-11"),
      { name: "", step: 7 * DAY, slots: 260 },
      now
    )
    assert.deepStrictEqual(
      weeks.times.map((time) => new Date(time).toISOString().slice(0, 10)),
      ["2026-11-09", "2026-11-16", "2026-11-23"]
    )
    assert.deepStrictEqual(weeks.gaps, [[1, 1]])
  })

  it("of an empty record is one slot without a line", () => {
    const none = pastOf(history([], null), month, now)
    assert.deepStrictEqual(none.lines, [])
    assert.lengthOf(none.times, 30)
  })

  it("is asked for in spans that the API answers", () => {
    assert.deepStrictEqual(
      spans.map((span) => queryOf(span, now)),
      [
        "?from=2026-11-26&interval=hour",
        "?from=2026-11-20&interval=hour",
        "",
        `?from=${day(89)}`,
        `?from=${day(364)}`,
        `?from=${day(259 * 7)}&interval=week`,
        `?from=${day(3659)}`
      ]
    )
  })
})

describe("figures for reading", () => {
  it("have two decimals from 1 up and four significant digits below, and one minus sign", () => {
    const written = ["1396.93924198", "0.99997", "0.0000123456", "0", "-3.5"].map((figure) => amount(Number(figure)))
    assert.deepStrictEqual(written, ["1,396.94", "1.00", "0.00001235", "0.00", "−3.50"])
    assert.strictEqual(money("NGN")(-3.5), "−₦3.50")
    assert.strictEqual(money("KES")(129.5), "KES 129.50")
    assert.strictEqual(percent(0.00733), "0.00733%")
    assert.strictEqual(coins(0.0000100123456789), "0.000010012346")
    assert.strictEqual(
      minus("Bitcoin changed -6.6%; a 3-day low of BTC-USD"),
      "Bitcoin changed −6.6%; a 3-day low of BTC-USD"
    )
  })

  it("have all digits that were sent in their title", () => {
    assert.strictEqual(exact("1437150052104.123456789"), "1,437,150,052,104.123456789")
    assert.strictEqual(exact("-1234.5"), "−1,234.5")
  })

  it("a fiat goes by its name where no other has it", () => {
    assert.deepStrictEqual(["naira", "Kenyan Shilling", "shilling", "bitcoin"].map(fiatNamed), [
      "NGN",
      "KES",
      undefined,
      undefined
    ])
  })
})

it("a result at an official rate that people do not pay says so", () => {
  const leg = { from: "USD", to: "VES", rate: "36.5", source: "A", updated: "2026-11-27T00:00:00.000Z" } as const
  const marked = { ...leg, basis: "official", street: "not_followed" } as const
  const said = "at the official rate of the Venezuelan Bolívar. People pay another rate, which is not known here"
  assert.strictEqual(onlyOfficial([marked]), said)
  assert.strictEqual(onlyOfficial([{ ...marked, from: "VES", to: "USD" }, leg]), said)
  assert.isUndefined(onlyOfficial([leg, { ...leg, basis: "official" }]))
})

it("addresses are read in any case, and what is none shows the first page", () => {
  assert.deepStrictEqual(routeOf("p2p/kes"), { view: "market", fiat: "KES" })
  assert.deepStrictEqual(routeOf("naira"), { view: "market", fiat: "NGN" })
  assert.deepStrictEqual(routeOf("coin/Bitcoin"), { view: "coin", id: "bitcoin" })
  assert.deepStrictEqual(routeOf("convert/usd/ngn"), { view: "convert", from: "usd", to: "ngn" })
  for (const path of ["", "p2p", "coin/", "convert/usd", "nothing", "%"])
    assert.deepStrictEqual(routeOf(path), { view: "home" })
  assert.strictEqual(titleOf(routeOf("coin/%E0%A4%A")), "%e0%a4%a: price, venues and history")
})

describe("where the user's clock is wrong", () => {
  it("a request is never further away than the pause before it", () => {
    assert.strictEqual(waitFor(Date.now() + DAY, 30), 30_000)
    assert.isAtMost(waitFor(Date.now() + 10_000, 30), 10_000)
    assert.strictEqual(waitFor(Date.now() - 1, 30), 0)
  })
})
