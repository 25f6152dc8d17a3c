// What the page's script computes without a browser. Its lines for other programs are in `Documents.test.ts`.
import { assert, describe, it } from "@effect/vitest"
import type { MarketHistory } from "../../src/http/page/browser/Answers.ts"
import { budgetFrom, PERIOD } from "../../src/http/page/browser/Budget.ts"
import {
  amount,
  coins,
  exact,
  fiatsNamed,
  minus,
  money,
  percent,
  product
} from "../../src/http/page/browser/Figures.ts"
import { pastOf, queryOf, spans } from "../../src/http/page/browser/Past.ts"
import { firstPaths, routeOf } from "../../src/http/page/browser/Route.ts"
import { titleOf } from "../../src/http/page/browser/Title.ts"

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
        point(0, "p2p", { fixing: "1501" })
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
    assert.deepStrictEqual(valuesOf["carried"], [null, 1400, 1400, 1400, 1400, null, null], "until the next one")
    assert.deepStrictEqual(valuesOf["fixing"], [null, null, null, null, null, null, 1501])
  })

  it("hatches only where nothing at all is known: an official rate holds for a week", () => {
    assert.deepStrictEqual(drawn.gaps, [])
    const old = pastOf(history([point(12, "p2p"), point(0, "p2p")], day(12)), month, now)
    assert.deepStrictEqual(old.gaps, [[8, 11]])
  })

  it("says of each day what is known of it, and what was corrected", () => {
    assert.strictEqual(
      drawn.remarks.at(-1),
      "₦1,500.00 street, buy ₦1,501.00, sell ₦1,499.00, official ₦1,400.00, fixing ₦1,501.00"
    )
    assert.match(drawn.remarks[4] ?? "", /^₦1,502\.00 order book, .*, corrected 26 Nov 2026$/)
    assert.match(drawn.remarks[5] ?? "", /^no market rate, .*official ₦1,400\.00$/)
    assert.isNull(drawn.remarks[2])
    assert.deepStrictEqual(drawn.sources, ["A", "A", null, null, "A", "A", "A"])
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
    assert.strictEqual(percent(0.00733), "0.007330%")
    assert.strictEqual(coins(0.0000100123456789), "0.000010012346")
    assert.strictEqual(minus("It changed -6.6%; a 3-day low of BTC-USD"), "It changed −6.6%; a 3-day low of BTC-USD")
  })

  it("have all digits that were sent in their title", () => {
    assert.strictEqual(exact("1437150052104.123456789"), "1,437,150,052,104.123456789")
    assert.strictEqual(exact("-1234.5"), "−1,234.5")
  })

  it("a fiat goes by the name that people use; where several have it, all are offered", () => {
    const sure = ["naira", "Kenyan Shilling", "dollar", "Pounds", "euros", "cedi", "shilling", "bitcoin"]
    assert.deepStrictEqual(
      sure.map((name) => fiatsNamed(name).sure),
      ["NGN", "KES", "USD", "GBP", "EUR", "GHS", undefined, undefined]
    )
    assert.includeMembers([...fiatsNamed("shillings").others], ["KES", "TZS", "UGX"])
    assert.notInclude(fiatsNamed("dollar").others, "USD")
  })

  it("an amount times a rate is exact", () => {
    assert.strictEqual(
      product("1234567.5", "1389.13297257"),
      `${12345675n * 138913297257n}`.replace(/(\d{9})$/, ".$1").replace(/0+$/, "")
    )
    assert.strictEqual(product("0.1", "0.2"), "0.02")
    assert.strictEqual(product("250", "4"), "1000")
  })
})

describe("the page's requests", () => {
  /** How many requests are allowed in a span of milliseconds to who asks every 100 ms. */
  const spent = (from: number, span: number, budget = budgetFrom(from)) => {
    let count = 0
    for (let now = from; now < from + span; now += 100) {
      if (budget.wait(now) > 0) continue
      budget.spend(now)
      count++
    }
    return count
  }

  it("are at most 119 in an hour beside the document, however many are wanted, and 80 in each further hour", () => {
    const budget = budgetFrom(0)
    assert.isAtMost(spent(0, 3_600_000, budget), 119)
    assert.isAtMost(spent(3_600_000, 3_600_000, budget), 80)
  })

  it("may come at once while there are some to spare, and one a period after that", () => {
    const budget = budgetFrom(0)
    assert.strictEqual(spent(0, 4000, budget), 39)
    assert.isAtMost(budget.wait(4000), PERIOD * 1000)
    assert.strictEqual(budget.wait(4000 + budget.wait(4000)), 0)
  })

  it("go on where the user's clock is set back", () => {
    const budget = budgetFrom(DAY)
    spent(DAY, 4000, budget)
    assert.isAtMost(budget.wait(0), PERIOD * 1000)
    assert.strictEqual(budget.wait(PERIOD * 1000), 0)
  })

  it("begin with the answers of the view that the address names", () => {
    for (const [path, ...expected] of [
      ["", "v1/naira/history", "v1/convert?from=coin%3Atether&to=fiat%3ANGN&amount=1&basis=customer"],
      ["p2p/kes", "v1/p2p/kes/history"],
      ["coin/bitcoin", "v1/price/bitcoin/usd/history"],
      ["coin/bitcoin", "v1/convert?from=coin%3Abitcoin&to=fiat%3ANGN&amount=0.1&basis=customer"],
      ["convert/kes/usd", "v1/p2p/kes/history"],
      ["convert/ethereum/usd", "v1/convert?from=coin%3Aethereum&to=fiat%3AUSD"]
    ] as const) {
      const among = (codes: string) => (code: string) => codes.includes(code)
      const paths = firstPaths(routeOf(path), among("USD NGN KES"), among("NGN KES"))
      assert.includeMembers([...paths], [...expected])
      assert.isAtMost(paths.length, 16, "one text")
    }
  })
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
