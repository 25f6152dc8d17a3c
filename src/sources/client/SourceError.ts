// The error of a source, with its reason and a message for operators. It never contains text of the body.
import { type Effect, Match, Schema } from "effect"
import { explainedCode } from "../../domain/connectionFailure.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"

/** No connection, or a broken one. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", { detail: Schema.String }) {}

/** No complete response in time. `isUnsent`: there was no connection to send the request by, so the source has not seen it. */
export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", {
  seconds: Schema.Finite,
  isUnsent: Schema.optionalKey(Schema.Boolean)
}) {}

/**
 * The source asked for a pause: by a 429, Binance's 418, or a 503 with `Retry-After`. `retryAfter`: the seconds that are left of it, at
 * most a day. No call is made until it ends.
 */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  retryAfter: Schema.Finite,
  status: Schema.optionalKey(Schema.Int)
}) {}

/** An HTTP status that is not a success; redirects count. `code`: the source's own, a short word or a number. */
export class BadStatus extends Schema.TaggedError<BadStatus>()("BadStatus", {
  status: Schema.Int,
  code: Schema.optionalKey(Schema.String)
}) {}

/** The body is larger than the client's limit. */
export class TooLarge extends Schema.TaggedError<TooLarge>()("TooLarge", { limit: Schema.Int }) {}

/** HTTP 200, but not the documented format: HTML, broken JSON, other types, no usable row. */
export class Undecodable extends Schema.TaggedError<Undecodable>()("Undecodable", { detail: Schema.String }) {}

/** HTTP 200 with the source's own error code: digits, {@link NOT_DIGITS}, or what `errorCode.ts` reads. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", { code: Schema.String }) {}

const NOT_DIGITS = "(not a number)"

/** A refusal by a code in the body. A code other than digits is text of the source, and is dropped. */
export const rejected = (code: string | number): Rejected =>
  new Rejected({ code: /^-?\d{1,8}$/.test(String(code)) ? String(code) : NOT_DIGITS })

/** A well-formed response without usable data, or with data that is too old. */
export class Unusable extends Schema.TaggedError<Unusable>()("Unusable", { detail: Schema.String }) {}

/** Not called, because its circuit is open after repeated failures. `retryAfter` in seconds. */
export class Suspended extends Schema.TaggedError<Suspended>()("Suspended", { retryAfter: Schema.Finite }) {}

/** Not called, because our budget for it is spent. `retryAfter` in seconds. */
export class OverBudget extends Schema.TaggedError<OverBudget>()("OverBudget", { retryAfter: Schema.Finite }) {}

/** Not called, because the operator switched it off. */
export class Disabled extends Schema.TaggedError<Disabled>()("Disabled", {}) {}

/** Not called by this process: another replica polls the source, but has shared no newer snapshot. */
export class NotShared extends Schema.TaggedError<NotShared>()("NotShared", {}) {}

export const SourceErrorReason = Schema.Union([
  Unreachable,
  TimedOut,
  RateLimited,
  BadStatus,
  TooLarge,
  Undecodable,
  Rejected,
  Unusable,
  Suspended,
  OverBudget,
  Disabled,
  NotShared
])

export type Fetched<A> = Effect.Effect<Snapshot<A>, SourceError>

/** A failed call, or one that was not made. */
export class SourceError extends Schema.TaggedError<SourceError>()("SourceError", {
  source: Schema.String,
  reason: SourceErrorReason
}) {
  override get message(): string {
    return `${this.source} ${describe(this.reason)}`
  }

  /** Whether the same call may be retried. A timeout is not retried; the next source is used instead. */
  get isTransient(): boolean {
    const { reason } = this
    return (
      reason._tag === "Unreachable" || (reason._tag === "BadStatus" && (reason.status >= 500 || reason.status === 408))
    )
  }

  /** Whether a request was sent. Otherwise the call does not count in the budget, and its failure is not shared with replicas. */
  get wasCalled(): boolean {
    return !this.isCutOff && !notMade.has(this.reason._tag)
  }

  /** Whether the connection failed. A process in another network may still reach the source. */
  get isCutOff(): boolean {
    const { reason } = this
    if (reason._tag === "TimedOut") return reason.isUnsent === true
    return reason._tag === "Unreachable" && neverConnected.test(reason.detail)
  }
}

const notMade: ReadonlySet<string> = new Set(["Suspended", "OverBudget", "Disabled", "NotShared"])

/** Codes of failed connections, including refusals by a proxy, rejected certificates, and too many open sockets of our own. */
const neverConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|EMFILE|ENFILE|EADDRNOTAVAIL|PROXY_\d+)$|CERT|UNABLE_TO_/

/** The meanings of HTTP statuses for an operator. */
const meanings: ReadonlyArray<readonly [status: RegExp, meaning: string]> = [
  [/^3/, "it has moved to another address"],
  [/^401$/, "it asks for a key, or does not accept this one"],
  [/^402$/, "it asks to be paid"],
  [/^403$/, "it refuses this address or the key"],
  [/^(404|410)$/, "it has nothing at that address"],
  [/^407$/, "a proxy asks for a user and a password"],
  [/^451$/, "it does not serve this country. SOURCES_DISABLED switches it off"],
  [/^4/, "it does not accept the request"],
  [/^50[24]$/, "what is behind its proxy does not answer"],
  [/^503$/, "it is overloaded, or closed for a while"],
  [/^52\d$/, "Cloudflare does not reach it"],
  [/^5/, "it failed"]
]

const meaningOf = (status: number): string =>
  meanings.find(([pattern]) => pattern.test(String(status)))?.[1] ?? "no success"

/** Why a source asks for a pause, by status. */
const pauses: Readonly<Record<number, string>> = {
  418: "has banned this address for its calls",
  429: "asks us to slow down",
  503: "is overloaded and asks us to wait"
}

const describe = (reason: typeof SourceErrorReason.Type): string =>
  Match.valueTags(reason, {
    Unreachable: ({ detail }) => `could not be reached: ${explainedCode(detail)}`,
    TimedOut: ({ isUnsent = false, seconds }) =>
      isUnsent ? `could not be reached within ${seconds} s` : `did not answer within ${seconds} s`,
    RateLimited: ({ retryAfter, status = 429 }) =>
      `${pauses[status] ?? pauses[429]}; next try in ${Math.ceil(retryAfter)} s`,
    BadStatus: ({ code, status }) =>
      `answered with HTTP status ${status}: ${meaningOf(status)}${code === undefined ? "" : ` (its code ${code})`}`,
    TooLarge: ({ limit }) => `sent more than ${limit} bytes`,
    Undecodable: ({ detail }) => `sent something that is not its documented format: ${detail}`,
    Rejected: ({ code }) => `refused with its code ${code}`,
    Unusable: ({ detail }) => `sent nothing usable: ${detail}`,
    Suspended: ({ retryAfter }) => `failed repeatedly and is left alone for ${Math.ceil(retryAfter)} s`,
    OverBudget: ({ retryAfter }) => `is not queried: its call budget is used up for ${Math.ceil(retryAfter)} s`,
    Disabled: () => "is switched off (SOURCES_DISABLED)",
    NotShared: () => "has brought nothing new to the replica that asks it"
  })
