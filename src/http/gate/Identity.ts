// Identifies the caller by API key, or by address without one. An invalid key is refused and not ignored.
import { Context, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type ApiKeys, type Authentication, type ValidKey } from "../../access/ApiKeys.ts"
import * as ClientAddress from "../../access/ClientAddress.ts"
import { free, type Plan } from "../../access/Plan.ts"
import { rememberEach } from "../../domain/rememberEach.ts"
import { COINGECKO_HEADERS, presentedKey } from "../compat/CoinGeckoKeys.ts"

/** Networks whose `X-Forwarded-For` counts: the setting `TRUSTED_PROXIES`. Default: none. */
export const TrustedProxies = Context.Reference<ClientAddress.TrustedProxies>(
  "crypto-data-api/http/gate/TrustedProxies",
  { defaultValue: () => [] }
)

/** A caller: the key of its quota, its plan, and why its API key was refused, if it was. */
export interface Identity {
  readonly quotaKey: string
  readonly plan: Plan
  readonly hasKey: boolean
  readonly refusal: Exclude<Authentication, { readonly _tag: "Valid" }> | null
}

const withKey = ({ plan, quotaKey }: ValidKey): Identity => ({ quotaKey, plan, hasKey: true, refusal: null })

const withoutKey = (quotaKey: string): Identity => ({ quotaKey, plan: free, hasKey: false, refusal: null })

/** What identifies the caller of a request. Header names are in lower case. */
export interface Asking {
  readonly peer: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** Identifies requests. The first ignored `X-Forwarded-For` is logged, because it points to an unconfigured proxy. */
export const make = (keys: ApiKeys["Service"], trusted: ClientAddress.TrustedProxies) => {
  let warned = false
  const forwardedKey = ClientAddress.forwardedKeys(trusted)

  // Nearly every request has the peer of the one before.
  const isTrusted = rememberEach(1, (peer: string | undefined) => ClientAddress.isTrustedPeer(peer, trusted))

  const peerOf = (request: HttpServerRequest.HttpServerRequest) =>
    request.remoteAddress._tag === "Some" ? request.remoteAddress.value : undefined

  const addressOf = (request: HttpServerRequest.HttpServerRequest): string => {
    const peer = peerOf(request)
    const forwardedFor = request.headers["x-forwarded-for"]
    return forwardedFor !== undefined && isTrusted(peer)
      ? forwardedKey(peer, forwardedFor)
      : ClientAddress.peerKey(peer)
  }

  const byAddress = (
    request: HttpServerRequest.HttpServerRequest,
    refusal: Identity["refusal"]
  ): Effect.Effect<Identity> => {
    const quotaKey = addressOf(request)
    const identity = Effect.succeed({ quotaKey, plan: free, hasKey: refusal !== null, refusal })
    if (warned || request.headers["x-forwarded-for"] === undefined || isTrusted(peerOf(request))) return identity
    warned = true
    return Effect.andThen(
      Effect.logWarning(
        "A request came with X-Forwarded-For from a peer that TRUSTED_PROXIES does not name; the header is ignored. " +
          "If that peer is your proxy, all its clients share one quota until you name it."
      ),
      identity
    )
  }

  const identify = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Identity> => {
    const presented = presentedKey(request)
    if (presented === undefined) return byAddress(request, null)
    return Effect.flatMap(
      keys.authenticate(presented, () => addressOf(request)),
      (result) => (result._tag === "Valid" ? Effect.succeed(withKey(result)) : byAddress(request, result))
    )
  }

  /** The caller, where that needs neither a look-up nor a line in the log. `now` in epoch milliseconds. */
  const known = ({ headers, peer }: Asking, now: number): Identity | undefined => {
    const presented = headers["x-api-key"]
    if (presented !== undefined) {
      const valid = typeof presented === "string" ? keys.known(presented, now) : undefined
      return valid && withKey(valid)
    }
    // Whether these name a key depends on the path.
    if (COINGECKO_HEADERS.some((name) => headers[name] !== undefined)) return undefined
    const forwardedFor = headers["x-forwarded-for"]
    if (forwardedFor === undefined) return withoutKey(ClientAddress.peerKey(peer))
    if (typeof forwardedFor !== "string" || !isTrusted(peer)) return undefined
    return withoutKey(forwardedKey(peer, forwardedFor))
  }

  return { identify, known }
}
