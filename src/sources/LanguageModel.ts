// The optional language model, behind one method. It is off unless configured, and then nothing is ever sent. What comes back is
// text from outside like any other: bounded, decoded by the caller's schema, and believed in nothing; whoever asked verifies it.
// The key is in the request's headers and nowhere else; redirects, which would carry it elsewhere, are failures.
import { type Config, Context, Effect, Exit, Layer, Option, Redacted, Result, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import * as LanguageModelBudget from "./LanguageModelBudget.ts"
import { fromSource, LanguageModelError, NAME, Off, Refused, Truncated } from "./LanguageModelError.ts"
import { MAX_OUTPUT_TOKENS, type Prompt, protocols, type Reply } from "./LanguageModelProtocol.ts"
import { type LanguageModelSettings, type Provider, settings } from "./LanguageModelSettings.ts"
import { neverConnected, type Wire } from "./client/SourceBody.ts"
import * as SourceClient from "./client/SourceClient.ts"
import { type SourceError, Undecodable } from "./client/SourceError.ts"

/** What is asked for: text of the caller's, and the shape of the answer. */
export interface Question<S extends Wire> {
  readonly system: string
  readonly prompt: string
  /** Without checks and transformations: providers that decode by a schema know few keywords. */
  readonly schema: S
  /** What the shape is called, in letters and underscores. */
  readonly name: string
}

/** An answer of the shape asked for, and what it cost. */
export interface Completion<out A> {
  readonly value: A
  readonly tokensUsed: number
}

/** For one attempt, in seconds. */
const TIMEOUT_SECONDS = 20

/** Many times what 700 tokens can be. */
const MAX_BYTES = 256 * 1024

type Service = {
  /** Who is asked. */
  readonly provider: Provider | "off"
  readonly complete: <S extends Wire>(question: Question<S>) => Effect.Effect<Completion<S["Type"]>, LanguageModelError>
}

/** The language model, or the fact that there is none. */
export class LanguageModel extends Context.Service<LanguageModel, Service>()("crypto-data-api/sources/LanguageModel") {
  /** No model: nothing is sent, every question fails with `Off`. */
  static readonly off: Service = {
    provider: "off",
    complete: () => Effect.fail(new LanguageModelError({ reason: new Off() }))
  }

  static readonly layerNoDeps: Layer.Layer<LanguageModel, Config.ConfigError, SourceClient.Requirements> = Layer.effect(
    LanguageModel,
    Effect.flatMap(settings, (chosen) => (chosen === null ? Effect.succeed(LanguageModel.off) : make(chosen)))
  )

  static readonly layer: Layer.Layer<LanguageModel, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: Service) => Layer.succeed(LanguageModel, service)
}

const make = Effect.fnUntraced(function* ({ dailyTokens, key, model, provider }: LanguageModelSettings) {
  const protocol = protocols[provider]
  const budget = LanguageModelBudget.make(dailyTokens)
  const client = yield* SourceClient.make({
    terms: {
      id: "LLM",
      name: NAME,
      baseUrl: protocol.baseUrl,
      attribution: "",
      link: "",
      licence: "by the operator's contract",
      redistribution: "yes"
    },
    allowances: [],
    timeoutSeconds: TIMEOUT_SECONDS,
    maxBytes: MAX_BYTES,
    retries: 1,
    headers: protocol.headers(key)
  })
  // The form of request that the server last took.
  let taken = 0

  const send = (form: object) =>
    protocol.read((schema) =>
      client
        .request(HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(protocol.path), form), schema, {
          urgency: "on_demand"
        })
        .pipe(Effect.map(({ body }) => body))
    )

  const sendFrom = (forms: ReadonlyArray<object>, index: number, form: object): Effect.Effect<Reply, SourceError> =>
    send(form).pipe(
      Effect.tap(() => Effect.sync(() => (taken = index))),
      Effect.catch((failure) => {
        const next = forms[index + 1]
        return isFormRefused(failure) && next !== undefined ? sendFrom(forms, index + 1, next) : Effect.fail(failure)
      })
    )

  const ask = (prompt: Prompt) => {
    const forms = protocol.forms(prompt)
    return client.guard("complete", sendFrom(forms, taken, forms[taken] ?? forms[0]))
  }

  const complete = Effect.fn("LanguageModel.complete")(function* <S extends Wire>({
    name,
    prompt,
    schema,
    system
  }: Question<S>): Effect.fn.Return<Completion<S["Type"]>, LanguageModelError> {
    const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" }).schema
    const told = `${system}\n\nAnswer with one JSON object and nothing else. Its JSON schema: ${JSON.stringify(document)}`
    const inTokens = tokensOf(told) + tokensOf(prompt)
    const most = inTokens + MAX_OUTPUT_TOKENS
    const ticket = yield* Effect.mapError(budget.take(most), (reason) => new LanguageModelError({ reason }))
    const reply = yield* ask({ model, system: told, prompt, schema: { name, document } }).pipe(
      Effect.onExit((exit) => ticket.settle(costOf(exit, inTokens, most))),
      Effect.mapError(fromSource)
    )
    if (reply.end === "refused") return yield* new LanguageModelError({ reason: new Refused() })
    if (reply.end === "truncated") return yield* new LanguageModelError({ reason: new Truncated() })
    // A server that sends the key back may be broken or worse; either way its text goes nowhere.
    if (Option.isSome(key) && reply.text.includes(Redacted.value(key.value))) return yield* undecodable("our own key")
    const value = Schema.decodeUnknownResult(Schema.fromJsonString(schema))(jsonIn(reply.text))
    if (Result.isFailure(value)) return yield* undecodable("text that is not the JSON asked for")
    return { value: value.success, tokensUsed: reply.tokens ?? inTokens + tokensOf(reply.text) }
  })

  return LanguageModel.of({ provider, complete })
})

const undecodable = (detail: string) => Effect.fail(new LanguageModelError({ reason: new Undecodable({ detail }) }))

const isFormRefused = ({ reason }: SourceError): boolean =>
  reason._tag === "BadStatus" && (reason.status === 400 || reason.status === 422)

/** Rather too many than too few: English has about four characters to a token, addresses and names have fewer. */
const tokensOf = (text: string): number => Math.ceil(text.length / 3)

/** What a call has cost, by its end. Where nobody knows, because it broke off, as much as it can have cost. */
const costOf = (exit: Exit.Exit<Reply, SourceError>, inTokens: number, most: number): number => {
  if (Exit.isSuccess(exit)) return exit.value.tokens ?? inTokens + tokensOf(exit.value.text)
  const failed = exit.cause.reasons.find((reason) => reason._tag === "Fail")
  switch (failed?.error.reason._tag) {
    case "BadStatus":
    case "RateLimited":
    case "Suspended":
    case "OverBudget":
    case "Disabled":
      return 0
    case "Unreachable":
      return neverConnected.has(failed?.error.reason.detail ?? "") ? 0 : most
    default:
      return most
  }
}

/** The object in a text: models put it in a code fence, or a sentence or a chain of thought before it. */
const jsonIn = (text: string): string => {
  const said = text.slice(text.lastIndexOf("</think>") + 1)
  return said.slice(said.indexOf("{"), said.lastIndexOf("}") + 1)
}
