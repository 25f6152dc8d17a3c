// A language model on loopback that speaks both protocols as their servers do, checks what it is sent, and says what a test tells
// it to say: the truth, lies, rubbish or nothing.
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { LanguageModel } from "../../src/sources/LanguageModel.ts"
import type { LanguageModelError } from "../../src/sources/LanguageModelError.ts"
import { json, overHttp, type ScriptedAnswer, type ScriptedRequest, scriptedUpstream } from "./ScriptedUpstream.ts"

/** The key it takes. Tests look for it where it must not be. */
export const KEY = "sk-test-Zq7WmX2vKf9"

/** What it was asked, whatever the protocol. */
export interface Asked {
  readonly system: string
  readonly prompt: string
  /** The request's body. */
  readonly body: Readonly<Record<string, unknown>>
  /** How many questions came before. */
  readonly before: number
}

/** What it says: text in the protocol's envelope, or an answer outside the protocol. */
export type Said =
  | { readonly text: string; readonly tokens?: number; readonly end?: "truncated" | "refused" }
  | ScriptedAnswer

/** The settings of a service that uses it. */
export const settingsFor = (
  provider: "anthropic" | "openai-compatible",
  url: string
): Readonly<Record<string, string>> => ({
  LLM_PROVIDER: provider,
  LLM_BASE_URL: provider === "anthropic" ? url : `${url}/v1`,
  LLM_MODEL: "test-model",
  LLM_API_KEY: KEY
})

/** An answer of this status, as providers word it: with the key in it, as some have done. */
export const refusal = (status: number, headers: Readonly<Record<string, string>> = {}): ScriptedAnswer => ({
  status,
  headers,
  body: JSON.stringify({ type: "error", error: { type: "some_error", message: `Incorrect API key provided: ${KEY}` } })
})

/** Listens until the scope closes. */
export const modelServer = (
  say: (asked: Asked) => Said
): Effect.Effect<
  {
    readonly url: string
    readonly asked: () => ReadonlyArray<Asked>
    readonly requests: () => ReadonlyArray<ScriptedRequest>
  },
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const asked: Array<Asked> = []
    const { requests, url } = yield* scriptedUpstream((request) => {
      const protocol = protocols[request.url]
      if (protocol === undefined || request.method !== "POST") return refusal(404)
      const fault = protocol.faultIn(request)
      if (fault !== null) return refusal(fault)
      const body = recordOf(JSON.parse(request.body))
      const question = { ...protocol.texts(body), body, before: asked.length }
      asked.push(question)
      const said = say(question)
      return typeof said === "object" && "text" in said ? json(protocol.envelope(said)) : said
    })
    return { url, asked: () => asked, requests }
  })

type Spoken = { readonly text: string; readonly tokens?: number; readonly end?: "truncated" | "refused" }

interface ServedProtocol {
  /** The status that a real server would refuse the request with. */
  readonly faultIn: (request: ScriptedRequest) => number | null
  readonly texts: (body: Readonly<Record<string, unknown>>) => { readonly system: string; readonly prompt: string }
  readonly envelope: (said: Spoken) => unknown
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {}

const messagesOf = (body: Readonly<Record<string, unknown>>) =>
  (Array.isArray(body["messages"]) ? body["messages"] : []).map(recordOf)

const contentOf = (body: Readonly<Record<string, unknown>>, role: string): string =>
  messagesOf(body).flatMap((message) => (message["role"] === role ? [String(message["content"])] : []))[0] ?? ""

const protocols: Readonly<Record<string, ServedProtocol>> = {
  "/v1/messages": {
    faultIn: ({ body, headers }) => {
      if (headers["x-api-key"] !== KEY) return 401
      const asked = recordOf(JSON.parse(body))
      const whole = typeof asked["max_tokens"] === "number" && typeof asked["system"] === "string"
      const known = new Set(["model", "max_tokens", "temperature", "system", "messages"])
      if (headers["anthropic-version"] !== "2023-06-01" || !whole) return 400
      return Object.keys(asked).every((name) => known.has(name)) ? null : 400
    },
    texts: (body) => ({ system: String(body["system"]), prompt: contentOf(body, "user") }),
    envelope: ({ end, text, tokens = 1000 }) => ({
      id: "msg_01",
      type: "message",
      role: "assistant",
      model: "test-model",
      content:
        end === "refused"
          ? []
          : [
              { type: "thinking", thinking: "…", signature: "" },
              { type: "text", text }
            ],
      stop_reason: end === "refused" ? "refusal" : end === "truncated" ? "max_tokens" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: tokens - 100, output_tokens: 100 }
    })
  },
  "/v1/chat/completions": {
    faultIn: ({ headers }) => (headers.authorization === `Bearer ${KEY}` ? null : 401),
    texts: (body) => ({ system: contentOf(body, "system"), prompt: contentOf(body, "user") }),
    envelope: ({ end, text, tokens = 1000 }) => ({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_790_000_000,
      model: "test-model",
      choices: [
        {
          index: 0,
          message:
            end === "refused"
              ? { role: "assistant", content: null, refusal: "I can't help with that." }
              : { role: "assistant", content: text, refusal: null },
          finish_reason: end === "truncated" ? "length" : "stop"
        }
      ],
      usage: { prompt_tokens: tokens - 100, completion_tokens: 100, total_tokens: tokens }
    })
  }
}

/** When the tests' clock starts. */
export const NOON = Date.UTC(2026, 8, 13, 12)

const Answer = Schema.Struct({ words: Schema.Array(Schema.String), verdict: Schema.Literals(["yes", "no"]) })

/** What a model says that does as it is told with {@link question}. */
export const good = { text: '{"words":["a"],"verdict":"yes"}' } satisfies Said

/** A question of the service's own interface. */
export const question = { system: "Be brief.", prompt: "Which?", name: "answer", schema: Answer }

export const providers = ["anthropic", "openai-compatible"] as const

/** The service over a server that says this. */
export const model = Effect.fnUntraced(function* (
  say: (asked: Asked) => Said,
  provider: (typeof providers)[number] = "anthropic",
  settings: Readonly<Record<string, string>> = {}
) {
  yield* TestClock.setTime(NOON)
  const server = yield* modelServer(say)
  const layer = overHttp(LanguageModel.layerNoDeps, { ...settingsFor(provider, server.url), ...settings })
  const { complete } = Context.get(yield* Layer.build(layer), LanguageModel)
  return { ...server, ask: complete(question), count: () => server.requests().length }
})

/** Why a question failed. */
export const reasonOf = <A>(ask: Effect.Effect<A, LanguageModelError>) =>
  Effect.map(Effect.flip(ask), ({ reason }) => ({ ...reason }))

export const tagOf = <A>(ask: Effect.Effect<A, LanguageModelError>) => Effect.map(reasonOf(ask), ({ _tag }) => _tag)
