// Identifies the caller by API key, or by address without one. A key is sent in `x-api-key`, as `Authorization: Bearer`, or in a
// header of the dialect. An invalid key and two different keys are refused, never ignored. No other file reads keys.
import { Context, Effect } from "effect"
import { type ApiKeys, type Authentication, type ValidKey } from "../../access/ApiKeys.ts"
import * as ClientAddress from "../../access/ClientAddress.ts"
import { type Plan, Plans } from "../../access/Plan.ts"
import { type Dialect, keyHeadersOf } from "../../api/Dialect.ts"
import { rememberEach } from "../../domain/rememberEach.ts"
import { headerText } from "../response/CountedRequest.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"

/** Networks whose `X-Forwarded-For` counts: the setting `TRUSTED_PROXIES`. Default: none. */
export const TrustedProxies = Context.Reference<ClientAddress.TrustedProxies>(
  "crypto-data-api/http/gate/TrustedProxies",
  { defaultValue: () => [] }
)

/** Why a key is refused. `Ambiguous`: the request has two different keys. */
export type KeyRefusal =
  | (Exclude<Authentication, { readonly _tag: "Valid" }> & {
      /** The header that the key was in. */
      readonly header: string
    })
  | { readonly _tag: "Ambiguous" }
  /** No key, and this service requires one. */
  | { readonly _tag: "Missing" }

/** A caller: the key of its quota, its plan, and why its API key was refused, if it was. */
export interface Identity {
  readonly quotaKey: string
  readonly plan: Plan
  readonly isPrivate: boolean
  readonly refusal: KeyRefusal | null
  /** Counts the requests of a valid key. */
  readonly usage: ValidKey["usage"] | undefined
}

/** The parts of a request that identify its caller. */
export type Sender = Pick<IncomingRequest, "headers" | "peer">

const keyed = ({ plan, quotaKey, usage }: ValidKey): Identity => ({
  quotaKey,
  plan,
  isPrivate: true,
  refusal: null,
  usage
})

/** Identifies requests. The first ignored `X-Forwarded-For` is logged, because it points to an unconfigured proxy. */
export const make = Effect.fnUntraced(function* (keys: ApiKeys["Service"]) {
  const trusted = yield* TrustedProxies
  const { limits, servesAnonymous } = yield* Plans
  const free: Plan = { name: "free", limit: limits.free }
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const forwardedKey = ClientAddress.forwardedKeys(trusted)
  let warned = false

  // Consecutive requests usually share a peer.
  const isTrusted = rememberEach(1, (peer: string | undefined) => ClientAddress.isTrustedPeer(peer, trusted))

  /** The quota key of the client's address. */
  const addressOf = ({ headers, peer }: Sender): string => {
    const forwardedFor = headerText(headers["x-forwarded-for"])
    if (forwardedFor === undefined) return ClientAddress.peerKey(peer)
    if (isTrusted(peer)) return forwardedKey(peer, forwardedFor)
    if (!warned) {
      warned = true
      run(
        Effect.logWarning(
          "Ignored X-Forwarded-For from a peer that is not in TRUSTED_PROXIES. " +
            "If that peer is your proxy, add its address: until then all its clients share one quota."
        )
      )
    }
    return ClientAddress.peerKey(peer)
  }

  /** The caller by address. */
  const byAddress = (sender: Sender, refusal: KeyRefusal | null = null): Identity => ({
    quotaKey: addressOf(sender),
    plan: free,
    isPrivate: refusal !== null,
    refusal,
    usage: undefined
  })

  /**
   * Calls `identified` once: synchronously, or after a look-up of the key. `isPublic`: the path never requires a key. `now`: epoch
   * milliseconds.
   */
  const identify = (
    sender: Sender,
    dialect: Dialect,
    isPublic: boolean,
    now: number,
    identified: (identity: Identity) => void
  ): void => {
    const presented = presentedKey(sender, dialect)
    if (presented === undefined) {
      const isServed = servesAnonymous || isPublic
      return identified(byAddress(sender, isServed ? null : { _tag: "Missing" }))
    }
    const refused = (refusal: KeyRefusal) => identified(byAddress(sender, refusal))
    if (presented === "ambiguous") return refused({ _tag: "Ambiguous" })
    const { header, key } = presented
    const known = keys.known(key, now)
    if (known !== undefined) return identified(keyed(known))
    run(
      keys
        .authenticate(key, () => addressOf(sender))
        .pipe(
          Effect.catchCause((cause) =>
            Effect.as(Effect.logError("an API key could not be checked", cause), unavailable)
          ),
          Effect.map((result) => (result._tag === "Valid" ? identified(keyed(result)) : refused({ ...result, header })))
        )
    )
  }

  return { identify, byAddress }
})

const unavailable: Authentication = { _tag: "Unavailable" }

/** `Authorization` with the scheme of RFC 6750; other schemes are ignored. */
const BEARER = /^bearer(?:$| +(.*))/i

interface Presented {
  readonly header: string
  readonly key: string
}

const presentedKey = ({ headers }: Sender, dialect: Dialect): Presented | "ambiguous" | undefined => {
  let presented: Presented | undefined
  for (const header of keyHeadersOf(dialect)) {
    const value = headerText(headers[header])
    if (value === undefined) continue
    const bearer = header === "authorization" ? BEARER.exec(value) : undefined
    if (bearer === null) continue
    // A header that was sent twice arrives as one, its values separated by commas.
    const keys = bearer === undefined ? value.split(/ *, */) : [bearer[1] ?? ""]
    for (const key of keys) {
      if (presented !== undefined && presented.key !== key) return "ambiguous"
      presented ??= { header: header === "authorization" ? "Authorization" : header, key }
    }
  }
  return presented
}
