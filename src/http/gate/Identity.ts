// Who is calling: the holder of a key, or an address. A key that is not valid is never taken for no key.
import { Context, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type ApiKeys, type Authentication } from "../../access/ApiKeys.ts"
import * as ClientAddress from "../../access/ClientAddress.ts"
import { free, type Plan } from "../../access/Plan.ts"

/** Networks whose `X-Forwarded-For` counts; nobody's by default. */
export const TrustedProxies = Context.Reference<ClientAddress.TrustedProxies>(
  "crypto-data-api/http/gate/TrustedProxies",
  {
    defaultValue: () => []
  }
)

/** A caller: what the quota is counted under, the plan, and why a presented key was refused. */
export interface Identity {
  readonly quotaKey: string
  readonly plan: Plan
  readonly hasKey: boolean
  readonly refusal: Exclude<Authentication, { readonly _tag: "Valid" }> | null
}

/** At most so many headers of trusted proxies are remembered, of at most so many characters. */
const REMEMBERED = 10_000
const LONGEST_REMEMBERED = 100

/** Makes the look at a request. Ignoring a forwarding header is warned about once: it tells of a proxy nobody configured. */
export const make = (keys: ApiKeys["Service"], trusted: ClientAddress.TrustedProxies) => {
  let warned = false

  // Nearly every request comes from the same proxy as the one before.
  let last: { readonly peer: string | undefined; readonly isTrusted: boolean } | undefined
  const isTrusted = (peer: string | undefined): boolean => {
    if (last === undefined || last.peer !== peer) {
      last = { peer, isTrusted: ClientAddress.isTrustedPeer(peer, trusted) }
    }
    return last.isTrusted
  }

  // So does nearly every request of a client: from where it says it came is taken apart once.
  let forwarded = new Map<string, string>()
  const forwardedKey = (peer: string | undefined, forwardedFor: string): string => {
    const hops = `${peer} ${forwardedFor}`
    const known = forwarded.get(hops)
    if (known !== undefined) return known
    const key = ClientAddress.forwardedKey(peer, forwardedFor, trusted)
    if (forwarded.size >= REMEMBERED) forwarded = new Map()
    if (hops.length <= LONGEST_REMEMBERED) forwarded.set(hops, key)
    return key
  }

  const byAddress = (
    request: HttpServerRequest.HttpServerRequest,
    refusal: Identity["refusal"]
  ): Effect.Effect<Identity> => {
    const peer = request.remoteAddress._tag === "Some" ? request.remoteAddress.value : undefined
    const forwardedFor = request.headers["x-forwarded-for"]
    const isBelieved = forwardedFor !== undefined && isTrusted(peer)
    const quotaKey = isBelieved ? forwardedKey(peer, forwardedFor) : ClientAddress.peerKey(peer)
    const identity = Effect.succeed({ quotaKey, plan: free, hasKey: refusal !== null, refusal })
    if (forwardedFor === undefined || isBelieved || warned) return identity
    warned = true
    return Effect.andThen(
      Effect.logWarning(
        "A request came with X-Forwarded-For from a peer that TRUSTED_PROXIES does not name; the header is ignored. " +
          "If that peer is your proxy, all its clients share one quota until you name it."
      ),
      identity
    )
  }

  return (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Identity> => {
    const presented = request.headers["x-api-key"]
    if (presented === undefined) return byAddress(request, null)
    return Effect.flatMap(keys.authenticate(presented), (result) =>
      result._tag === "Valid"
        ? Effect.succeed({ quotaKey: result.quotaKey, plan: result.plan, hasKey: true, refusal: null })
        : byAddress(request, result)
    )
  }
}
