// What docs/integrations.md says to paste into other programs, done as those programs do it: their addresses are asked, their
// paths and columns are looked up, and the ledgers read what they get where they are installed.
import { assert } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Process from "node:process"
import * as Yaml from "yaml"
import { COINGECKO_BASE } from "../../src/api/coingecko/CoinGeckoDialect.ts"
import { hasPrograms } from "../isPresent.ts"
import { RunningService, get, until, untilAnswered, sharedPast } from "../RunningService.ts"
import { blockOf, tableUnder, codesIn } from "./Markdown.ts"
import { temporaryFolder } from "../resources.ts"
import { rulesIn } from "../rulesOf.ts"

const SHOWN = "http://localhost:3000"

/** The contract of USDT on Ethereum. */
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7"

const textOf = (language: string): string => blockOf(language)

/** The answer to an address of a text, without headers of its own. */
const ask = Effect.fnUntraced(function* (address: string) {
  assert.isTrue(address.startsWith(`${SHOWN}/`), address)
  const answer = yield* get(address.slice(SHOWN.length))
  assert.strictEqual(answer.status, 200, `${address}: ${answer.text.slice(0, 200)}`)
  return answer
})

/** The values at a path such as `$.data.points[*].date`. */
const valuesAt = (path: string, value: unknown): ReadonlyArray<unknown> =>
  path
    .replace(/^\$\./, "")
    .split(".")
    .reduce(
      (values: ReadonlyArray<unknown>, step) => {
        const name = step.replace(/\[\*\]$/, "")
        const members = values.map((one) => Object(one)[name])
        return step.endsWith("[*]") ? members.flat() : members
      },
      [value]
    )

/** Runs a script or a program in a folder that has the packages, and returns what it prints. */
const run = Effect.fnUntraced(function* (file: string, text: string, command: ReadonlyArray<string>) {
  const { baseUrl, serving } = yield* RunningService
  const folder = yield* temporaryFolder
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"))
  const { hostname, port } = new URL(baseUrl)
  const here = text
    .replaceAll(SHOWN, baseUrl)
    .replace(/host: "localhost", port: 3000/, `host: "${hostname}", port: ${port}`)
  writeFileSync(join(folder, file), here)
  const [program = "", ...parameters] = command
  const printed = Effect.callback<string>((resume) => {
    execFile(program, [...parameters, file], { cwd: folder }, (failure, stdout, stderr) =>
      resume(failure === null ? Effect.succeed(stdout) : Effect.die(new Error(`${failure.message}\n${stderr}`)))
    )
  })
  return yield* serving(printed)
}, Effect.scoped)

/** Waits for a year of bitcoin, which the service fetches when it is asked for it. */
const withPast = Effect.gen(function* () {
  yield* until(
    Effect.map(
      get("/v1/price/bitcoin/ngn/history?from=2026-11-01"),
      ({ status, text }) => status === 200 && JSON.parse(text).data.points.length > 15
    )
  )
})

