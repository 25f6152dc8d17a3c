// Fetches a feed with conditional requests, at most three redirects, and one request per host at a time. A redirect may point anywhere,
// so it is followed only to public addresses (from a feed in our own network also within it), never from https to http, and the
// connection goes to the checked addresses.
import { Context, Effect, Ref, Result, Semaphore } from "effect"
import { FetchHttpClient } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"
import { lookup } from "node:dns/promises"
import type { SourceClient } from "../client/SourceClient.ts"
import { BadStatus, type SourceError, Unusable } from "../client/SourceError.ts"
import { pinnedFetch } from "./pinnedFetch.ts"

const MOST_REDIRECTS = 3

const accepted =
  "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1"

type AddressesOf = (name: string) => Effect.Effect<ReadonlyArray<string>>

/** The IP addresses of a host name; empty if it does not resolve. */
export const HostAddresses = Context.Reference<AddressesOf>("crypto-data-api/sources/news/HostAddresses", {
  defaultValue: () => (name) =>
    Effect.tryPromise(() => lookup(name, { all: true })).pipe(
      Effect.map((found) => found.map(({ address }) => address)),
      Effect.orElseSucceed(() => [])
    )
})

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

/** The IP addresses of a URL's host, which may be an address itself. */
const addressesOfUrl = (url: URL, addressesOf: AddressesOf): Effect.Effect<ReadonlyArray<string>> => {
  const host = url.hostname.replace(/^\[|\]$/g, "")
  return Result.isSuccess(NetAddress.ipFromString(host)) ? Effect.succeed([host]) : addressesOf(host)
}

/** The most restricted kind among addresses; `none` for an empty list. */
const leastReach = (addresses: ReadonlyArray<string>): Reach => {
  const reaches = addresses.map(reachOf)
  if (reaches.length === 0 || reaches.includes("none")) return "none"
  return reaches.includes("own") ? "own" : "public"
}

/** Limits each host to one request at a time. All hosts that only redirects name share one semaphore, to bound their number. */
export const makeTurns = (urls: ReadonlyArray<string>): ((url: URL) => Semaphore.Semaphore) => {
  const turns = new Map(urls.map((url) => [new URL(url).host, Semaphore.makeUnsafe(1)]))
  const elsewhere = Semaphore.makeUnsafe(1)
  return (url) => turns.get(url.host) ?? elsewhere
}

/** The target of a request. `addresses`: the checked ones of a redirect's host; `null` resolves the host name as usual. */
interface Target {
  readonly url: URL
  readonly addresses: ReadonlyArray<string> | null
}

/** The fetch of one feed. It stores the validators, and returns a body, or `null` if nothing has changed (304). */
export const make = Effect.fnUntraced(function* (options: {
  readonly url: string
  readonly client: SourceClient
  readonly turnOf: (url: URL) => Semaphore.Semaphore
}) {
  const { client, turnOf } = options
  const addressesOf = yield* HostAddresses
  const configured = new URL(options.url)
  /** The headers that make a request conditional on the stored version; `null` if there is none. */
  const held = yield* Ref.make<Readonly<Record<string, string>> | null>(null)

  const next = Effect.fnUntraced(function* (
    from: URL,
    location: string | undefined
  ): Effect.fn.Return<Target, SourceError> {
    const to = URL.parse(location ?? "", from.href)
    const refuse = (detail: string) => Effect.fail(client.error(new Unusable({ detail })))
    if (to === null) return yield* refuse("a redirect to nowhere")
    const isWeaker = configured.protocol === "https:" && to.protocol !== "https:"
    if ((to.protocol !== "https:" && to.protocol !== "http:") || isWeaker) {
      return yield* refuse("a redirect to another scheme")
    }
    if (to.username !== "" || to.password !== "") return yield* refuse("a redirect with credentials")
    if (to.host === configured.host) return { url: to, addresses: null }
    const addresses = yield* addressesOfUrl(to, addressesOf)
    const reach = leastReach(addresses)
    const isAllowed =
      reach === "public" || (reach === "own" && leastReach(yield* addressesOfUrl(configured, addressesOf)) === "own")
    if (!isAllowed) return yield* refuse("a redirect to an address that is not public")
    return { url: to, addresses }
  })

  const hop = ({ addresses, url }: Target, headers: Readonly<Record<string, string>>) => {
    const asked = turnOf(url).withPermits(1)(client.requestBytes(url.href, headers))
    return addresses === null ? asked : Effect.provideService(asked, FetchHttpClient.Fetch, pinnedFetch(addresses))
  }

  return Effect.gen(function* () {
    const validators = yield* Ref.get(held)
    const headers = { accept: accepted, ...validators }
    let target: Target = { url: configured, addresses: null }
    let answer = yield* hop(target, headers)
    for (let redirects = 0; isRedirect(answer.status); redirects++) {
      if (redirects === MOST_REDIRECTS) {
        return yield* client.error(new Unusable({ detail: `more than ${MOST_REDIRECTS} redirects` }))
      }
      target = yield* next(target.url, answer.headers["location"])
      answer = yield* hop(target, headers)
    }
    const { retrievedAt, status } = answer
    if (status === 304 && validators !== null) return { body: null, retrievedAt }
    if (status > 299) return yield* client.error(new BadStatus({ status }))
    const { etag, "last-modified": modified } = answer.headers
    return {
      body: answer.bytes,
      contentType: answer.headers["content-type"],
      url: target.url.href,
      retrievedAt,
      /** Stores the validators. Run it after reading the body, so that later requests are conditional. */
      keep: Ref.set(held, {
        ...(etag !== undefined && { "if-none-match": etag }),
        ...(modified !== undefined && { "if-modified-since": modified })
      })
    }
  })
})

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)
