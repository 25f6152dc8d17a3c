// The settings of wallets, shops and accounting programs in docs/integrations.md, each run through the rule by which that program
// reads its setting and the answer. The rules are written out here from the programs' public source, which is named beside each.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { RunningService, get, untilAnswered, sharedPast } from "../RunningService.ts"
import { MOSTRO } from "../http/compat/mostro.ts"
import { blockOf } from "./Markdown.ts"
import { rulesIn } from "../rulesOf.ts"

const SHOWN = "http://localhost:3000"

/** What a program gets at an address of the documents, as text. */
const fetched = Effect.fnUntraced(function* (address: string) {
  assert.isTrue(address.startsWith(`${SHOWN}/`), address)
  const { status, text } = yield* get(address.slice(SHOWN.length))
  assert.strictEqual(status, 200, `${address}: ${text.slice(0, 200)}`)
  return text
})

const json = (address: string): Effect.Effect<unknown, never, RunningService> =>
  Effect.map(fetched(address), (text) => JSON.parse(text))

/** A member of an object; a number's position in a list. */
const member = (value: unknown, name: string): unknown => {
  const found: unknown = Object(value)[name]
  assert.isDefined(found, name)
  return found
}

const numberAt = (value: unknown, ...names: ReadonlyArray<string>): number => {
  const found = names.reduce(member, value)
  assert.isNumber(found)
  return Number(found)
}

const own = (from: string, to: string, more = "") =>
  Effect.map(json(`${SHOWN}/v1/convert?from=${from}&to=${to}${more}`), (body) => numberAt(body, "data", "rate"))

/** `name=value` lines. */
const settingsOf = (language: string): ReadonlyMap<string, string> =>
  new Map(
    blockOf(language)
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)])
  )

const FIATS = ["USD", "NGN", "KES", "GBP", "BRL"]

