import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { forwardedKeys, isTrustedPeer, peerKey, type TrustedProxies } from "../../src/access/ClientAddress.ts"

const proxies = ["10.0.0.0/8", "2001:db8:ff::/48"].map(IpNetwork.fromStringUnsafe)

const PROXY = "10.0.0.1"

/** The quota key of a request, as `Identity` asks for it. */
const quotaKey = (peer: string | undefined, forwardedFor: string | undefined, trusted: TrustedProxies): string =>
  forwardedFor !== undefined && isTrustedPeer(peer, trusted)
    ? forwardedKeys(trusted)(peer, forwardedFor)
    : peerKey(peer)

/** `X-Forwarded-For` as a trusted proxy sends it, and the quota key of the request. */
const table: ReadonlyArray<readonly [what: string, forwardedFor: string | undefined, key: string]> = [
  ["no header", undefined, "ip:10.0.0.1"],
  ["one client", "203.0.113.7", "ip:203.0.113.7"],
  ["the leftmost entry, which the client sent, is ignored", "1.1.1.1, 203.0.113.7", "ip:203.0.113.7"],
  ["another client's address in the middle is ignored", "1.1.1.1, 8.8.8.8, 203.0.113.7", "ip:203.0.113.7"],
  ["trusted hops are skipped", "1.1.1.1, 203.0.113.7, 10.1.2.3, 10.9.9.9", "ip:203.0.113.7"],
  ["a trusted address left of the client is ignored", "10.1.2.3, 203.0.113.7", "ip:203.0.113.7"],
  ["all hops are trusted: the farthest", "10.7.7.7, 10.1.2.3", "ip:10.7.7.7"],
  ["many hops", `${"9.9.9.9, ".repeat(900)}203.0.113.7, 10.1.1.1`, "ip:203.0.113.7"],
  ["all of very many hops are trusted", "10.3.3.3,".repeat(1500) + "10.3.3.4", "ip:10.3.3.3"],
  ["16 KB of commas", ",".repeat(16_000), "ip:10.0.0.1"],
  ["16 KB of digits", "1".repeat(16_000), "ip:10.0.0.1"],
  ["16 KB of zone identifier", `fe80::1%${"%".repeat(16_000)}`, "ip:fe80::/64"],
  ["garbage counts against the proxy that sent it", "garbage", "ip:10.0.0.1"],
  ["garbage left of the client is ignored", "garbage, 203.0.113.7", "ip:203.0.113.7"],
  ["garbage behind a trusted hop counts against that hop", "203.0.113.7, garbage, 10.1.2.3", "ip:10.1.2.3"],
  ["unknown, as some proxies write", "unknown", "ip:10.0.0.1"],
  ["an obfuscated identifier", "_hidden", "ip:10.0.0.1"],
  ["empty", "", "ip:10.0.0.1"],
  ["blank", "   ", "ip:10.0.0.1"],
  ["an empty entry at the end", "203.0.113.7,", "ip:10.0.0.1"],
  ["an empty entry in front", ",203.0.113.7", "ip:203.0.113.7"],
  ["blanks and tabs around", " \t203.0.113.7 \t", "ip:203.0.113.7"],
  ["no blank after the comma", "1.1.1.1,203.0.113.7", "ip:203.0.113.7"],
  ["IPv4 with a port", "203.0.113.7:51234", "ip:203.0.113.7"],
  ["IPv4 with an invalid port", "203.0.113.7:http", "ip:10.0.0.1"],
  ["a trusted hop with a port", "203.0.113.7:1, 10.1.2.3:2", "ip:203.0.113.7"],
  ["IPv4 in brackets", "[203.0.113.7]", "ip:203.0.113.7"],
  ["leading zeros, which some read as octal", "010.0.0.1", "ip:10.0.0.1"],
  ["a leading zero in the last octet", "203.0.113.07", "ip:10.0.0.1"],
  ["hexadecimal", "0xcb.0x0.0x71.0x7", "ip:10.0.0.1"],
  ["one number", "3405803783", "ip:10.0.0.1"],
  ["three octets", "203.0.113", "ip:10.0.0.1"],
  ["five octets", "203.0.113.7.1", "ip:10.0.0.1"],
  ["an octet above 255", "203.0.113.256", "ip:10.0.0.1"],
  ["other digits", "２０３.0.113.7", "ip:10.0.0.1"],
  ["a network", "203.0.113.0/24", "ip:10.0.0.1"],
  ["a name", "client.example.com", "ip:10.0.0.1"],
  ["an address in quotes", '"203.0.113.7"', "ip:10.0.0.1"],
  ["IPv6 counts by /64", "2001:db8:1:2:3:4:5:6", "ip:2001:db8:1:2::/64"],
  ["another of the same /64", "2001:db8:1:2:ffff::1", "ip:2001:db8:1:2::/64"],
  ["another /64", "2001:db8:1:3::1", "ip:2001:db8:1:3::/64"],
  ["IPv6 in upper case and at full length", "2001:0DB8:0001:0002:0000:0000:0000:0001", "ip:2001:db8:1:2::/64"],
  ["IPv6 in brackets", "[2001:db8:1:2::7]", "ip:2001:db8:1:2::/64"],
  ["IPv6 in brackets with a port", "[2001:db8:1:2::7]:443", "ip:2001:db8:1:2::/64"],
  ["IPv6 in one bracket", "[2001:db8:1:2::7", "ip:10.0.0.1"],
  ["IPv6 with a zone", "fe80::1%eth0", "ip:fe80::/64"],
  ["IPv6 in brackets with a zone and a port", "[fe80::1%eth0]:443", "ip:fe80::/64"],
  ["IPv6 with two double colons", "2001::db8::1", "ip:10.0.0.1"],
  ["a trusted IPv6 hop", "203.0.113.7, 2001:db8:ff::9", "ip:203.0.113.7"],
  ["IPv4 mapped into IPv6 is that IPv4", "::ffff:203.0.113.7", "ip:203.0.113.7"],
  ["the same in hexadecimal", "::ffff:cb00:7107", "ip:203.0.113.7"],
  ["the same in brackets with a port", "[::FFFF:203.0.113.7]:9", "ip:203.0.113.7"],
  ["a trusted hop mapped into IPv6", "203.0.113.7, ::ffff:10.1.2.3", "ip:203.0.113.7"],
  ["repeated headers as Node joins them", "1.1.1.1, 203.0.113.7", "ip:203.0.113.7"]
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

it.effect.prop(
  "an IPv4 client counts by its address unless a trusted network of any size contains it",
  { network: ipv4, bits: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 32 })), client: ipv4, flips: octet },
  ({ bits, client, flips, network }) =>
    Effect.sync(() => {
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
    })
)
