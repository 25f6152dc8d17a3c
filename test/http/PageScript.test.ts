// What the page's script computes without a browser. Its lines for other programs are in `Documents.test.ts`.
import { assert, describe, it } from "@effect/vitest"
import type { MarketHistory, Problem, Search } from "../../src/http/page/browser/Answers.ts"
import { amountOf, remarkOn } from "../../src/http/page/browser/Amount.ts"
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
import { fiatsFor, foundIn } from "../../src/http/page/browser/Found.ts"
import { pastOf, queryOf, spans } from "../../src/http/page/browser/Past.ts"
import { lackOf, onlyOfficial } from "../../src/http/page/browser/Street.ts"
import { conversionPath, firstPaths, plainly, routeOf } from "../../src/http/page/browser/Route.ts"
import { tabTitle, titleOf } from "../../src/http/page/browser/Title.ts"

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
    assert.deepStrictEqual(
      valuesOf["carried"],
      [null, 1400, 1400, 1400, 1400, null, null],
      "it holds until the next one"
    )
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
    assert.strictEqual(
      minus("Bitcoin changed -6.6%; a 3-day low of BTC-USD"),
      "Bitcoin changed −6.6%; a 3-day low of BTC-USD"
    )
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

describe("an amount that is typed", () => {
  const valueOf = (text: string, isEdited = false) => amountOf(text, isEdited).value

  it("is a number with or without commas between its thousands", () => {
    assert.deepStrictEqual(
      ["250", "1,250.50", "0.5", ".5", "1234567", "7."].map((text) => valueOf(text)),
      ["250", "1250.50", "0.5", "0.5", "1234567", "7"]
    )
    assert.strictEqual(amountOf("1234567.5").text, "1,234,567.5")
    assert.strictEqual(valueOf("1,2345", true), "12345", "a digit was added to 1,234")
  })

  it("stays as it is where it is none, with a sentence and without a result", () => {
    for (const text of ["1e3", "abc", "-5", "1,5", "1.2.3", "1 000", "12,34", "1,000,00"]) {
      const { fault, text: kept, value } = amountOf(text)
      assert.deepStrictEqual([kept, value], [text, undefined])
      assert.match(fault ?? "", /[.?]$/, text)
    }
    assert.match(amountOf("1,5").fault ?? "", /1\.5/)
    for (const text of ["", "0", "0.00", "."]) {
      const amount = amountOf(text)
      assert.deepStrictEqual([amount.value, amount.fault], [undefined, undefined])
      assert.strictEqual(remarkOn(amount), "Type an amount above 0, such as 250.")
    }
    assert.isUndefined(remarkOn(amountOf("250")))
    assert.isDefined(amountOf("9".repeat(17)).fault)
    assert.isDefined(amountOf(`0.${"1".repeat(19)}`).fault)
  })

  it("is suggested where a text probably means one, and never taken", () => {
    const meant = (text: string) => {
      assert.isUndefined(valueOf(text), text)
      return /^Did you mean (.*)\?$/.exec(amountOf(text).fault ?? "")?.[1]
    }
    assert.deepStrictEqual(
      ["1e3", "5k", "2.5 M", "1bn", "1.5e-2", "₦5,000", "$1.5k", "100 ngn", "5€", "1 000", "1_000_000"].map(meant),
      ["1,000", "5,000", "2,500,000", "1,000,000,000", "0.015", "5,000", "1,500", "100", "5", "1,000", "1,000,000"]
    )
    for (const text of ["1e30", "0k", "5mln", "5x", "1.2.3", "12,34", "-5", "e3", "k"])
      assert.isUndefined(meant(text), text)
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
    const paths = (path: string) =>
      firstPaths(
        routeOf(path),
        (code) => ["USD", "NGN", "KES"].includes(code),
        (code) => ["NGN", "KES"].includes(code)
      )
    assert.include(paths(""), "v1/naira/history")
    assert.include(paths(""), "v1/convert?from=coin%3Atether&to=fiat%3ANGN&amount=1&basis=customer")
    assert.include(paths("p2p/kes"), "v1/p2p/kes/history")
    assert.include(paths("coin/bitcoin"), "v1/price/bitcoin/usd/history")
    assert.include(paths("coin/bitcoin"), "v1/convert?from=coin%3Abitcoin&to=fiat%3ANGN&amount=0.1&basis=customer")
    assert.include(paths("convert/kes/usd"), "v1/p2p/kes/history")
    assert.include(paths("convert/ethereum/usd"), "v1/convert?from=coin%3Aethereum&to=fiat%3AUSD")
    for (const path of ["", "p2p/kes", "coin/bitcoin", "convert/usd/ngn"])
      assert.isAtMost(paths(path).length, 16, "one text")
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

const asset = (asked: string, symbol: string, name: string) => ({ asked, symbol, name })
const naira = asset("fiat:NGN", "NGN", "Nigerian Naira")
const cedi = asset("fiat:GHS", "GHS", "Ghanaian Cedi")
const bitcoin = asset("coin:bitcoin", "BTC", "Bitcoin")

it("a missing result names the currency that has no rate, and which rate that is", () => {
  const problem: Problem = { code: "no_price", title: "No price", detail: "No rate of GHS is known on this basis." }
  const pair = { from: cedi, to: naira }
  assert.strictEqual(
    lackOf(problem, pair, "official", undefined),
    "No official rate of the Ghanaian Cedi is known today."
  )
  assert.strictEqual(
    lackOf(problem, { from: naira, to: cedi }, "customer", "1"),
    "No rate of the Ghanaian Cedi is known today."
  )
  const ofCoin = { ...problem, detail: "bitcoin exists, but no source has a price for it." }
  assert.strictEqual(lackOf(ofCoin, { from: bitcoin, to: naira }, "mid", undefined), ofCoin.detail)
  const thin: Problem = { code: "too_thin", title: "Too thin", available: "1500000", fiat: "NGN" }
  assert.strictEqual(
    lackOf(thin, { from: bitcoin, to: naira }, "customer", "150000000"),
    "P2P offers cover about ₦1.5M (0.01 BTC) of it now. Try a smaller amount."
  )
})

it("the title of the tab has the figure of its view, and of no other", () => {
  const market = { fiat: "NGN", mid: "1394.64" } as const
  const titled = (path: string, shown: Partial<Parameters<typeof tabTitle>[1]> = {}) =>
    tabTitle(routeOf(path), { market, fiatName: "Nigerian Naira", ...shown })
  assert.strictEqual(titled(""), "₦1,394.64 · P2P rates, coin prices, and why coins moved")
  assert.strictEqual(titled("naira"), "₦1,394.64 · USDT/NGN: the P2P rate of the Nigerian Naira")
  const noMid = { market: { fiat: "NGN", mid: null } } as const
  assert.strictEqual(titled("naira", noMid), "USDT/NGN: the P2P rate of the Nigerian Naira")
  assert.strictEqual(titled("coin/bitcoin", { coin: bitcoin }), "Bitcoin: price, venues and history")
  assert.strictEqual(titled("coin/etherium"), "etherium: price, venues and history")
  assert.strictEqual(titled("convert/eur/ngn"), "EUR to NGN: converter")
  const conversion = { from: bitcoin, to: naira, rate: "92800000.5" } as const
  assert.strictEqual(titled("convert/bitcoin/ngn", { conversion }), "₦92,800,000.50 · BTC to NGN: converter")
  const unknown = { from: naira, to: bitcoin, rate: undefined }
  assert.strictEqual(titled("convert/ngn/bitcoin", { conversion: unknown }), "NGN to BTC: converter")
  const small = { ...unknown, rate: "0.0000000107" } as const
  assert.strictEqual(titled("convert/ngn/bitcoin", { conversion: small }), "0.0000000107 BTC · NGN to BTC: converter")
})

it("the address of a conversion leads back to its assets", () => {
  const path = conversionPath(plainly(bitcoin), plainly(naira))
  assert.strictEqual(path, "convert/bitcoin/ngn")
  assert.deepStrictEqual(routeOf(path), { view: "convert", from: "bitcoin", to: "ngn" })
  assert.deepStrictEqual(routeOf(conversionPath("a/b", "%")), { view: "convert", from: "a/b", to: "%" })
})

describe("a word in the search of the coins", () => {
  const coins = [
    { id: "bitcoin", symbol: "BTC", name: "Bitcoin" },
    { id: "tether", symbol: "USDT", name: "Tether" }
  ]
  const result = (id: string, matched: Search["coins"][number]["matched"]): Search["coins"][number] => ({
    id,
    symbol: id,
    name: id,
    rank: null,
    matched,
    platforms: {}
  })
  const found = (word: string, results?: Search["coins"]) => {
    const { others, rows } = foundIn(coins, word, results)
    return [rows.map(({ id }) => id), others.map(({ id }) => id)]
  }

  it("finds each result of the API as a row or as a link", () => {
    assert.deepStrictEqual(found(""), [["bitcoin", "tether"], []])
    assert.deepStrictEqual(found("BTC"), [["bitcoin"], []])
    assert.deepStrictEqual(found("0xdac17f958d2ee523a2206206994597c13d831ec7", [result("tether", "address")]), [
      ["tether"],
      []
    ])
    assert.deepStrictEqual(found("bitcion", [result("bitcoin", "similar"), result("bitcicoin", "similar")]), [
      ["bitcoin"],
      ["bitcicoin"]
    ])
  })

  it("finds currencies by name and code", () => {
    assert.deepStrictEqual(["naira", "pounds", "cedi", "kes", "bitcoin", "", "a"].map(fiatsFor), [
      ["NGN"],
      ["GBP"],
      ["GHS"],
      ["KES"],
      [],
      [],
      []
    ])
    assert.include(fiatsFor("shilling"), "KES")
    assert.isAtMost(fiatsFor("franc").length, 5)
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
