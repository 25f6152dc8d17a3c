// The failure of a service without fresh data: a 503 over HTTP.
import { Schema } from "effect"
import type { SourceError } from "../../sources/client/SourceError.ts"

/**
 * No data for `question` that may be served. `retryAfter`: whole seconds until a retry makes sense. `isOff`: the
 * operator switched it off, so a retry fails until the settings change. `isBusy`: its store did not answer in time. `series`: the series
 * without data at the requested time. `why`: the reason, in words.
 */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  question: Schema.String,
  retryAfter: Schema.Int,
  isOff: Schema.optionalKey(Schema.Literal(true)),
  isBusy: Schema.optionalKey(Schema.Literal(true)),
  series: Schema.optionalKey(Schema.String),
  why: Schema.optionalKey(Schema.String)
}) {
  /** No data for `question` yet: the first answers of its sources are a second or two away. */
  static readonly starting = (question: string) => new Unavailable({ question, retryAfter: 2 })

  /** No data for `question` because a source failed. `retryAfter` is the source's if it gave one, else 10 s. */
  static readonly because = (question: string, { reason }: SourceError) => {
    const seconds = "retryAfter" in reason ? reason.retryAfter : 10
    return new Unavailable({ question, retryAfter: Math.max(1, Math.ceil(seconds)) })
  }

  /** Whether this is no outage: nothing was observed at the requested time. */
  get isUnobserved(): boolean {
    return this.series !== undefined
  }

  override get message(): string {
    if (this.isOff === true) return `This server keeps no ${this.question}`
    if (this.isBusy === true) return `The store of ${this.question} is busy`
    return `No fresh data for ${this.question}${this.why === undefined ? "" : `: ${this.why}`}`
  }
}
