// The one way in which the language model fails. Most reasons are those of any source; three are a model's own. As there, the
// reason never holds text from the other side, and never the key.
import { Schema } from "effect"
import {
  BadStatus,
  OverBudget,
  RateLimited,
  SourceError,
  Suspended,
  TimedOut,
  Undecodable,
  Unreachable
} from "./client/SourceError.ts"

/** The model, or its provider's filter, declined to answer. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {}) {}

/** The answer was cut off at the limit of output tokens. */
export class Truncated extends Schema.TaggedError<Truncated>()("Truncated", {}) {}

/** No model is configured. */
export class Off extends Schema.TaggedError<Off>()("Off", {}) {}

/** Why the model gave nothing. `OverBudget` is the daily budget of tokens. */
export const LanguageModelErrorReason = Schema.Union([
  Unreachable,
  TimedOut,
  RateLimited,
  BadStatus,
  Undecodable,
  Refused,
  Truncated,
  Suspended,
  OverBudget,
  Off
])

/** The language model could not answer. */
export class LanguageModelError extends Schema.TaggedError<LanguageModelError>()("LanguageModelError", {
  reason: LanguageModelErrorReason
}) {
  override get message(): string {
    const { reason } = this
    switch (reason._tag) {
      case "Refused":
        return `${NAME} declined to answer`
      case "Truncated":
        return `${NAME} did not come to an end within its limit of tokens`
      case "Off":
        return `${NAME} is off (LLM_PROVIDER)`
      case "OverBudget":
        return `${NAME} is not asked now: the day's budget of tokens is spent (LLM_DAILY_TOKENS)`
      default:
        return new SourceError({ source: NAME, reason }).message
    }
  }
}

/** What the model is called in messages. */
export const NAME = "the language model"

/** The same failure in the model's words. */
export const fromSource = ({ reason }: SourceError): LanguageModelError => {
  switch (reason._tag) {
    case "TooLarge":
      return new LanguageModelError({ reason: new Undecodable({ detail: `more than ${reason.limit} bytes` }) })
    case "Rejected":
    case "Unusable":
      return new LanguageModelError({ reason: new Undecodable({ detail: "an answer without content" }) })
    case "Disabled":
      return new LanguageModelError({ reason: new Off() })
    case "OverBudget":
      // No calls are counted for the model: what its client holds back is the pause that a 429 asked for.
      return new LanguageModelError({ reason: new RateLimited({ retryAfter: reason.retryAfter }) })
    default:
      return new LanguageModelError({ reason })
  }
}