rulesIn(sharedPast)("docs/integrations.md", (rule, it) => {
  for (const language of ["js coingecko-sdk", "js coingecko-api-v3"]) {
    rule(`its program for ${language.slice(3)} prints a price in naira`, function* () {
      yield* untilAnswered("/v1/price/bitcoin/ngn")
      const printed = yield* run("program.mjs", textOf(language), [Process.execPath])
      assert.isAbove(Number(printed), 1000, printed)
    })
  }

  rule("its base address answers every path that it lists", function* () {
    yield* withPast
    assert.strictEqual(textOf("text base"), `${SHOWN}${COINGECKO_BASE}`)
    const query: Readonly<Record<string, string>> = {
      "/simple/price": "?ids=bitcoin&vs_currencies=usd",
      "/simple/token_price/{platform}": `?contract_addresses=${USDT}&vs_currencies=usd`,
      "/coins/markets": "?vs_currency=usd",
      "/coins/{id}/history": "?date=10-11-2026",
      "/coins/{id}/market_chart": "?vs_currency=usd&days=7",
      "/coins/{id}/market_chart/range": "?vs_currency=usd&from=2026-11-01&to=2026-11-10",
      "/coins/{id}/ohlc": "?vs_currency=usd&days=1",
      "/search": "?query=btc"
    }
    const listed = tableUnder("docs/integrations.md", "Programs made for CoinGecko").flatMap(([paths = ""]) =>
      codesIn(paths)
    )
    assert.lengthOf(listed, 17)
    for (const path of listed) {
      yield* ask(
        `${textOf("text base")}${path.replace("{id}", "bitcoin").replace("{platform}", "ethereum").replace("{address}", USDT)}${query[path] ?? ""}`
      )
    }
  })

  rule("Blockscout finds what it reads of a coin, its tokens and its history", function* () {
    yield* withPast
    const settings = new Map(
      textOf("env blockscout")
        .split("\n")
        .map((line) => line.split("=", 2) as [string, string])
    )
    const base = settings.get("MARKET_COINGECKO_BASE_URL")
    const coin = settings.get("MARKET_COINGECKO_COIN_ID") ?? ""
    const platform = settings.get("MARKET_COINGECKO_PLATFORM_ID") ?? ""
    const { text } = yield* ask(
      `${base}/coins/${coin}?localization=false&tickers=false&market_data=true&community_data=false&developer_data=false&sparkline=false`
    )
    const { image, market_data: market, name, symbol } = JSON.parse(text)
    for (const known of [image.small, name, symbol, market.last_updated]) assert.isNotEmpty(known)
    for (const known of [
      market.circulating_supply,
      market.current_price.btc,
      market.current_price.usd,
      market.market_cap.usd,
      market.total_volume.usd
    ]) {
      assert.isAbove(known, 0)
    }
    const list: ReadonlyArray<{ id: string; platforms: Record<string, string> }> = JSON.parse(
      (yield* ask(`${base}/coins/list?include_platform=true`)).text
    )
    const tokens = list.filter(({ platforms }) => platforms[platform] !== undefined)
    assert.isAbove(tokens.length, 3)
    // Blockscout asks for 500 at once.
    const many = [...tokens, ...list].slice(0, 500).map(({ id }) => id)
    const prices = JSON.parse(
      (yield* ask(
        `${base}/simple/price?vs_currencies=usd&include_market_cap=true&include_24hr_vol=true&ids=${many.join(",")}`
      )).text
    )
    for (const { id } of tokens)
      assert.includeMembers(Object.keys(prices[id]), ["usd", "usd_market_cap", "usd_24h_vol"])
    const chart = JSON.parse((yield* ask(`${base}/coins/${coin}/market_chart?vs_currency=usd&days=30`)).text)
    assert.isAbove(chart.prices.length, 20)
    assert.strictEqual(chart.market_caps.length, chart.prices.length)
  })

  rule("Safe's gateway finds the prices of a native coin and of tokens, and the fiats", function* () {
    const [, base] = /^PRICES_PROVIDER_API_BASE_URI=(.*)$/m.exec(textOf("env safe")) ?? []
    const price = JSON.parse((yield* ask(`${base}/simple/price?vs_currencies=ngn&ids=ethereum`)).text)
    assert.isAbove(price.ethereum.ngn, 1000)
    // Tokens by chain and addresses, and their change, as `CoingeckoApi.getTokenPrices` asks for them.
    const tokens = JSON.parse(
      (yield* ask(
        `${base}/simple/token_price/ethereum?vs_currencies=ngn&contract_addresses=${USDT}&include_24hr_change=true`
      )).text
    )
    assert.hasAllKeys(tokens[USDT], ["ngn", "ngn_24h_change"])
    assert.include(JSON.parse((yield* ask(`${base}/simple/supported_vs_currencies`)).text), "ngn")
  })

  rule("a sheet gets tables: the id in the first column, the price in the fifth", function* () {
    yield* withPast
    const addresses = [...textOf("text sheets").matchAll(/IMPORTDATA\("([^"]+)"\)/g)].map(([, address = ""]) => address)
    assert.lengthOf(addresses, 4)
    const tables: Array<ReadonlyArray<ReadonlyArray<string>>> = []
    for (const address of addresses) {
      const { headers, text } = yield* ask(address)
      assert.strictEqual(headers["content-type"], "text/csv; charset=utf-8")
      tables.push(parse(text))
    }
    const [now = [], past = [], one = [], naira = []] = tables
    assert.deepStrictEqual(now[0]?.slice(0, 5), ["id", "symbol", "name", "fiat", "price"])
    assert.lengthOf(now, 5)
    assert.isAbove(past.length, 15)
    assert.isAbove(Number(one[1]?.[4]), 1000)
    assert.deepStrictEqual(
      [1, 2, 3, 5].map((column) => naira[0]?.[column]),
      ["buy", "sell", "mid", "official"]
    )
    const libreOffice = yield* ask(textOf("text libreoffice"))
    assert.deepStrictEqual(parse(libreOffice.text), naira)
  })

  rule("Portfolio Performance finds as many days as closes", function* () {
    yield* withPast
    const fields = new Map(
      textOf("text portfolio-performance")
        .split("\n")
        .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)])
    )
    const body: unknown = JSON.parse((yield* ask(fields.get("Feed URL") ?? "")).text)
    const days = valuesAt(fields.get("Path to Date") ?? "", body)
    const closes = valuesAt(fields.get("Path to Close") ?? "", body)
    assert.isAbove(days.length, 15)
    assert.strictEqual(closes.length, days.length)
    for (const day of days) assert.match(String(day), /^\d{4}-\d{2}-\d{2}$/)
    for (const close of closes) assert.isNumber(close)
  })

  rule("Ghostfolio finds a number in JSON of exactly this type", function* () {
    const { selector, url } = JSON.parse(textOf("json ghostfolio"))
    const { headers, text } = yield* ask(url)
    assert.strictEqual(headers["content-type"], "application/json")
    assert.isNumber(valuesAt(selector, JSON.parse(text))[0])
  })

  rule("Grafana finds the columns in every row", function* () {
    yield* withPast
    const { columns, root_selector, url } = JSON.parse(textOf("json grafana"))
    // The range of a panel, as Grafana's built-in variables write it.
    const inRange = url
      .replace("${__from:date:YYYY-MM-DD}", "2026-11-18")
      .replace("${__to:date:YYYY-MM-DD}", "2026-11-20")
    assert.notInclude(inRange, "$")
    const rows = valuesAt(`$.${root_selector}[*]`, JSON.parse((yield* ask(inRange)).text))
    assert.isAbove(rows.length, 0)
    for (const { selector, type } of columns) {
      for (const value of valuesAt(`$.rows[*].${selector}`, { rows })) {
        if (type === "timestamp") assert.isFalse(Number.isNaN(Date.parse(String(value))), selector)
        else assert.isTrue(value === null || typeof value === type, selector)
      }
    }
  })

  rule("Home Assistant finds the member of its template", function* () {
    const { sensor } = Yaml.parse(textOf("yaml home-assistant"))
    const [{ availability, resource, state_class, unique_id, value_template }] = sensor
    // An error has no `data`, and a proxy's page is no mapping.
    const isAnswer = "value_json is mapping and value_json.data is mapping"
    const [, path = "", condition] = /^\{\{ value_json\.(\S+) if (.+) else none \}\}$/.exec(value_template) ?? []
    assert.strictEqual(condition, isAnswer)
    assert.strictEqual(availability, `{{ ${isAnswer} and value_json.${path} is number }}`)
    assert.deepStrictEqual([typeof unique_id, state_class], ["string", "measurement"])
    const { text } = yield* ask(resource)
    assert.isNumber(valuesAt(`$.${path}`, JSON.parse(text))[0])
  })

  it.effect.skipIf(!hasPrograms("hledger"))("hledger lists the prices of the days", () =>
    Effect.gen(function* () {
      yield* withPast
      const printed = yield* run("script", textOf("sh hledger"), ["sh", "-e"])
      const lines = printed.trim().split("\n")
      assert.isAbove(lines.length, 15)
      for (const line of lines) assert.match(line, /^P \d{4}-\d{2}-\d{2} BTC [\d.,]+ NGN$/)
    })
  )

  it.effect.skipIf(!hasPrograms("bean-check"))("Beancount accepts the prices of the days", () =>
    Effect.gen(function* () {
      yield* withPast
      assert.strictEqual(yield* run("script", textOf("sh beancount"), ["sh", "-e"]), "")
    })
  )
})
