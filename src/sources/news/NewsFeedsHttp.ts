// How a feed is fetched: only what has changed, through a few redirects, one request per host at a time. A redirect is the
// publisher's word and may point anywhere: it never takes us to another scheme or to an address inside our own network.
import { Context, DateTime, Effect, Ref, Result, Semaphore } from "effect"
import { NetAddress } from "effect/net"
import { lookup } from "node:dns/promises"
import type { SourceClient } from "../client/SourceClient.ts"
import { BadStatus, type SourceError, Unusable } from "../client/SourceError.ts"

/** Redirects that are followed in one fetch. */
const MOST_REDIRECTS = 3

const accepted =
  "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1"

type AddressesOf = (name: string) => Effect.Effect<ReadonlyArray<string>>

/** The addresses that a host name stands for; none where the name does not resolve. */
export const HostAddresses = Context.Reference<AddressesOf>("crypto-data-api/sources/news/HostAddresses", {
  defaultValue: () => (name) =>
    Effect.tryPromise(() => lookup(name, { all: true })).pipe(
      Effect.map((found) => found.map(({ address }) => address)),
      Effect.orElseSucceed(() => [])
    )
})

/** How far an address reaches: `own` is this machine or the network around it, `none` is where nothing honest lives. */
export type Reach = "public" | "own" | "none"

/** The reach of an IP address as text; anything that is not one is `none`. */
export const reachOf = (text: string): Reach => {
  const parsed = NetAddress.ipFromString(text.replace(/^\[|\]$/g, ""))
  if (Result.isFailure(parsed)) return "none"
  const address = NetAddress.toCanonical(parsed.success)
  if (NetAddress.isLoopback(address)) return "own"
  if (NetAddress.isLinkLocal(address) || NetAddress.isUnspecified(address) || NetAddress.isMulticast(address))
    return "none"
  if (NetAddress.isIpv6Address(address)) {
    if (NetAddress.isUniqueLocal(address)) return "own"
    // Global unicast is 2000::/3; of it, 6to4 (2002::/16), Teredo (2001::/32) and documentation lead elsewhere.
    const [first, second] = NetAddress.ipv6ToSegments(address)
    const isEmbedded = first === 0x2002 || (first === 0x2001 && (second === 0 || second === 0xdb8))
    return first >= 0x2000 && first <= 0x3fff && !isEmbedded ? "public" : "none"
  }
  if (NetAddress.isPrivate(address)) return "own"
  const [a, b] = NetAddress.ipv4ToOctets(address)
  const isCarrierGrade = a === 100 && b >= 64 && b <= 127
  return a === 0 || a >= 240 || isCarrierGrade || (a === 198 && (b === 18 || b === 19)) ? "none" : "public"
}

/** The least reach among the addresses of a URL's host. */
const reachOfUrl = Effect.fnUntraced(function* (url: URL, addressesOf: AddressesOf) {
  const host = url.hostname.replace(/^\[|\]$/g, "")
  if (Result.isSuccess(NetAddress.ipFromString(host))) return reachOf(host)
  const addresses = yield* addressesOf(host)
  const reaches = addresses.map(reachOf)
  if (reaches.length === 0 || reaches.includes("none")) return "none"
  return reaches.includes("own") ? "own" : "public"
})

/** What tells a server which version we hold. */
interface Validators {
  readonly etag: string | undefined
  readonly modified: string | undefined
}

/** What a fetch brings: a body, or word that nothing has changed since the last one that was kept. */
export type Fetched =
  | {
      readonly body: Uint8Array
      readonly contentType: string | undefined
      readonly url: string
      readonly retrievedAt: DateTime.Utc
      /** To be run once the body has been read: from then on only a change is asked for. */
      readonly keep: Effect.Effect<void>
    }
  | { readonly body: null; readonly retrievedAt: DateTime.Utc }

/** One request per host at a time. Hosts that only redirects lead to share one turn, so that they cannot grow in number. */
export const makeTurns = (urls: ReadonlyArray<string>): ((url: URL) => Semaphore.Semaphore) => {
  const turns = new Map(urls.map((url) => [new URL(url).host, Semaphore.makeUnsafe(1)]))
  const elsewhere = Semaphore.makeUnsafe(1)
  return (url) => turns.get(url.host) ?? elsewhere
}

/** A fetch of one feed that remembers what it holds. */
export const make = Effect.fnUntraced(function* (options: {
  readonly url: string
  readonly client: SourceClient
  readonly turnOf: (url: URL) => Semaphore.Semaphore
}) {
  const { client, turnOf } = options
  const addressesOf = yield* HostAddresses
  const configured = new URL(options.url)
  const held = yield* Ref.make<Validators | null>(null)

  const next = Effect.fnUntraced(function* (from: URL, location: string | undefined) {
    const to = URL.parse(location ?? "", from.href)
    const refuse = (detail: string) => Effect.fail(client.error(new Unusable({ detail })))
    if (to === null) return yield* refuse("a redirect to nowhere")
    const isWeaker = configured.protocol === "https:" && to.protocol !== "https:"
    if ((to.protocol !== "https:" && to.protocol !== "http:") || isWeaker) {
      return yield* refuse("a redirect to another scheme")
    }
    if (to.username !== "" || to.password !== "") return yield* refuse("a redirect with credentials")
    if (to.host !== configured.host) {
      const reach = yield* reachOfUrl(to, addressesOf)
      const isAllowed =
        reach === "public" || (reach === "own" && (yield* reachOfUrl(configured, addressesOf)) === "own")
      if (!isAllowed) return yield* refuse("a redirect to an address that is not public")
    }
    return to
  })

  const hop = (url: URL, headers: Readonly<Record<string, string>>) =>
    turnOf(url).withPermits(1)(client.requestBytes(url.href, headers))

  const fetch: Effect.Effect<Fetched, SourceError> = Effect.gen(function* () {
    const validators = yield* Ref.get(held)
    const headers = {
      accept: accepted,
      ...(validators?.etag === undefined ? {} : { "if-none-match": validators.etag }),
      ...(validators?.modified === undefined ? {} : { "if-modified-since": validators.modified })
    }
    let url = configured
    let answer = yield* hop(url, headers)
    for (let redirects = 0; isRedirect(answer.status); redirects++) {
      if (redirects === MOST_REDIRECTS) {
        return yield* client.error(new Unusable({ detail: `more than ${MOST_REDIRECTS} redirects` }))
      }
      url = yield* next(url, answer.headers["location"])
      answer = yield* hop(url, headers)
    }
    const { retrievedAt, status } = answer
    if (status === 304 && validators !== null) return { body: null, retrievedAt }
    if (status > 299) return yield* client.error(new BadStatus({ status }))
    const kept = { etag: answer.headers["etag"], modified: answer.headers["last-modified"] }
    return {
      body: answer.bytes,
      contentType: answer.headers["content-type"],
      url: url.href,
      retrievedAt,
      keep: Ref.set(held, kept)
    }
  })
  return fetch
})

const isRedirect = (status: number): boolean =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308
