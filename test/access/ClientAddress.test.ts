import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { forwardedKeys, isTrustedPeer, peerKey, type TrustedProxies } from "../../src/access/ClientAddress.ts"
import forwarded from "./forwarded.json" with { type: "json" }

const proxies = ["10.0.0.0/8", "2001:db8:ff::/48"].map(IpNetwork.fromStringUnsafe)

const PROXY = "10.0.0.1"

/** The quota key of a request, as `Identity` asks for it. */
const quotaKey = (peer: string | undefined, forwardedFor: string | undefined, trusted: TrustedProxies): string =>
  forwardedFor !== undefined && isTrustedPeer(peer, trusted)
    ? forwardedKeys(trusted)(peer, forwardedFor)
    : peerKey(peer)

/** `X-Forwarded-For` as a trusted proxy sends it, and the quota key of the request. */
const table: ReadonlyArray<readonly [what: string, forwardedFor: string | undefined, key: string]> = [
  ...forwarded.map(([what = "", header = "", key = ""]) => [what, header, key] as const),
  ["no header", undefined, "ip:10.0.0.1"],
  ["many hops", `${"9.9.9.9, ".repeat(900)}203.0.113.7, 10.1.1.1`, "ip:203.0.113.7"],
  ["all of very many hops are trusted", "10.3.3.3,".repeat(1500) + "10.3.3.4", "ip:10.3.3.3"],
  ["16 KB of commas", ",".repeat(16_000), "ip:10.0.0.1"],
  ["16 KB of digits", "1".repeat(16_000), "ip:10.0.0.1"],
  ["16 KB of zone identifier", `fe80::1%${"%".repeat(16_000)}`, "ip:fe80::/64"]
]

describe("Limits: a client behind a trusted proxy", () => {
  for (const [what, forwardedFor, key] of table) {
    it(`${what} → ${key}`, () => assert.strictEqual(quotaKey(PROXY, forwardedFor, proxies), key))
  }
})

describe("Limits: a peer", () => {
  const peers: ReadonlyArray<readonly [peer: string | undefined, key: string]> = [
    ["203.0.113.9", "ip:203.0.113.9"],
    ["::ffff:203.0.113.9", "ip:203.0.113.9"],
    ["2001:db8:1:2::9", "ip:2001:db8:1:2::/64"],
    ["fe80::1%eth0", "ip:fe80::/64"],
    ["::1", "ip:::/64"],
    [undefined, "ip:unknown"]
  ]
  for (const [peer, key] of peers) {
    it(`${peer}, not trusted, is ${key} whatever it forwards`, () => {
      for (const forwardedFor of [undefined, "", "1.1.1.1", "garbage", "10.0.0.1", "::1"]) {
        assert.strictEqual(quotaKey(peer, forwardedFor, []), key)
        assert.strictEqual(quotaKey(peer, forwardedFor, proxies), key)
      }
      assert.isFalse(isTrustedPeer(peer, proxies))
    })
  }

  it("is trusted in any of its spellings", () => {
    for (const peer of ["10.0.0.1", "10.255.255.255", "::ffff:10.0.0.1", "2001:db8:ff::1", "2001:DB8:FF::1%eth0"]) {
      assert.isTrue(isTrustedPeer(peer, proxies))
      assert.strictEqual(quotaKey(peer, "203.0.113.7", proxies), "ip:203.0.113.7")
    }
    assert.isFalse(isTrustedPeer("11.0.0.1", proxies))
    assert.isFalse(isTrustedPeer("10.0.0.1", []))
  })
})

const octet = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
const ipv4 = Schema.Tuple([octet, octet, octet, octet])

it.prop(
  "an IPv4 client counts by its address unless a trusted network of any size contains it",
  { network: ipv4, bits: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 32 })), client: ipv4, flips: octet },
  ({ bits, client, flips, network }) => {
    const trusted = [IpNetwork.fromStringUnsafe(PROXY + "/32")]
    const at = IpNetwork.fromAddressUnsafe(NetAddress.ipFromStringUnsafe(network.join(".")), bits)
    // Near the network's own address, so that both sides of its border are met.
    const near = network.map((value, n) => (n === 3 ? value ^ flips : value)).join(".")
    for (const address of [client.join("."), near, network.join(".")]) {
      const isTrusted = IpNetwork.contains(at, NetAddress.ipFromStringUnsafe(address))
      const expected = isTrusted ? "ip:198.51.100.1" : `ip:${address}`
      // The entry before a trusted one counts.
      const found = quotaKey(PROXY, `198.51.100.1, ${address}`, [...trusted, at])
      assert.strictEqual(found, expected, `${address} in ${IpNetwork.format(at)}`)
    }
  }
)
