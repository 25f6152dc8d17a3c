// Which language model is used, if any. Without `LLM_PROVIDER` there is none, and nothing else here is read.
import { Config, Effect, Option, type Redacted, Schema } from "effect"

/** The wire protocols that are spoken. */
export type Provider = "anthropic" | "openai-compatible"

/** A model in use. */
export interface LanguageModelSettings {
  readonly provider: Provider
  readonly model: string
  /** Servers of one's own often have none. */
  readonly key: Option.Option<Redacted.Redacted>
  readonly dailyTokens: number
}

/** `LLM_PROVIDER`: off unless set. */
export const provider = Config.Literals(["anthropic", "openai-compatible"], "LLM_PROVIDER").pipe(Config.option)

/** `LLM_MODEL`: the model's name at its provider. */
export const model = Config.NonEmptyString("LLM_MODEL")

// A key that cannot stand in a header would be quoted in the error about that.
const KeyText = Schema.String.check(Schema.isPattern(/^[!-~]+$/))

/** `LLM_API_KEY`. */
export const key = Config.schema(Schema.Redacted(KeyText), "LLM_API_KEY").pipe(Config.option)

/** Tokens, in and out, that may be spent between one midnight UTC and the next. */
export const DEFAULT_DAILY_TOKENS = 500_000

/** `LLM_DAILY_TOKENS`. */
export const dailyTokens = Config.schema(
  Schema.FiniteFromString.check(Schema.isInt(), Schema.isGreaterThanOrEqualTo(0)),
  "LLM_DAILY_TOKENS"
).pipe(Config.withDefault(DEFAULT_DAILY_TOKENS))

/** The model in use, or `null`. */
export const settings: Effect.Effect<LanguageModelSettings | null, Config.ConfigError> = Effect.gen(function* () {
  const chosen = yield* provider
  if (Option.isNone(chosen)) return null
  return { provider: chosen.value, model: yield* model, key: yield* key, dailyTokens: yield* dailyTokens }
})
