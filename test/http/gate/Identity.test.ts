import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { IpNetwork } from "effect/net"
import type { ApiKeys, Authentication } from "../../../src/access/ApiKeys.ts"
import { KeyCounter } from "../../../src/access/KeyUsage.ts"
import { usual } from "../../../src/access/Plan.ts"
import { ownDialect } from "../../../src/api/Dialect.ts"
import { coinGecko } from "../../../src/api/coingecko/CoinGeckoDialect.ts"
import { type Sender, type Identity, make, TrustedProxies } from "../../../src/http/gate/Identity.ts"
import { capturedLog } from "../../resources.ts"
import { rule } from "../../rulesOf.ts"

const unknown: Authentication = { _tag: "Refused", reason: "unknown" }

const proxies = Layer.succeed(TrustedProxies, [IpNetwork.fromStringUnsafe("10.0.0.0/8")])

const identified = (keys: ApiKeys["Service"], asking: Sender, dialect = ownDialect) =>
  Effect.flatMap(make(keys), ({ identify }) =>
    Effect.callback<Identity>((resume) =>
      identify(asking, dialect, false, 0, (identity) => resume(Effect.succeed(identity)))
    )
  ).pipe(Effect.provide(proxies))

/** The address that the look-up of a presented key is counted under. */
const addressOf = Effect.fnUntraced(function* (peer: string, forwardedFor?: string) {
  const addresses: Array<string> = []
  const keys: ApiKeys["Service"] = {
    authenticate: (_presented, addressOf) =>
      Effect.sync(() => {
        addresses.push(addressOf())
        return unknown
      }),
    known: () => undefined
  }
  const headers = { "x-api-key": "key", ...(forwardedFor !== undefined && { "x-forwarded-for": forwardedFor }) }
  const { quotaKey, refusal } = yield* identified(keys, { peer, headers })
  assert.deepStrictEqual(refusal, { ...unknown, header: "x-api-key" })
  assert.deepStrictEqual(addresses, [quotaKey], "the same address as for the quota")
  return quotaKey
})

/** Takes every key as valid. */
const anyKey: ApiKeys["Service"] = {
  authenticate: (key) =>
    Effect.succeed({ _tag: "Valid", plan: usual("business"), quotaKey: `key:${key}`, usage: new KeyCounter() }),
  known: () => undefined
}

describe("a key that is presented", () => {
  rule("is looked up on the budget of its client's address, as trusted proxies report it", function* () {
    assert.strictEqual(yield* addressOf("192.0.2.1"), "ip:192.0.2.1")
    assert.strictEqual(yield* addressOf("10.0.0.1", "192.0.2.2"), "ip:192.0.2.2")
    assert.strictEqual(yield* addressOf("192.0.2.1", "192.0.2.2"), "ip:192.0.2.1", "a peer that is not trusted")
  })

  rule("is unverified, never treated as free, where the check itself fails", function* () {
    const keys: ApiKeys["Service"] = { authenticate: () => Effect.die(new Error("defect")), known: () => undefined }
    const { refusal } = yield* identified(keys, { peer: "192.0.2.1", headers: { "x-api-key": "key" } })
    assert.deepStrictEqual(refusal, { _tag: "Unavailable", header: "x-api-key" })
  })

  rule("is read from CoinGecko's headers on CoinGecko's paths, and from no other header elsewhere", function* () {
    for (const name of ["x-cg-demo-api-key", "x-cg-pro-api-key"]) {
      const asking = { peer: "192.0.2.1", headers: { [name]: "k" } }
      assert.strictEqual((yield* identified(anyKey, asking, coinGecko)).quotaKey, "key:k", name)
      assert.strictEqual((yield* identified(anyKey, asking)).quotaKey, "ip:192.0.2.1", name)
    }
  })

  rule("is read from Authorization: Bearer, and from no other scheme", function* () {
    for (const [authorization, quotaKey] of [
      ["Bearer k", "key:k"],
      ["bearer   k", "key:k"],
      ["Bearer", "key:"],
      ["Basic dTpw", "ip:192.0.2.1"],
      ["Bearerk", "ip:192.0.2.1"]
    ] as const) {
      const asking = { peer: "192.0.2.1", headers: { authorization } }
      assert.strictEqual((yield* identified(anyKey, asking)).quotaKey, quotaKey, authorization)
    }
  })

  rule("may be sent twice; two different ones are refused, whichever headers they are in", function* () {
    const names = ["x-api-key", "authorization", "x-cg-pro-api-key", "x-cg-demo-api-key"]
    const pairs = names.flatMap((one, n) => names.slice(n + 1).map((other) => [one, other] as const))
    const valueOf = (name: string, key: string) => (name === "authorization" ? `Bearer ${key}` : key)
    for (const [one, other] of pairs) {
      const asking = (key: string) => ({
        peer: "192.0.2.1",
        headers: { [one]: valueOf(one, "k"), [other]: valueOf(other, key) }
      })
      assert.strictEqual((yield* identified(anyKey, asking("k"), coinGecko)).quotaKey, "key:k", `${one}, ${other}`)
      const { quotaKey, refusal } = yield* identified(anyKey, asking("other"), coinGecko)
      assert.deepStrictEqual([refusal?._tag, quotaKey], ["Ambiguous", "ip:192.0.2.1"], `${one}, ${other}`)
    }
    const twice = (key: string) => ({ peer: "192.0.2.1", headers: { "x-api-key": `k, ${key}` } })
    assert.strictEqual((yield* identified(anyKey, twice("k"))).quotaKey, "key:k")
    assert.strictEqual((yield* identified(anyKey, twice("other"))).refusal?._tag, "Ambiguous")
  })
})

rule("a forwarding header from a peer that nobody trusts is warned about once, and names nobody", function* () {
  const { layer, logged } = capturedLog()
  const { identify } = yield* Effect.provide(make(anyKey), layer)
  for (let n = 0; n < 3; n++) {
    const asking = { peer: "192.0.2.1", headers: { "x-forwarded-for": "203.0.113.7" } }
    identify(asking, ownDialect, false, 0, ({ quotaKey }) => assert.strictEqual(quotaKey, "ip:192.0.2.1"))
  }
  assert.strictEqual(logged.length, 1)
  assert.include(logged[0], "TRUSTED_PROXIES")
  assert.notInclude(logged[0], "203.0.113.7")
})
