// The past of a coin in a fiat that exchanges trade: one number by every path that answers it.
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { parse } from "csv-parse/sync"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { value } from "../../src/cli/ValueCommand.ts"
import * as History from "../../src/history/store/History.ts"
import * as SnapshotRows from "../../src/history/store/SnapshotRows.ts"
import { inProcess } from "../cli/inProcess.ts"
import { recorded as recordedPiece } from "../services/history/recordedAt.ts"
import { friday, get, RunningService, until, withoutEvidence } from "../RunningService.ts"
import { temporaryFolder } from "../resources.ts"
import { rulesIn } from "../rulesOf.ts"

const service = RunningService.layer({
  at: friday,
  hasPast: true,
  kept: "state",
  config: { HISTORY: "on", P2P_MARKETS: "NGN,ZAR", ...withoutEvidence }
})

const asked = (path: string) => Effect.map(get(path), ({ text }) => JSON.parse(text))

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A Friday and its Saturday, on which banks publish nothing, and the day after each as CoinGecko writes it. */
const DAYS = [
  { day: "2026-11-13", next: "14-11-2026", end: Date.UTC(2026, 10, 14) },
  { day: "2026-11-14", next: "15-11-2026", end: Date.UTC(2026, 10, 15) }
] as const

/** By how much the recorded rate of the exchanges is off the bank's of Friday, and of how many exchanges it is. */
const FIATS = {
  eur: { off: 1.004, confidence: "high", isUsed: true },
  zar: { off: 1.019, confidence: "low", isUsed: true },
  gbp: { off: 1.11, confidence: "high", isUsed: false },
  cad: { off: 1.03, confidence: "low", isUsed: false }
} as const

type Fiat = keyof typeof FIATS
const CODES: ReadonlyArray<Fiat> = ["eur", "zar", "gbp", "cad"]

const isOfBanks = (source: string) => source.includes("Frankfurter")

/**
 * Records rates of the exchanges at the end of each of the days, as another process with the same record may, and waits for what else the
 * sources have of these days.
 */
const recorded = Effect.gen(function* () {
  const { dataDir } = yield* RunningService
  yield* until(Effect.map(asked("/v1/fx?at=2026-11-13"), ({ data }) => data?.rates.CAD !== undefined))
  const { rates } = (yield* asked("/v1/fx?at=2026-11-13")).data
  const now = yield* DateTime.now
  const pieces = CODES.flatMap((fiat) =>
    (["day", "hour"] as const).map((interval) => {
      const { confidence, off } = FIATS[fiat]
      const closes = DAYS.map(({ end }) => ({
        bucket: end - (interval === "day" ? DAY : HOUR),
        rate: rates[fiat.toUpperCase()] * off,
        confidence,
        source: "Kraken"
      }))
      return { interval, points: SnapshotRows.ofSpotCloses(fiat.toUpperCase(), interval, closes, now) }
    })
  )
  yield* Effect.forEach(pieces, ({ interval, points }) => recordedPiece("test", 0, points, interval)).pipe(
    Effect.provide(History.layerSqlite(join(dataDir, "history.sqlite")))
  )
  for (const path of ["bitcoin/usd/history?", "bitcoin/usd/history?interval=hour&", "tether/ngn/history?"]) {
    const days = `/v1/price/${path}from=2026-11-12&to=2026-11-14`
    yield* until(Effect.map(get(days), ({ text }) => text.includes('"missing":[]')))
  }
})

