// Fetches a feed with conditional requests, at most three redirects, and one request per host at a time. A redirect may point anywhere,
// so it is followed only to public addresses (from a feed in our own network also within it), never from https to http, and the
// connection goes to the checked addresses.
import { Context, Effect, Ref, Result, Semaphore } from "effect"
import { FetchHttpClient } from "effect/http"
import { NetAddress } from "effect/net"
import { lookup } from "node:dns/promises"
import type { SourceClient } from "../client/SourceClient.ts"
import { BadStatus, type SourceError, Unusable } from "../client/SourceError.ts"
import { pinnedFetch } from "./pinnedFetch.ts"
import { type Reach, reachOf } from "./publicHost.ts"

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
    const { observedAt, retrievedAt, status } = answer
    if (status === 304 && validators !== null) return { body: null, observedAt, retrievedAt }
    if (status > 299) return yield* client.error(new BadStatus({ status }))
    const { etag, "last-modified": modified } = answer.headers
    return {
      body: answer.bytes,
      contentType: answer.headers["content-type"],
      url: target.url.href,
      observedAt,
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
