import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { IpNetwork } from "effect/net"
import type { ApiKeys, Authentication } from "../../../src/access/ApiKeys.ts"
import { KeyCounter } from "../../../src/access/KeyUsage.ts"
import { keyed } from "../../../src/access/Plan.ts"
import { own } from "../../../src/api/Dialect.ts"
import { coinGecko } from "../../../src/api/coingecko/CoinGeckoDialect.ts"
import { type Asking, type Identity, make, TrustedProxies } from "../../../src/http/gate/Identity.ts"

const unknown: Authentication = { _tag: "Refused", reason: "unknown" }

const proxies = Layer.succeed(TrustedProxies, [IpNetwork.fromStringUnsafe("10.0.0.0/8")])

const identified = (keys: ApiKeys["Service"], asking: Asking, dialect = own) =>
  Effect.flatMap(make(keys), ({ identify }) =>
    Effect.callback<Identity>((resume) => identify(asking, dialect, 0, (identity) => resume(Effect.succeed(identity))))
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
  assert.strictEqual(refusal, unknown)
  assert.deepStrictEqual(addresses, [quotaKey], "the same address as for the quota")
  return quotaKey
})

describe("a key that is presented", () => {
  it.effect("is looked up on the budget of its client's address, as trusted proxies report it", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* addressOf("192.0.2.1"), "ip:192.0.2.1")
      assert.strictEqual(yield* addressOf("10.0.0.1", "192.0.2.2"), "ip:192.0.2.2")
      assert.strictEqual(yield* addressOf("192.0.2.1", "192.0.2.2"), "ip:192.0.2.1", "a peer that is not trusted")
    })
  )

  it.effect("is unverified, never treated as free, where the check itself fails", () =>
    Effect.gen(function* () {
      const keys: ApiKeys["Service"] = { authenticate: () => Effect.die(new Error("defect")), known: () => undefined }
      const { refusal } = yield* identified(keys, { peer: "192.0.2.1", headers: { "x-api-key": "key" } })
      assert.deepStrictEqual(refusal, { _tag: "Unavailable" })
    })
  )

  it.effect("is read from CoinGecko's headers on CoinGecko's paths, and from no other header elsewhere", () =>
    Effect.gen(function* () {
      const keys: ApiKeys["Service"] = {
        authenticate: (key) =>
          Effect.succeed({ _tag: "Valid", plan: keyed.business, quotaKey: `key:${key}`, usage: new KeyCounter() }),
        known: () => undefined
      }
      for (const name of ["x-cg-demo-api-key", "x-cg-pro-api-key"]) {
        const asking = { peer: "192.0.2.1", headers: { [name]: "k" } }
        assert.strictEqual((yield* identified(keys, asking, coinGecko)).quotaKey, "key:k", name)
        assert.strictEqual((yield* identified(keys, asking)).quotaKey, "ip:192.0.2.1", name)
      }
    })
  )
})