/** The price of bitcoin on a day by each path, and who the rate of the fiat is from. */
const byEveryPath = Effect.fnUntraced(function* (fiat: Fiat, { day, end, next }: (typeof DAYS)[number]) {
  const code = fiat.toUpperCase()
  const price = yield* asked(`/v1/price/bitcoin/${fiat}?at=${day}`)
  const convert = yield* asked(`/v1/convert?from=bitcoin&to=${fiat}&at=${day}`)
  const inverse = yield* asked(`/v1/convert?from=${fiat}&to=bitcoin&at=${day}`)
  const many = yield* asked(`/v1/prices?ids=bitcoin&fiats=${fiat}&at=${day}`)
  const each = yield* asked(`/v1/prices?ids=bitcoin@${day}&fiats=${fiat}`)
  const history = yield* asked(`/v1/price/bitcoin/${fiat}/history?from=${day}&to=${day}`)
  const hours = yield* asked(`/v1/price/bitcoin/${fiat}/history?from=${day}&to=${day}&interval=hour`)
  const gecko = "/compat/coingecko/api/v3/coins/bitcoin"
  const onDay = yield* asked(`${gecko}/history?date=${next}`)
  const chart = yield* asked(`${gecko}/market_chart?vs_currency=${fiat}&days=90&interval=daily`)
  return {
    price: price.data.price,
    inverse: inverse.data.legs[0].rate,
    leg: convert.data.legs[1].rate,
    others: {
      convert: convert.data.rate,
      many: many.data.prices[0].price[code],
      each: each.data.prices[0].price[code],
      history: history.data.points[0].close,
      lastHour: hours.data.points.at(-1).close,
      onDay: onDay.market_data.current_price[fiat],
      chart: chart.prices.find(([time]: ReadonlyArray<number>) => time === end)?.[1]
    },
    sources: [
      price.meta,
      convert.data.legs[1],
      many.meta,
      each.data.prices[0],
      history.meta,
      history.data.points[0]
    ].map(({ source }) => String(source))
  }
})

/** What a unit of each fiat was worth in dollars on each day, by `value`. */
const valued = Effect.gen(function* () {
  const { baseUrl, dataDir, serving } = yield* RunningService
  const file = join(yield* temporaryFolder, "file.csv")
  const lines = DAYS.flatMap(({ day }) => CODES.map((fiat) => `${fiat},1,${day},${day} ${fiat}`))
  writeFileSync(file, ["asset,amount,time,id", ...lines].join("\n"))
  const folder = yield* inProcess(value, { DATA_DIR: dataDir }, [file])
  const server = yield* serving(inProcess(value, {}, [file, "--url", baseUrl]))
  assert.isTrue(folder.succeeded, folder.failure)
  assert.strictEqual(folder.out, server.out)
  const rows: ReadonlyArray<Readonly<Record<string, string>>> = parse(folder.out, {
    columns: true,
    record_delimiter: "\r\n"
  })
  return new Map(rows.map((row) => [row["id"], row]))
})

rulesIn(service)("the past of a coin in a fiat", (rule) => {
  rule("is one number by every path: at the rate of the exchanges where it is credible, else the bank's", function* () {
    yield* recorded
    for (const at of DAYS) {
      for (const fiat of CODES) {
        const { inverse, leg, others, price, sources } = yield* byEveryPath(fiat, at)
        const name = `${fiat} ${at.day}`
        const paths = Object.keys(others)
        assert.deepStrictEqual(others, Object.fromEntries(paths.map((path) => [path, price])), name)
        const official = (yield* asked(`/v1/fx?at=${at.day}`)).data.rates[fiat.toUpperCase()]
        const { isUsed, off } = FIATS[fiat]
        assert.closeTo(leg / official, isUsed ? off : 1, 1e-10, name)
        assert.closeTo(leg * inverse, 1, 1e-10, name)
        for (const source of sources) {
          assert.deepStrictEqual([source.includes("Kraken"), isOfBanks(source)], [isUsed, !isUsed], name)
        }
      }
    }
  })

  rule("changes nothing that names the bank's rate, or is between two fiats", function* () {
    yield* recorded
    const rows = yield* valued
    for (const { day } of DAYS) {
      const fx = yield* asked(`/v1/fx?at=${day}`)
      const statement = yield* asked(`/v1/statement?from=bitcoin&to=zar&on=${day}&tz=UTC`)
      const official = yield* asked(`/v1/price/bitcoin/zar?at=${day}&basis=official`)
      assert.strictEqual(statement.data.official.rate, official.data.price)
      assert.isTrue(isOfBanks(official.meta.source) && isOfBanks(statement.data.official.source))
      for (const fiat of CODES) {
        const { data, meta } = yield* asked(`/v1/convert?from=${fiat}&to=usd&at=${day}`)
        const row = rows.get(`${day} ${fiat}`)
        assert.closeTo(data.rate * fx.data.rates[fiat.toUpperCase()], 1, 1e-10)
        assert.closeTo(Number(row?.["usd"]) / data.rate, 1, 1e-10)
        assert.isTrue(isOfBanks(meta.source) && isOfBanks(row?.["source"] ?? ""))
      }
    }
  })
})
