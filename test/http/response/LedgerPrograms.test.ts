// The real hledger and Beancount read the price directives, and value balances with them.
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { env } from "node:process"
import { Effect } from "effect"
import { parse } from "csv-parse/sync"
import { knownCoins } from "../../../src/domain/CoinRegistry.ts"
import { jsonFigure } from "../../../src/domain/JsonNumber.ts"
import {
  commodityOf,
  type DatedPrice,
  type Ledger,
  priceDirectives
} from "../../../src/http/response/PriceDirectives.ts"
import { hasPrograms } from "../../isPresent.ts"

const programs: Readonly<Record<Ledger, ReadonlyArray<string>>> = {
  hledger: ["hledger"],
  beancount: ["bean-check", "bean-query"]
}

/** Symbols of all known coins, and symbols that try what each program takes for something else. */
const symbols = [
  ...new Set([
    ...knownCoins.map(({ symbol }) => symbol.toUpperCase()),
    ..."1INCH,$WIF,A B,€X,X;Y,X@Y,(X),{X},X=Y,-X,X*,NGN2,ÄÖ,比特币,X.Y,X_Y,X-Y,X'Y,X/Y,TRUE,NULL,P,I,1,0X,1E5,X:Y,#X,%X,!X,\\X,\"X".split(
      ","
    )
  ])
]

const figures = [99_209_594.79, 0.000_000_1, 1, 1234.5, 1e9, 0.1, 123_456_789.123]

/** A price for each symbol on two days; only the second is the price of the balance's day. */
const prices = (symbols: ReadonlyArray<string>): ReadonlyArray<DatedPrice> =>
  symbols.flatMap((symbol, n) =>
    ["2026-11-19", "2026-11-20"].map((date, day) => ({
      date,
      symbol,
      price: jsonFigure((figures[n % figures.length] ?? 1) * (day === 0 ? 3 : 1)),
      fiat: "NGN"
    }))
  )

/** Runs a program over a file with this text. */
const run = (text: string, program: string, args: (file: string) => ReadonlyArray<string>): string => {
  const folder = mkdtempSync(join(tmpdir(), "cda-ledger-"))
  const file = join(folder, "ledger.txt")
  try {
    writeFileSync(file, text)
    // The form of numbers must not depend on who runs the test.
    const options = { stdio: "pipe", env: { PATH: env["PATH"], LANG: "C.UTF-8", LC_ALL: "C.UTF-8" } } as const
    return execFileSync(program, [...args(file)], options).toString()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const HELD = 2

const accountOf = (n: number) => `Assets:Held${n}`

/** The value of each account by its number. */
type Values = ReadonlyMap<number, number>

const toValues = (rows: ReadonlyArray<readonly [account: string | undefined, value: string | undefined]>): Values =>
  new Map(
    rows.flatMap(([account, value]) => {
      const n = /^Assets:Held(\d+)$/.exec(account ?? "")?.[1]
      return n === undefined ? [] : [[Number(n), Number(/[\d.]+/.exec(value ?? "")?.[0])] as const]
    })
  )

const valuedBy: Readonly<
  Record<Ledger, (directives: string, commodities: ReadonlyArray<readonly [number, string]>) => Values>
> = {
  hledger: (directives, commodities) => {
    const entries = commodities.map(
      ([n, commodity]) => `2026-11-18 held\n    ${accountOf(n)}    ${HELD} ${commodity}\n    Equity:Start\n`
    )
    const text = [directives, "commodity 1000.0000000000 NGN\n", ...entries].join("\n")
    const flags = ["bal", "Assets", "-N", "--value=2026-11-20,NGN", "-O", "csv"]
    const output = run(text, "hledger", (file) => ["-f", file, ...flags])
    const rows: ReadonlyArray<Record<string, string>> = parse(output, { columns: true })
    return toValues(rows.map(({ account, balance }) => [account, balance]))
  },
  beancount: (directives, commodities) => {
    const opened = commodities.map(([n]) => `2026-01-01 open ${accountOf(n)}`)
    const entries = commodities.map(
      ([n, commodity]) =>
        `2026-11-18 * "held"\n  ${accountOf(n)}  ${HELD} ${commodity}\n  Equity:Start  -${HELD} ${commodity}\n`
    )
    const text = ["2026-01-01 open Equity:Start", ...opened, directives, ...entries].join("\n")
    assert.strictEqual(
      run(text, "bean-check", (file) => [file]),
      ""
    )
    const query =
      "SELECT account, str(convert(sum(position), 'NGN', 2026-11-20)) AS value WHERE account ~ 'Held' GROUP BY account"
    const output = run(text, "bean-query", (file) => ["-f", "csv", file, query])
    const rows: ReadonlyArray<Record<string, string>> = parse(output, { columns: true, trim: true })
    return toValues(rows.map(({ account, value }) => [account, value]))
  }
}

describe.each(["hledger", "beancount"] as const)("the real %s", (ledger) => {
  it.effect.skipIf(!hasPrograms(...programs[ledger]))(
    "accepts every line, and values what is held by the day's price",
    () =>
      Effect.sync(() => {
        const commodities = symbols.flatMap((symbol, n) => {
          const commodity = commodityOf(ledger, symbol)
          return commodity === undefined ? [] : [[n, commodity] as const]
        })
        assert.isAbove(commodities.length, 200)
        const values = valuedBy[ledger](priceDirectives(ledger, prices(symbols)), commodities)
        assert.strictEqual(values.size, commodities.length)
        for (const [n, commodity] of commodities) {
          const expected = HELD * (figures[n % figures.length] ?? 1)
          assert.closeTo(values.get(n) ?? Number.NaN, expected, expected * 1e-6, `${commodity} (${symbols[n]})`)
        }
      })
  )
})
