import { assert } from "@effect/vitest"
import { Effect, Random, Schema } from "effect"
import { knownCoins } from "../../src/domain/CoinRegistry.ts"
import { friday, RunningService, withoutEvidence, get, onFriday, pass } from "../RunningService.ts"
import { Coins } from "../../src/api/MarketApi.ts"
import { fiats, Instant, read, refused, written } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

const Cells = Schema.Record(Schema.String, Schema.NullOr(Schema.Finite))

const Missing = Schema.Struct({
  id: Schema.String,
  code: Schema.Literals(["unknown_coin", "no_price", "no_data", "source_unavailable"]),
  suggestions: Schema.Array(Schema.Struct({ id: Schema.String, symbol: Schema.String, name: Schema.String }))
})

const Prices = Schema.Struct({
  prices: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      symbol: Schema.String,
      name: Schema.String,
      price: Cells,
      change_24h: Cells,
      updated: Instant
    })
  ),
  missing: Schema.Array(Missing)
})

const ids = knownCoins.map(({ id }) => id)
const pathOf = (some: ReadonlyArray<string>, inFiats: ReadonlyArray<string> = [], more = "") =>
  `/v1/prices?ids=${some.map(encodeURIComponent).join(",")}${inFiats.length === 0 ? "" : `&fiats=${inFiats.join(",")}`}${more}`

/** The figure of a cell as it is written. */
const cellOf = (json: string, id: string, member: string, fiat: string) => {
  const row = json.slice(json.indexOf(`{"id":"${id}"`))
  return written(row.slice(row.indexOf(`"${member}":{`)), fiat)
}

/** Each cell of an answer against the answer of its own. */
const compare = Effect.fnUntraced(function* (some: ReadonlyArray<string>, inFiats: ReadonlyArray<string>) {
  const { answer, data } = yield* read(pathOf(some, inFiats), Prices)
  const oldest = new Map<string, string>()
  for (const { id } of data.prices) {
    for (const fiat of inFiats) {
      const single = yield* get(`/v1/price/${encodeURIComponent(id)}/${fiat}`)
      const code = fiat.toUpperCase()
      if (single.status === 200) {
        assert.strictEqual(cellOf(answer.text, id, "price", code), written(single.text, "price"), `${id} in ${fiat}`)
        assert.strictEqual(cellOf(answer.text, id, "change_24h", code), written(single.text, "change_24h"))
        const { updated } = JSON.parse(single.text).meta
        oldest.set(id, [oldest.get(id) ?? updated, updated].toSorted()[0] ?? "")
      } else assert.strictEqual(cellOf(answer.text, id, "price", code), "null", `${id} in ${fiat}`)
    }
  }
  for (const { id, updated } of data.prices) assert.strictEqual(updated, oldest.get(id) ?? updated)
  for (const { code, id } of data.missing) {
    const single = yield* get(`/v1/price/${encodeURIComponent(id)}/usd`)
    assert.strictEqual(JSON.parse(single.text).code, code, id)
  }
  // The comparison counts only when nothing was replaced meanwhile; time stands still, so this is so.
  assert.strictEqual((yield* get(pathOf(some, inFiats))).text, answer.text)
})

