import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Coin } from "../../src/domain/Coin.ts"
import * as Snapshot from "../../src/domain/Snapshot.ts"
import { UnknownCoin } from "../../src/services/Coins.ts"
import { coin } from "../services/scripted.ts"
import * as ScriptedRoutes from "./ScriptedRoutes.ts"
import { conversion, problemOf } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

const { get } = ScriptedRoutes

const registry = ["bitcoin", "_", "--3", "0-5x-long", "a.b.c", "日本", "é", "a/b", "100%", "usd"]

const snapshot = (value: Coin) =>
  Snapshot.make({ value, source: "CoinGecko", observedAt: value.updated, retrievedAt: value.updated })

const find = (id: string) =>
  registry.includes(id) ? Effect.succeed(coin(id)) : Effect.fail(new UnknownCoin({ id, suggestions: [] }))

const service = ScriptedRoutes.layerOf({
  coins: { coin: (id) => Effect.map(find(id), snapshot) },
  conversions: {
    price: (id) =>
      Effect.map(find(id), (found) => ({
        coin: found,
        price: 1,
        change_24h: null,
        source: "CoinGecko",
        updated: found.updated
      })),
    convert: (from, to, amount) =>
      Effect.map(from._tag === "Coin" ? find(from.id) : Effect.succeed(coin("")), ({ id, updated }) => ({
        from: id,
        to: to._tag === "Coin" ? to.id : to.code,
        amount,
        result: amount,
        rate: 1,
        legs: [],
        source: "CoinGecko",
        updated
      }))
  },
  why: { mover: (id) => Effect.flatMap(find(id), () => Effect.die("no mover")) }
})

const memberOf = (text: string, member: string): unknown => JSON.parse(text).data[member]

rulesIn(service)("an id of the registry", (rule) => {
  rule("is one in every path and query, whatever characters it has", function* () {
    for (const id of registry) {
      const written = encodeURIComponent(id)
      const found = yield* get(`/v1/coins/${written}`)
      assert.deepStrictEqual([found.status, memberOf(found.text, "id")], [200, id], found.text)
      const price = yield* get(`/v1/price/${written}/usd`)
      assert.deepStrictEqual([price.status, memberOf(price.text, "id")], [200, id])
      const converted = yield* get(conversion(`coin:${id}`, "ngn"))
      assert.deepStrictEqual([converted.status, memberOf(converted.text, "from")], [200, id])
      assert.strictEqual((yield* get(`/v1/why/${written}`)).status, 500, "the coin is found")
    }
  })

  rule("is read in any case of ASCII letters and in any Unicode normalization form", function* () {
    for (const [id, read] of [
      ["e\u0301", "é"],
      ["BitCoin", "bitcoin"]
    ] as const) {
      const { text } = yield* get(`/v1/coins/${encodeURIComponent(id)}`)
      assert.strictEqual(memberOf(text, "id"), read)
    }
    assert.strictEqual((yield* get(`/v1/coins/${encodeURIComponent("É")}`)).status, 404)
  })

  rule("has at most 200 characters; one that is unknown is shortened in the detail", function* () {
    for (const path of ["/v1/coins/", "/v1/why/"]) {
      const answer = yield* get(`${path}${"x".repeat(200)}`)
      assert.strictEqual(answer.status, 404)
      const { code, detail } = yield* problemOf(answer)
      assert.strictEqual(code, "unknown_coin")
      assert.strictEqual(detail, `No coin has the id "${"x".repeat(80)}…".`)
      const { errors } = yield* problemOf(yield* get(`${path}${"x".repeat(3000)}`))
      assert.match(errors?.[0]?.detail ?? "", /^must be a coin's id .* It has more than 200 characters$/)
    }
  })

  rule("is repeated without control and formatting characters", function* () {
    const { detail } = yield* problemOf(yield* get("/v1/coins/a%00b%1bc%E2%80%AEd%E2%80%A8e"))
    assert.strictEqual(detail, 'No coin has the id "abcde".')
  })
})

rulesIn(service)("broken percent-encoding", (rule) => {
  rule("is a 400 that names where it is", function* () {
    for (const [path, parameter] of [
      ["/v1/coins/%E0%A4%A", "path"],
      ["/v1/price/bit%zzcoin/usd", "path"],
      ["/v1/convert?from=%E0%A4%A&to=usd", "from"]
    ] as const) {
      const { code, errors } = yield* problemOf(yield* get(path))
      assert.deepStrictEqual(
        [code, errors],
        ["invalid_parameter", [{ parameter, detail: "must be percent-encoded UTF-8" }]]
      )
    }
  })
})
