import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { endpoints, isAlwaysNew, type It, refusalStatus, withQuery } from "../../api/endpoints.ts"
import { friday, RunningService, get } from "../../RunningService.ts"
import { answerAt, Coin, Coins, Conversion, conversion, fiats, Price, problemOf, read, refused } from "../support.ts"
import cases from "../cases.json" with { type: "json" }
import { rulesOf } from "../../rulesOf.ts"

/** Pages of the list as ids, until one is empty. */
const walk = Effect.fnUntraced(function* (limit: number) {
  const ids: Array<string> = []
  for (let page = 1; ; page++) {
    const { data } = yield* read(`/v1/coins?limit=${limit}&page=${page}`, Coins)
    if (data.coins.length === 0) return ids
    assert.isAtMost(data.coins.length, limit)
    ids.push(...data.coins.map(({ id }) => id))
  }
})

const keyNames = "api_key apikey x-api-key x_api_key X-Api-Key x_cg_demo_api_key X-CG-PRO-API-KEY".split(" ")

/** The parameter with its rule, without what the value was probably meant to be. */
const ruleOf = ({ detail, parameter }: { readonly detail: string; readonly parameter: string }) =>
  `${parameter} ${detail.split(". ")[0]}`

/** CONTRACT, Requests: parameters, and how assets are named. */
export const requests = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  describe("Requests: limit and page", () => {
    rule("are 100 and 1 by default", function* () {
      const bare = yield* read("/v1/coins", Coins)
      const full = yield* read("/v1/coins?limit=100&page=1", Coins)
      assert.deepStrictEqual(bare.data, full.data)
      const second = yield* read("/v1/coins?page=2", Coins)
      assert.strictEqual(second.data.limit, 100)
      assert.notStrictEqual(second.data.coins[0]?.id, full.data.coins[0]?.id)
    })

    rule("are accepted at their bounds", function* () {
      for (const limit of [1, 2, 249, 250]) {
        const { data } = yield* read(`/v1/coins?limit=${limit}`, Coins)
        assert.deepStrictEqual([data.coins.length, data.limit], [limit, limit])
      }
    })

    for (const value of cases.refusedLimits) {
      rule(`refuses limit=${value}, naming the parameter and the rule`, function* () {
        const { detail, errors } = yield* refused(`/v1/coins?limit=${encodeURI(value)}`, 400, "invalid_parameter")
        assert.deepStrictEqual(errors?.map(ruleOf), ["limit must be a whole number from 1 to 250"])
        assert.include(detail, "limit")
      })
    }

    for (const value of ["0", "-1", "1.5", "1e2", "two", "", "+2"]) {
      rule(`refuses page=${value}, naming the parameter and the rule`, function* () {
        const { errors } = yield* refused(`/v1/coins?page=${value}`, 400, "invalid_parameter")
        assert.deepStrictEqual(errors?.map(ruleOf), ["page must be a whole number from 1"])
      })
    }

    rule("names every wrong parameter at once", function* () {
      const { errors } = yield* refused("/v1/coins?limit=0&page=x", 400, "invalid_parameter")
      assert.sameMembers(errors?.map(({ parameter }) => parameter) ?? [], ["limit", "page"])
    })

    rule("answer an empty list past the end", function* () {
      for (const query of ["page=5", "page=5000", "limit=250&page=3", "limit=1&page=30000", "page=999999999999999"]) {
        const { data } = yield* read(`/v1/coins?${query}`, Coins)
        assert.deepStrictEqual(data.coins, [], query)
      }
    })

    for (const limit of [250, 97, 100]) {
      rule(`of ${limit} list every coin once, in one order`, function* () {
        const { sandbox } = yield* RunningService
        const ids = yield* walk(limit)
        assert.strictEqual(new Set(ids).size, ids.length)
        assert.strictEqual(ids.length, sandbox.world.market.coins(friday).length)
        const other = yield* walk(limit === 250 ? 113 : 250)
        assert.deepStrictEqual(ids, other)
      })
    }

    rule("order by market cap, unknown caps last, then by id", function* () {
      const pages = [yield* read("/v1/coins?limit=250", Coins), yield* read("/v1/coins?limit=250&page=2", Coins)]
      for (const { data } of pages) {
        const keys = data.coins.map(({ id, market_cap }) => [market_cap ?? -1, id] as const)
        for (const [index, [cap, id]] of keys.entries()) {
          const [before, former] = keys[index - 1] ?? [Number.POSITIVE_INFINITY, ""]
          assert.isTrue(before > cap || (before === cap && former < id), `${former} before ${id}`)
        }
      }
    })

    rule("put null caps behind all others, on whatever page the source lists them", function* () {
      const caps: Array<number | null> = []
      for (const page of [1, 2]) {
        const { data } = yield* read(`/v1/coins?limit=250&page=${page}`, Coins)
        caps.push(...data.coins.map(({ market_cap }) => market_cap))
      }
      const firstUnknown = caps.indexOf(null)
      assert.isAbove(firstUnknown, 0)
      assert.isTrue(caps.slice(firstUnknown).every((cap) => cap === null))
    })

    rule("link to the first, the previous and the next page, keeping the limit", function* () {
      const links = Effect.fnUntraced(function* (path: string) {
        const { answer } = yield* read(path, Coins)
        const header = [answer.headers["link"]].flat().join(", ")
        return Object.fromEntries(
          [...header.matchAll(/<([^>]+)>;\s*rel="(\w+)"/g)].map(([, to = "", rel = ""]) => [rel, to])
        )
      })
      const first = yield* links("/v1/coins?limit=120")
      assert.deepStrictEqual(first, { first: "/v1/coins?limit=120&page=1", next: "/v1/coins?limit=120&page=2" })
      const second = yield* links("/v1/coins?limit=120&page=2")
      assert.deepStrictEqual(second, {
        first: "/v1/coins?limit=120&page=1",
        prev: "/v1/coins?limit=120&page=1",
        next: "/v1/coins?limit=120&page=3"
      })
      const past = yield* links("/v1/coins?limit=120&page=9")
      assert.hasAllKeys(past, ["first", "prev"])
      const followed = yield* read(first["next"] ?? "", Coins)
      assert.strictEqual(followed.data.page, 2)
    })
  })

  describe("Requests: how assets are named", () => {
    rule("ids and fiats are read in any case and answered in their own", function* () {
      const coin = yield* read("/v1/coins/BitCoin", Coin)
      assert.strictEqual(coin.data.id, "bitcoin")
      const price = yield* read("/v1/price/BITCOIN/Eur", Price)
      assert.deepStrictEqual([price.data.id, price.data.symbol, price.data.fiat], ["bitcoin", "BTC", "EUR"])
      const converted = yield* read(conversion("BiTcOiN", "nGn"), Conversion)
      assert.deepStrictEqual([converted.data.from, converted.data.to], ["bitcoin", "NGN"])
      for (const fiat of fiats) {
        const lower = yield* read(`/v1/price/solana/${fiat}`, Price)
        const upper = yield* read(`/v1/price/solana/${fiat.toUpperCase()}`, Price)
        assert.deepStrictEqual(lower.data, upper.data)
      }
    })

    rule("a fiat's code wins over a coin's id, and a prefix says which is meant", function* () {
      const plain = yield* read(conversion("usd", "ngn"), Conversion)
      assert.deepStrictEqual([plain.data.from, plain.data.to], ["USD", "NGN"])
      for (const spelling of ["fiat:usd", "FIAT:USD", "Fiat:Usd"]) {
        const marked = yield* read(conversion(spelling, "fiat:ngn"), Conversion)
        assert.deepStrictEqual(marked.data, plain.data)
      }
      const coin = yield* read(conversion("coin:bitcoin", "COIN:Ethereum"), Conversion)
      assert.deepStrictEqual([coin.data.from, coin.data.to], ["bitcoin", "ethereum"])
      yield* refused(conversion("coin:usd", "ngn"), 404, "unknown_asset")
      yield* refused(conversion("fiat:bitcoin", "ngn"), 404, "unknown_asset")
      yield* refused(conversion("coin:", "ngn"), 404, "unknown_asset")
      yield* refused(conversion("fiat:", "ngn"), 404, "unknown_asset")
    })

    it.effect("a fiat code is an unknown coin", () => refused("/v1/price/usd/ngn", 404, "unknown_coin"))

    for (const ticker of ["btc", "BTC", "eth", "usdt", "sol", "xrp", "doge", "trx"]) {
      rule(`the ticker ${ticker} is not guessed, but the coin is suggested`, function* () {
        const id = { btc: "bitcoin", eth: "ethereum", usdt: "tether", sol: "solana", xrp: "ripple", trx: "tron" }[
          ticker.toLowerCase()
        ]
        for (const path of [`/v1/coins/${ticker}`, `/v1/price/${ticker}/usd`]) {
          const { suggestions = [] } = yield* refused(path, 404, "unknown_coin")
          assert.isAtMost(suggestions.length, 5)
          assert.strictEqual(suggestions[0]?.id, id ?? "dogecoin")
          assert.strictEqual(suggestions[0]?.symbol, ticker.toUpperCase())
        }
        for (const path of [conversion(ticker, "usd"), conversion("usd", ticker)]) {
          const { detail, suggestions = [] } = yield* refused(path, 404, "unknown_asset")
          assert.isAtMost(suggestions.length, 5)
          assert.strictEqual(suggestions[0]?.id, id ?? "dogecoin")
          assert.include(detail.toLowerCase(), ticker.toLowerCase())
        }
      })
    }

    rule("suggestions also match names and misspelt ids; nothing similar gives none", function* () {
      const first = (id: string) =>
        Effect.map(
          refused(`/v1/coins/${encodeURIComponent(id)}`, 404, "unknown_coin"),
          ({ suggestions }) => suggestions?.[0]?.id
        )
      assert.strictEqual(yield* first("etherium"), "ethereum")
      assert.strictEqual(yield* first("XRP Ledger"), undefined)
      assert.strictEqual(yield* first("bitcion"), "bitcoin")
      const { suggestions } = yield* refused("/v1/coins/zzzzqqqqxxxx", 404, "unknown_coin")
      assert.deepStrictEqual(suggestions, [])
    })

    rule("an unknown fiat in a path is a 400 that lists the nine", function* () {
      for (const fiat of ["xyz", "kes", "btc", "usdt", "u", "%20usd", "usdd"]) {
        const { errors } = yield* refused(`/v1/price/bitcoin/${fiat}`, 400, "invalid_parameter")
        assert.deepStrictEqual(
          errors?.map(({ parameter }) => parameter),
          ["fiat"]
        )
        for (const known of fiats) assert.match(errors?.[0]?.detail ?? "", new RegExp(`\\b${known}\\b`))
      }
    })

    rule("a coin without a quote is no_price in every fiat and conversion", function* () {
      for (const fiat of fiats) yield* refused(`/v1/price/velas/${fiat}`, 404, "no_price")
      yield* refused(conversion("velas", "bitcoin"), 404, "no_price")
      yield* refused(conversion("NGN", "velas"), 404, "no_price")
    })

    rule("a currency that no source has is no_price, one that does not exist is unknown", function* () {
      yield* refused(conversion("AFN", "usd"), 404, "no_price")
      yield* refused(conversion("fiat:QQQ", "usd"), 404, "unknown_asset")
    })
  })

  describe("Requests: the query", () => {
    rule("of a conversion requires from and to", function* () {
      const named = (path: string) =>
        Effect.map(refused(path, 400, "invalid_parameter"), ({ errors }) => errors?.map(({ parameter }) => parameter))
      assert.deepStrictEqual(yield* named("/v1/convert?from=bitcoin"), ["to"])
      assert.deepStrictEqual(yield* named("/v1/convert?to=bitcoin"), ["from"])
      assert.sameMembers((yield* named("/v1/convert")) ?? [], ["from", "to"])
      assert.deepStrictEqual(yield* named("/v1/convert?from=&to=usd"), ["from"])
      assert.sameMembers((yield* named("/v1/convert?from=%20&to=usd&amount=x")) ?? [], ["from", "amount"])
    })

    for (const endpoint of endpoints) {
      const { path } = endpoint
      rule(`of ${path} may not repeat a parameter, known or not; for other programs the last one counts`, function* () {
        for (const name of ["limit", "amount", "to", "whatever"]) {
          const twice = withQuery(path, `${name}=0&${name}=1`)
          if (endpoint.dialect.base !== "") {
            const { status, text } = yield* get(twice)
            const once = yield* get(withQuery(path, `${name}=1`))
            assert.deepStrictEqual([twice, status, text], [twice, once.status, once.text])
            continue
          }
          const { errors = [] } = yield* refused(twice, 400, "invalid_parameter")
          assert.deepStrictEqual([errors.length, errors[0]?.parameter], [1, name])
          assert.match(errors[0]?.detail ?? "", /^must be given once$|^is not a parameter of this path/)
        }
      })

      rule(`of ${path} refuses a key, and does not repeat it`, function* () {
        for (const name of keyNames) {
          const answer = yield* answerAt(withQuery(path, `${name}=cda_verysecret`), refusalStatus(endpoint))
          assert.notInclude(answer.text, "verysecret")
          // The service's own programs are told why.
          if (endpoint.dialect.base !== "") continue
          const problem = yield* problemOf(answer)
          assert.deepStrictEqual([problem.code, problem.errors?.[0]?.parameter], ["invalid_parameter", name])
          assert.match(problem.detail, /send the key in the header x-(api-key|cg-(demo|pro)-api-key)/)
        }
      })

      rule(`of ${path} ignores unknown parameters`, function* () {
        if (isAlwaysNew(path)) return
        const plain = yield* get(path)
        for (const query of cases.ignoredQueries) {
          const { status, text } = yield* get(withQuery(path, query))
          assert.deepStrictEqual([status, text], [200, plain.text], query)
        }
      })

      rule(`of ${path} ignores a trailing slash, without a redirect`, function* () {
        if (isAlwaysNew(path)) return
        const plain = yield* get(path)
        const slashed = yield* get(path.includes("?") ? path.replace("?", "/?") : `${path}/`)
        assert.deepStrictEqual([slashed.status, slashed.text], [200, plain.text])
        assert.isUndefined(slashed.headers["location"])
      })
    }
  })
}
