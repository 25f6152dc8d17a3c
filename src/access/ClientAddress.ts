// Whose request this is, by address. `X-Forwarded-For` is whatever the client wrote, followed by what each proxy added: only
// entries added by proxies we trust mean anything, so it is read from the right, and only when the peer itself is trusted.
import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/** The networks whose word on forwarding counts. */
export type TrustedProxies = ReadonlyArray<IpNetwork.IpNetwork>

/**
 * The key a caller's quota is counted under: an IPv4 address, or the /64 of an IPv6 one, since a single household holds that
 * many. IPv4 mapped into IPv6 is that IPv4.
 */
export const quotaKey = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: TrustedProxies
): string =>
  forwardedFor !== undefined && isTrustedPeer(peer, trusted) ? forwardedKey(peer, forwardedFor, trusted) : peerKey(peer)

/** The key of the peer itself. */
export const peerKey = (peer: string | undefined): string => {
  // The system writes the addresses of peers, and IPv4 in one way only: nothing to parse.
  if (peer !== undefined && !peer.includes(":")) return `ip:${peer}`
  const address = peer === undefined ? undefined : parse(peer)
  return address === undefined ? "ip:unknown" : keyOf(address)
}

/**
 * The key of whom a trusted peer forwards for. Walks the hops from the nearest one; what a trusted hop vouches for is the next.
 * Garbage is charged to who passed it on.
 */
export const forwardedKey = (peer: string | undefined, forwardedFor: string, trusted: TrustedProxies): string => {
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

/** `1.2.3.4:5678`, `[2001:db8::1]:443` and `[2001:db8::1]` are the addresses in them. */
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
    ? `ip:${NetAddress.formatIp(address)}`
    : `ip:${IpNetwork.format(IpNetwork.fromAddressUnsafe(address, 64))}`

/** Whether a peer's word on forwarding counts. */
export const isTrustedPeer = (peer: string | undefined, trusted: TrustedProxies): boolean => {
  const address = peer === undefined ? undefined : parse(peer)
  return address !== undefined && isTrusted(address, trusted)
}
