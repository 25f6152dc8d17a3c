// The two wire protocols: Anthropic Messages (https://docs.claude.com/en/api/messages) and the chat completions that OpenAI and
// many servers speak (https://platform.openai.com/docs/api-reference/chat). Servers differ in what they take: a request has
// forms, the strictest first, and one that is refused with 400 or 422 is followed by the next.
import { Effect, Option, Redacted, Schema } from "effect"
import type { Provider } from "./LanguageModelSettings.ts"
import type { Wire } from "./client/SourceBody.ts"
import type { SourceError } from "./client/SourceError.ts"
import { rows } from "./client/WireFormat.ts"

/** What the model is asked, ready for the wire. */
export interface Prompt {
  readonly model: string
  readonly system: string
  readonly prompt: string
  /** JSON schema of the answer, strict. */
  readonly schema: { readonly name: string; readonly document: object }
}

/** What it said, protocol aside. */
export interface Reply {
  readonly text: string
  readonly end: "complete" | "truncated" | "refused"
  /** In and out together; `null` when the server does not say. */
  readonly tokens: number | null
}

/** How a provider is spoken to. */
export interface Protocol {
  readonly baseUrl: string
  readonly path: string
  readonly headers: (key: Option.Option<Redacted.Redacted>) => Readonly<Record<string, string>>
  /** The bodies to try, in order. Never empty. */
  readonly forms: (prompt: Prompt) => readonly [object, ...ReadonlyArray<object>]
  readonly read: (
    answer: <S extends Wire>(schema: S) => Effect.Effect<S["Type"], SourceError>
  ) => Effect.Effect<Reply, SourceError>
}

/** What an answer of ours takes at most. */
export const MAX_OUTPUT_TOKENS = 700

const Count = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1e9 }))

const OptionalText = Schema.optionalKey(Schema.NullOr(Schema.String))

const MessagesBody = Schema.Struct({
  content: Schema.Array(Schema.Unknown),
  stop_reason: OptionalText,
  usage: Schema.optionalKey(Schema.NullOr(Schema.Struct({ input_tokens: Count, output_tokens: Count })))
})

const TextBlock = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })

const anthropic: Protocol = {
  baseUrl: "https://api.anthropic.com",
  path: "/v1/messages",
  headers: (key) => ({
    "anthropic-version": "2023-06-01",
    ...Option.match(key, { onNone: () => ({}), onSome: (secret) => ({ "x-api-key": Redacted.value(secret) }) })
  }),
  forms: ({ model, prompt, system }) => {
    const plain = { model, max_tokens: MAX_OUTPUT_TOKENS, system, messages: [{ role: "user", content: prompt }] }
    // Some newer models refuse a temperature.
    return [{ ...plain, temperature: 0 }, plain]
  },
  read: (answer) =>
    Effect.map(answer(MessagesBody), ({ content, stop_reason, usage }) => ({
      text: rows(TextBlock, content)
        .good.map(({ text }) => text)
        .join(""),
      end: stop_reason === "refusal" ? "refused" : stop_reason === "max_tokens" ? "truncated" : "complete",
      tokens: usage === undefined || usage === null ? null : usage.input_tokens + usage.output_tokens
    }))
}

const ChatBody = Schema.Struct({
  choices: Schema.NonEmptyArray(
    Schema.Struct({
      message: Schema.Struct({ content: OptionalText, refusal: OptionalText }),
      finish_reason: OptionalText
    })
  ),
  usage: Schema.optionalKey(Schema.NullOr(Schema.Struct({ prompt_tokens: Count, completion_tokens: Count })))
})

const openAiCompatible: Protocol = {
  baseUrl: "https://api.openai.com/v1",
  path: "/chat/completions",
  headers: Option.match({
    onNone: () => ({}),
    onSome: (secret) => ({ authorization: `Bearer ${Redacted.value(secret)}` })
  }),
  forms: ({ model, prompt, schema, system }) => {
    const asked = {
      model,
      messages: [
        { role: "system", content: system },
        { role: "user", content: prompt }
      ]
    }
    const limited = { ...asked, temperature: 0, max_tokens: MAX_OUTPUT_TOKENS }
    const response_format = {
      type: "json_schema",
      json_schema: { name: schema.name, strict: true, schema: schema.document }
    }
    return [
      { ...limited, response_format },
      // Servers that know no schemas.
      limited,
      // OpenAI's reasoning models: no temperature, and the limit under another name.
      { ...asked, max_completion_tokens: MAX_OUTPUT_TOKENS, response_format }
    ]
  },
  read: (answer) =>
    Effect.map(answer(ChatBody), ({ choices, usage }) => {
      const { finish_reason, message } = choices[0]
      const declined = (message.refusal ?? "") !== "" || finish_reason === "content_filter"
      return {
        text: message.content ?? "",
        end: declined ? "refused" : finish_reason === "length" ? "truncated" : "complete",
        tokens: usage === undefined || usage === null ? null : usage.prompt_tokens + usage.completion_tokens
      }
    })
}

/** By the name in `LLM_PROVIDER`. */
export const protocols: Readonly<Record<Provider, Protocol>> = {
  anthropic,
  "openai-compatible": openAiCompatible
}
