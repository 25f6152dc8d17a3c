// Which addresses are public: a feed may link or redirect to any.
import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { isIP } from "node:net"

/** The kind of an address. `own`: this machine or a private network; `none`: link-local, reserved or not an address. */
export type Reach = "public" | "own" | "none"

const networks = (...texts: ReadonlyArray<string>) => texts.map((text) => IpNetwork.fromStringUnsafe(text))

const own = networks("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7")

const unicast = networks("0.0.0.0/0", "2000::/3")

/**
 * Multicast, and IANA's registries of special-purpose addresses, except IPv6 outside of 2000::/3, which is never public.
 * https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const reserved = [
  ...networks("0.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24"),
  ...networks("192.52.193.0/24", "192.88.99.0/24", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24"),
  ...networks("203.0.113.0/24", "224.0.0.0/3"),
  ...networks("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
]

/** The kind of an IP address in text form; `none` for other text. */
export const reachOf = (text: string): Reach => {
  const parsed = NetAddress.ipFromString(text.replace(/^\[|\]$/g, ""))
  if (Result.isFailure(parsed)) return "none"
  const address = NetAddress.toCanonical(parsed.success)
  const isIn = (network: IpNetwork.IpNetwork) => IpNetwork.contains(network, address)
  if (own.some(isIn)) return "own"
  return unicast.some(isIn) && !reserved.some(isIn) ? "public" : "none"
}

/** Names that no public server has (RFC 6761, RFC 6762). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa|test|invalid)\.?$/

/** Whether a host, as `URL` writes it, may be on the public internet: a name with a point, or a public address. */
export const isPublicHost = (hostname: string): boolean =>
  isIP(hostname.replace(/^\[|\]$/g, "")) === 0
    ? /[^.]\.[^.]/.test(hostname) && !LOCAL_NAME.test(hostname)
    : reachOf(hostname) === "public"
