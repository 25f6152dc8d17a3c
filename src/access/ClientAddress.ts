// Derives the quota key of a client from its address. `X-Forwarded-For` starts with what the client sent, followed
// by one entry per proxy. Only entries that trusted proxies added are valid: the header is read from the right,
// and only if the peer itself is trusted.
import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { BlockList, isIPv4 } from "node:net"

/** What the quota key of a client without an API key begins with. */
export const IP = "ip:"

/** The networks of proxies whose `X-Forwarded-For` is trusted. */
export type TrustedProxies = ReadonlyArray<IpNetwork.IpNetwork>

/**
 * The quota key of the peer itself: `ip:` and the IPv4 address or the IPv6 /64 network. One household usually has a whole
 * /64. An IPv4-mapped IPv6 address counts as the IPv4 address. `ip:unknown` without a valid address.
 */
export const peerKey = (peer: string | undefined): string => {
  // The operating system formats IPv4 addresses in one canonical way, so they need no parsing.
  if (peer !== undefined && !peer.includes(":")) return `${IP}${peer}`
  const address = peer === undefined ? undefined : parse(peer)
  return address === undefined ? `${IP}unknown` : keyOf(address)
}

/**
 * Reads the quota key of the client behind a trusted peer. Walks the entries from the right, as long as they are trusted
 * proxies; the first untrusted one is the client. An entry that is no address ends the walk: the request counts against
 * the proxy that added it.
 *
 * Nearly always the last entry is the client, an IPv4 address as proxies write it: that is decided without parsing it.
 */
export const forwardedKeys = (
  trusted: TrustedProxies
): ((peer: string | undefined, forwardedFor: string) => string) => {
  const proxies = new BlockList()
  for (const network of trusted) {
    if (IpNetwork.isIpv4Network(network)) proxies.addSubnet(NetAddress.formatIp(network.address), network.prefixLength)
  }
  return (peer, forwardedFor) => {
    const last = forwardedFor.slice(forwardedFor.lastIndexOf(",") + 1).trim()
    return isIPv4(last) && !proxies.check(last) ? `${IP}${last}` : walkedKey(peer, forwardedFor, trusted)
  }
}

const walkedKey = (peer: string | undefined, forwardedFor: string, trusted: TrustedProxies): string => {
  let nearest: NetAddress.IpAddress | undefined
  for (let end = forwardedFor.length; end >= 0;) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(",", end - 1)
    const hop = parse(withoutPort(forwardedFor.slice(comma + 1, end).trim()))
    if (hop === undefined) break
    nearest = hop
    if (!isTrusted(hop, trusted)) break
    end = comma
  }
  return nearest === undefined ? peerKey(peer) : keyOf(nearest)
}

/** Strips the port and the brackets: `1.2.3.4:5678`, `[2001:db8::1]:443`, `[2001:db8::1]`. */
const withoutPort = (entry: string): string => {
  const match = /^\[([^\]]+)\](?::\d{1,5})?$|^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(entry)
  return match?.[1] ?? match?.[2] ?? entry
}

const parse = (text: string): NetAddress.IpAddress | undefined => {
  const address = NetAddress.ipFromString(text.includes("%") ? text.replace(/%.*$/, "") : text)
  return Result.isSuccess(address) ? NetAddress.toCanonical(address.success) : undefined
}

const isTrusted = (address: NetAddress.IpAddress, trusted: TrustedProxies): boolean =>
  trusted.some((network) => IpNetwork.contains(network, address))

const keyOf = (address: NetAddress.IpAddress): string =>
  NetAddress.isIpv4Address(address)
    ? `${IP}${NetAddress.formatIp(address)}`
    : `${IP}${IpNetwork.format(IpNetwork.fromAddressUnsafe(address, 64))}`

export const isTrustedPeer = (peer: string | undefined, trusted: TrustedProxies): boolean => {
  const address = peer === undefined ? undefined : parse(peer)
  return address !== undefined && isTrusted(address, trusted)
}
