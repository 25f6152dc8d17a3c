import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { IpNetwork } from "effect/net"
import { type Authentication } from "../../../src/access/ApiKeys.ts"
import { make } from "../../../src/http/gate/Identity.ts"

const unknown: Authentication = { _tag: "Refused", reason: "unknown" }

/** The address that the look-up of a presented key is counted under. */
const addressOf = Effect.fnUntraced(function* (peer: string, forwardedFor?: string) {
  const addresses: Array<string> = []
  const { identify } = make(
    {
      authenticate: (_presented, addressOf) =>
        Effect.sync(() => {
          addresses.push(addressOf())
          return unknown
        }),
      known: () => undefined
    },
    [IpNetwork.fromStringUnsafe("10.0.0.0/8")]
  )
  const headers = { "x-api-key": "key", ...(forwardedFor !== undefined && { "x-forwarded-for": forwardedFor }) }
  const { quotaKey, refusal } = yield* identify(
    HttpServerRequest.fromWeb(new Request("http://localhost/v1/fx", { headers })).modify({
      remoteAddress: Option.some(peer)
    })
  )
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
})

describe("a key in CoinGecko's headers", () => {
  it("is never passed over by answers that are sent before the gate has seen the path", () => {
    const { known } = make({ authenticate: () => Effect.succeed(unknown), known: () => undefined }, [])
    assert.isDefined(known({ peer: "192.0.2.1", headers: {} }, 0))
    for (const name of ["x-cg-demo-api-key", "x-cg-pro-api-key"]) {
      assert.isUndefined(known({ peer: "192.0.2.1", headers: { [name]: "CG-unknown" } }, 0), name)
    }
  })
})
