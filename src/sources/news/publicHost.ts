// Which hosts a citation may link to: a feed may name any.
import { BlockList, isIP } from "node:net"

/** Loopback, private, link-local and other addresses that are not of the public internet (RFC 6890). */
const reserved = new BlockList()
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3]
] as const)
  reserved.addSubnet(network, prefix, "ipv4")
for (const [network, prefix] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8]
] as const)
  reserved.addSubnet(network, prefix, "ipv6")

/** Names that no public server has (RFC 6761, RFC 6762). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa|test|invalid)\.?$/

/** Whether a host, as `URL` writes it, may be on the public internet: a name with a point, or a public address. */
export const isPublicHost = (hostname: string): boolean => {
  const address = hostname.replace(/^\[|\]$/g, "")
  const family = isIP(address)
  if (family === 0) return /[^.]\.[^.]/.test(hostname) && !LOCAL_NAME.test(hostname)
  return !reserved.check(address, family === 4 ? "ipv4" : "ipv6")
}
