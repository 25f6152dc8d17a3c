// Nothing fresh enough is held to answer a question. The service says so instead of giving an old number.
import { Schema } from "effect"
import type { SourceError } from "../../sources/client/SourceError.ts"

/** No answer to `question` now. `retryAfter` in whole seconds: when it is worth asking again. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  question: Schema.String,
  retryAfter: Schema.Int
}) {
  /** Because a source could not be asked; it may know when it can be. */
  static readonly because = (question: string, { reason }: SourceError) => {
    const seconds = "retryAfter" in reason ? reason.retryAfter : 10
    return new Unavailable({ question, retryAfter: Math.max(1, Math.ceil(seconds)) })
  }

  override get message(): string {
    return `Nothing fresh enough is held for ${this.question}`
  }
}