rulesIn(onFriday)("Many at once: /v1/prices", (rule, it) => {
  it.effect("equals the single answers to the digit, for any ids and fiats, from refresh to refresh", () =>
    Effect.gen(function* () {
      const some = <A>(from: ReadonlyArray<A>, most: number) =>
        Effect.zipWith(Random.shuffle(from), Random.nextIntBetween(1, most), (shuffled, size) =>
          shuffled.slice(0, size)
        )
      for (let n = 0; n < 3; n++) {
        yield* compare(yield* some([...ids, "no-such-coin", "btc"], 8), yield* some(fiats, 9))
        yield* pass("40 seconds")
      }
    }).pipe(Random.withSeed("prices"))
  )

  it.effect("a price or refusal computed without the router has the bytes of the router's", () =>
    Effect.gen(function* () {
      const shuffled = yield* Random.shuffle(ids)
      const some = [...shuffled.slice(0, 5), "bitcoin", "tether", "velas", "no-such-coin", "BTC", "usd"]
      for (let n = 0; n < 2; n++) {
        for (const id of some) {
          for (const fiat of ["usd", "ngn", "eur", "xyz"]) {
            const path = `/v1/price/${encodeURIComponent(id)}/${fiat}`
            // A parameter leaves the request to the router.
            const [alone, routed] = [yield* get(path), yield* get(`${path}?basis=mid`)]
            const withoutId = (text: string) => text.replace(/"instance":"[^"]*"/, "")
            assert.strictEqual(withoutId(alone.text), withoutId(routed.text), path)
            assert.strictEqual(alone.headers.etag, routed.headers.etag)
          }
        }
        yield* pass("40 seconds")
      }
    }).pipe(Random.withSeed("direct"))
  )

  rule("has 250 coins in nine fiats in one answer, in the order asked, each once", function* () {
    const wanted = ids.slice(0, 250).toReversed()
    const { data, meta } = yield* read(pathOf([...wanted, ...wanted.slice(0, 5)], fiats), Prices)
    assert.deepStrictEqual([...data.prices, ...data.missing].length, 250)
    assert.deepStrictEqual(
      data.prices.map(({ id }) => id),
      wanted.filter((id) => !data.missing.some((lacking) => lacking.id === id))
    )
    for (const { price } of data.prices) assert.strictEqual(Object.keys(price).length, 9)
    assert.strictEqual(meta.updated, data.prices.map(({ updated }) => updated).toSorted()[0])
    assert.match(meta.source, /^CoinGecko \(sandbox\)/)
  })

  rule(
    "reads ids and fiats in any case, answers in USD unless told otherwise, and says why an id is missing",
    function* () {
      const { data } = yield* read("/v1/prices?ids=BitCoin,bitcoin,TETHER,velas,bitcion", Prices)
      const cells = data.prices.map(({ id, price }) => [id, ...Object.keys(price)])
      assert.deepStrictEqual(cells, [
        ["bitcoin", "USD"],
        ["tether", "USD"]
      ])
      const missing = data.missing.map(({ code, id, suggestions }) => [id, code, suggestions[0]?.id])
      assert.deepStrictEqual(missing, [
        ["velas", "no_price", undefined],
        ["bitcion", "unknown_coin", "bitcoin"]
      ])
      const mixed = yield* read("/v1/prices?ids=bitcoin&fiats=eUr,NGN,EUR", Prices)
      assert.deepStrictEqual(Object.keys(mixed.data.prices[0]?.price ?? {}), ["EUR", "NGN"])
      const nothing = yield* read(pathOf(["bitcion", " ~", "\0"]), Prices)
      assert.deepStrictEqual([nothing.data.prices.length, nothing.data.missing.length], [0, 3])
    }
  )

  rule("refuses no ids, and what is not one of the nine fiats", function* () {
    const bad = ["", "?ids=bitcoin&fiats=", "?ids=bitcoin&fiats=usd,"]
    for (const query of [...bad, "?ids=bitcoin&basis=bid"]) {
      yield* refused(`/v1/prices${query}`, 400, "invalid_parameter")
    }
  })

  it.effect.each(["/v1/coins", "/v1/prices"])("%s refuses an empty list, an empty id, and more than 250", (path) =>
    Effect.gen(function* () {
      const many = (count: number) => Array.from({ length: count }, (_, n) => `c${n}`).join(",")
      for (const list of ["", ",", "bitcoin,", "bitcoin,,tether", many(251)]) {
        const { errors } = yield* refused(`${path}?ids=${list}`, 400, "invalid_parameter")
        assert.deepStrictEqual(errors?.[0]?.parameter, "ids", list)
      }
      assert.strictEqual((yield* get(`${path}?ids=${many(250)}`)).status, 200)
    })
  )

  rule("/v1/coins?ids= lists just those coins, in the order of the list, with those that are missing", function* () {
    const path = "/v1/coins?ids=tether,Bitcoin,btc,ethereum,bitcoin"
    const { answer, data, meta } = yield* read(path, Schema.Struct({ ...Coins.fields, missing: Schema.Array(Missing) }))
    const list = yield* read("/v1/coins?limit=250", Coins)
    const wanted = list.data.coins.filter(({ id }) => ["tether", "bitcoin", "ethereum"].includes(id))
    assert.deepStrictEqual(data.coins, wanted)
    assert.deepStrictEqual(meta, list.meta)
    assert.deepStrictEqual(
      data.missing.map(({ code, id, suggestions }) => [id, code, suggestions[0]?.id]),
      [["btc", "unknown_coin", "bitcoin"]]
    )
    assert.deepStrictEqual([data.page, data.limit], [1, 4])
    assert.isUndefined(answer.headers["link"])
  })
})

const away = (sources: string) => ({ SOURCES_DISABLED: `${sources},${withoutEvidence.SOURCES_DISABLED}` })

// In the keyless plan there are no quotes in other fiats, which need no rate.
const withoutFx = { ...away("FRANKFURTER,CURRENCY_API"), COINGECKO_PLAN: "keyless" }

/** What is left of a coin's prices without a source. */
const without = <E>(
  name: string,
  config: Readonly<Record<string, string>>,
  test: () => Effect.fn.Return<void, E, RunningService>
) =>
  rulesIn(RunningService.layer({ at: friday, config }))(`without ${name}`, (rule) => rule("the rest is answered", test))

without("fiat rates", withoutFx, function* () {
  const { data } = yield* read(pathOf(["velas-2", "bitcoin"], ["usd", "gbp", "ngn"]), Prices)
  const { GBP, NGN, USD } = data.prices[0]?.price ?? {}
  assert.deepStrictEqual([typeof USD, typeof NGN, GBP], ["number", "number", null])
  assert.strictEqual(data.missing[0]?.code, "unknown_coin")
})

without("the naira", away("BYBIT_P2P,BITGET_P2P,QUIDAX,LUNO"), function* () {
  for (const basis of ["mid", "customer"]) {
    const { data } = yield* read(pathOf(["bitcoin"], ["ngn", "usd", "eur"], `&basis=${basis}`), Prices)
    const { EUR, NGN, USD } = data.prices[0]?.price ?? {}
    assert.deepStrictEqual([typeof USD, typeof EUR, NGN], ["number", "number", null])
  }
})

without("a source of coins", away("COINGECKO,COINPAPRIKA"), function* () {
  const { answer, data } = yield* read(pathOf(["bitcoin", "tether"], ["usd", "ngn"]), Prices)
  const missing = data.missing.map(({ code, id }) => `${id} ${code}`)
  assert.deepStrictEqual(missing, ["bitcoin source_unavailable", "tether source_unavailable"])
  assert.match(String(answer.headers["cache-control"]), /max-age=0,.*stale-if-error=0$/)
})