rulesIn(sharedPast)("the settings of programs", (rule) => {
  // lnbits/utils/exchange_rates.py: `{TO}` and `{to}` are formatted into the address and the path; `float(find(path)[0].value)`.
  rule("LNbits: a provider's address and path", function* () {
    yield* untilAnswered("/v1/price/bitcoin/ngn")
    const provider = JSON.parse(blockOf("json lnbits"))
    assert.hasAllKeys(provider, ["name", "api_url", "path", "exclude_to", "ticker_conversion"])
    for (const code of FIATS) {
      const filled = (text: string) => text.replaceAll("{TO}", code).replaceAll("{to}", code.toLowerCase())
      const steps = filled(provider.path).replace(/^\$\./, "").split(".")
      const price = numberAt(yield* json(filled(provider.api_url)), ...steps)
      assert.strictEqual(price, yield* own("bitcoin", code))
    }
  })

  // core/…/provider/price/PriceProvider.java of Bisq: `data` with `currencyCode`, `price` and `timestampSec`, each read as a double; a price
  // counts if it is above 0 and its `timestampSec` is not 30 minutes in the past.
  rule("Bisq: bitcoin in every currency, and coins in bitcoin", function* () {
    const [, base = ""] = blockOf("sh bisq").split("--providers=")
    const body = yield* json(`${base}getAllMarketPrices`)
    const rows = member(body, "data")
    assert.isArray(rows)
    const codes: ReadonlyArray<string> = Object(rows).map((row: unknown) => member(row, "currencyCode"))
    assert.deepStrictEqual(codes, codes.toSorted())
    assert.strictEqual(numberAt(body, "ratesCount"), codes.length)
    const coins: Readonly<Record<string, string>> = { XMR: "monero", ETH: "ethereum" }
    for (const code of ["USD", "NGN", "KES", "XMR", "ETH"]) {
      const row = member(rows, String(codes.indexOf(code)))
      const coin = coins[code]
      const expected = yield* coin === undefined ? own("bitcoin", code) : own(coin, "bitcoin")
      assert.strictEqual(numberAt(row, "price"), expected, code)
      assert.isAbove(numberAt(row, "timestampSec"), 1e12, "milliseconds")
    }
    assert.notInclude(codes, "VES", "a currency that people exchange at another rate than the official one")
  })

  // plugins/currencyrate-plugin/src/{main,oracle}.rs of Core Lightning: `NAME,URL,MEMBERS`, the members one after the other, a number or
  // a text that is one; the lower-case placeholder first.
  rule("Core Lightning: a source's address and members", function* () {
    const [key, ...rest] = blockOf("text core-lightning").split("=")
    assert.strictEqual(key, "currencyrate-add-source")
    const [name, url = "", ...members] = rest.join("=").split(",")
    assert.strictEqual(name, "crypto-data-api")
    for (const code of FIATS) {
      const filled = (text: string) =>
        text.replaceAll("{currency_lc}", code.toLowerCase()).replaceAll("{currency}", code)
      const price = Number(members.map(filled).reduce(member, yield* json(filled(url))))
      assert.strictEqual(price, yield* own("bitcoin", code))
    }
  })

  // src/price/providers/{yadio,coingecko}.rs of Mostro: the address without a slash at its end, `/exrates/BTC` or `/simple/price` added;
  // a map of numbers or nulls, of which those above 0 count. Its older src/bitcoin_price.rs and src/util.rs: numbers only.
  rule("Mostro: both providers, and the older way", function* () {
    const urls = new Map(
      [...blockOf("text mostro").matchAll(/\[price\.providers\.(\w+)\]\nenabled = true\nurl = "([^"]+)"/g)].map(
        ([, provider = "", url = ""]) => [provider, url.replace(/\/$/, "")]
      )
    )
    assert.sameMembers([...urls.keys()], ["yadio", "coingecko"])
    const quotes = (map: unknown): ReadonlyMap<string, number> =>
      new Map(
        Object.entries(Object(map)).flatMap(([code, value]) => {
          if (value === null) return []
          assert.isNumber(value, code)
          return Number(value) > 0 ? [[code.toUpperCase(), Number(value)] as const] : []
        })
      )
    const yadio = quotes(member(yield* json(`${urls.get("yadio")}/exrates/BTC`), "BTC"))
    const gecko = quotes(
      member(yield* json(`${urls.get("coingecko")}/simple/price?ids=bitcoin&vs_currencies=${MOSTRO}`), "bitcoin")
    )
    for (const code of FIATS) {
      assert.strictEqual(yadio.get(code), yield* own("bitcoin", code))
      if (MOSTRO.includes(code.toLowerCase())) assert.strictEqual(gecko.get(code), yadio.get(code), code)
    }
    // `{ request: { amount: i64, from, to }, result: f64, rate: f64, timestamp: i64 }`, and names by code.
    const quote = yield* json(`${urls.get("yadio")}/convert/1000/NGN/BTC`)
    assert.deepStrictEqual(member(quote, "request"), { amount: 1000, from: "NGN", to: "BTC" })
    assert.isAbove(numberAt(quote, "result"), 0)
    assert.isTrue(Number.isSafeInteger(numberAt(quote, "timestamp")))
    assert.isString(member(yield* json(`${urls.get("yadio")}/currencies`), "NGN"))
  })

  // util/index.js of lnp2pbot: `{EP}/{code}` has `btc` and no `error`; of its relative for tokens, `{EP}/{code}/USD` has `rate`.
  rule("lnp2pbot: sats of an amount, and a fiat per dollar", function* () {
    const endpoint = settingsOf("env lnp2pbot").get("FIAT_RATE_EP")
    const answer = yield* json(`${endpoint}/NGN`)
    assert.notProperty(answer, "error")
    assert.isAbove(Math.trunc((1_000_000 / numberAt(answer, "btc")) * 100_000_000), 0)
    assert.strictEqual(numberAt(yield* json(`${endpoint}/NGN/USD`), "rate"), yield* own("USD", "NGN"))
  })

  // api/utils.py of RoboSats: the setting is split at commas, the parser chosen by a text in the address; `float(json["BTC"][code])`.
  rule("RoboSats: its parser for Yadio, chosen by the address", function* () {
    const apis = (settingsOf("env robosats").get("MARKET_PRICE_APIS") ?? "").split(",").map((url) => url.trim())
    assert.lengthOf(apis, 1)
    for (const url of apis) {
      assert.notInclude(url, "blockchain.info")
      assert.include(url, "yadio.io")
      const answer = yield* json(url)
      for (const code of FIATS) assert.strictEqual(numberAt(answer, "BTC", code), yield* own("bitcoin", code))
    }
  })

  // BTCPayServer.Rating/Providers/YadioRateProvider.cs: every member of `BTC` is read as a decimal. stores/FiatStore.ts of Zeus: a list of
  // rows, of which the one with the wanted `code` has the `rate`.
  rule("BTCPay Server's Yadio source and Zeus", function* () {
    const rates = Object(member(yield* json(`${SHOWN}/compat/yadio.io/exrates/BTC`), "BTC"))
    for (const [code, rate] of Object.entries(rates)) assert.isNumber(rate, code)
    const rows = yield* json(blockOf("text zeus"))
    assert.isTrue(Array.isArray(rows))
    for (const code of ["NGN", "USD"]) {
      const row: unknown = Object.values(Object(rows)).find((one) => member(one, "code") === code)
      assert.strictEqual(member(row, "currencyPair"), `BTC_${code}`)
      assert.strictEqual(member(row, "cryptoCode"), "BTC")
      assert.isString(member(row, "name"))
      assert.strictEqual(numberAt(row, "rate"), yield* own("bitcoin", code))
    }
  })

  // erpnext/setup/utils.py: placeholders are formatted into the address and the parameters; then `value = value[key]` for each key.
  rule("ERPNext: a rate of a day, today's for its probe, and its Frankfurter settings", function* () {
    const fields = new Map(
      blockOf("text erpnext")
        .split("\n")
        .map((line) => line.split(/: (.*)/s, 2) as [string, string])
    )
    const asked = (endpoint: string, parameters: ReadonlyArray<string>, keys: ReadonlyArray<string>) =>
      Effect.fnUntraced(function* (from: string, to: string, date: string) {
        const filled = (text: string) =>
          text
            .replaceAll("{transaction_date}", date)
            .replaceAll("{from_currency}", from)
            .replaceAll("{to_currency}", to)
        const query = parameters.map(filled).join("&")
        return Number(keys.map(filled).reduce(member, yield* json(`${filled(endpoint)}?${query}`)))
      })
    const custom = asked(
      fields.get("API Endpoint") ?? "",
      (fields.get("Request Parameters") ?? "").split(" "),
      (fields.get("Result Key") ?? "").split(", ")
    )
    // The record has the days of fiats once they were fetched.
    yield* untilAnswered("/v1/convert?from=USD&to=INR&at=2026-11-10")
    assert.strictEqual(yield* custom("USD", "INR", "2026-11-10"), yield* own("USD", "INR", "&at=2026-11-10"))
    assert.isAbove(yield* custom("USD", "INR", "2026-11-20"), 0)
    const frankfurter = asked(
      `${SHOWN}/compat/frankfurter/v1/{transaction_date}`,
      ["base={from_currency}", "symbols={to_currency}"],
      ["rates", "{to_currency}"]
    )
    assert.strictEqual(yield* frankfurter("EUR", "GBP", "2026-11-10"), yield* own("EUR", "GBP", "&at=2026-11-10"))
    assert.isAbove(yield* frankfurter("USD", "NGN", "2026-11-20"), 0)
  })

  // src/ExchangeRateProviders/FrankfurterProvider.php of worksome/exchange: `{base}/rates?base=&quotes=`, rows with `quote` and `rate`, the
  // date of the first row as `Y-m-d`.
  rule("worksome/exchange: version 2 of Frankfurter", function* () {
    const base = settingsOf("env worksome-exchange").get("FRANKFURTER_BASE_URL")
    const rows = yield* json(`${base}/rates?base=EUR&quotes=${["GBP", "KES", "AED"].join(",")}`)
    const rates = new Map(
      Object.values(Object(rows)).map((row) => [String(member(row, "quote")), Number(member(row, "rate"))])
    )
    for (const code of ["GBP", "KES", "AED"]) assert.strictEqual(rates.get(code), yield* own("EUR", code))
    assert.match(String(member(member(rows, "0"), "date")), /^\d{4}-\d{2}-\d{2}$/)
  })

  rule("Google's Apps Script: a table whose numbers are numbers", function* () {
    const path = "/v1/prices?ids=tether&fiats=ngn&format=csv"
    const text = yield* fetched(`${SHOWN}${path}`)
    const asked: Array<unknown> = []
    const services = {
      UrlFetchApp: {
        fetch: (...request: ReadonlyArray<unknown>) => {
          asked.push(request)
          return { getContentText: () => text }
        }
      },
      Utilities: {
        parseCsv: (csv: string) =>
          csv
            .trim()
            .split("\r\n")
            .map((line) => line.split(","))
      }
    }
    // oxlint-disable-next-line typescript/no-implied-eval -- the program that the documents say to paste
    const program = new Function(...Object.keys(services), `${blockOf("js apps-script")}\nreturn CRYPTO`)
    const rows: unknown = program(...Object.values(services))(path)
    assert.deepStrictEqual(asked, [[`${SHOWN}${path}`, { headers: {}, followRedirects: false }]])
    assert.isAbove(numberAt(rows, "1", "4"), 1000)
    assert.strictEqual(member(member(rows, "1"), "0"), "tether")
  })

  rule("Excel: the address, and the columns whose types are changed", function* () {
    const text = blockOf("text excel")
    const [, address = ""] = /Web\.Contents\("([^"]+)"/.exec(text) ?? []
    const [header = ""] = (yield* fetched(address)).split("\r\n")
    const changed = [...text.matchAll(/\{"(\w+)", type number\}/g)].map(([, name = ""]) => name)
    assert.lengthOf(changed, 2)
    assert.includeMembers(header.split(","), changed)
    assert.include(text, `"en-US"`)
  })

  rule("clients of agents: each setting leads to the protocol", function* () {
    for (const [client, path] of Object.entries({
      cursor: "mcpServers crypto-data url",
      windsurf: "mcpServers crypto-data serverUrl",
      "vs-code": "servers crypto-data url",
      "claude-desktop": "mcpServers crypto-data args 2"
    })) {
      const address = String(path.split(" ").reduce(member, JSON.parse(blockOf(`json ${client}`))))
      const answer = yield* get(address.slice(SHOWN.length), {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
      })
      assert.strictEqual(answer.status, 200, client)
      assert.deepStrictEqual(JSON.parse(answer.text), { jsonrpc: "2.0", id: 1, result: {} })
    }
  })
})
