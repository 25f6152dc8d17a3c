// Answers that differ by the amount in their URL alone. A conversion's URLs are as many as there are amounts, so they are not
// cached as they come; what is kept is how the answer is written for any amount, for as long as the snapshots it was made
// from stay. Another amount then costs a multiplication and a short text instead of the whole way through the router and
// the handler: measured, a third of the processor time. An amount that is asked for again is cached like every answer.
import { BigDecimal, Context, Effect, Layer, Option, Schema } from "effect"
import { HttpBody, type HttpServerResponse } from "effect/http"
import type { PlanName } from "../../access/Plan.ts"
import { Amount } from "../../api/Parameters.ts"
import * as Generations from "./Generations.ts"
import { Representation } from "./Representation.ts"
import { CachedResponse } from "./CachedResponse.ts"
import { ResponseCache } from "./ResponseCache.ts"

export type Writer = (amount: BigDecimal.BigDecimal) => string

/** How many writers, and how many URLs that were asked for once, each of two generations holds. */
const HELD = 500

const writers = new WeakMap<HttpServerResponse.HttpServerResponse, Writer>()

/** Marks a response as one whose body `writer` writes for other amounts. */
export const varying = (
  response: HttpServerResponse.HttpServerResponse,
  writer: Writer
): HttpServerResponse.HttpServerResponse => {
  writers.set(response, writer)
  return response
}

/** What {@link varying} marked the response with. */
export const writerOf = (response: HttpServerResponse.HttpServerResponse): Writer | undefined => writers.get(response)

/** A URL whose query has an amount, the last one where there are several: what is before it, the amount, what follows. */
const WITH_AMOUNT = /^([^#]*[?&]amount=)(\d{1,16}(?:\.\d{1,18})?)((?:&[^#]*)?)$/

const decodeAmount = Schema.decodeUnknownOption(Amount)

/** All of an answer but what its amount makes. */
interface Held extends Pick<CachedResponse, "route" | "dependencies"> {
  readonly writer: Writer
}

export class AmountAnswers extends Context.Service<
  AmountAnswers,
  {
    /** Keeps how the answer to this URL is written for other amounts; of a URL without an amount the answer itself. */
    readonly keep: (plan: PlanName, url: string, writer: Writer, answer: CachedResponse) => void
    /** The answer to a URL that differs by its amount from one that was answered. `now` in epoch milliseconds. */
    readonly find: (plan: PlanName, url: string, now: number) => CachedResponse | undefined
  }
>()("crypto-data-api/http/response/AmountAnswers") {
  static readonly layer: Layer.Layer<AmountAnswers> = Layer.effect(
    AmountAnswers,
    Effect.map(ResponseCache, (cache) => AmountAnswers.of(make(cache)))
  ).pipe(Layer.provide(ResponseCache.layer))
}

const make = (cache: ResponseCache["Service"]): AmountAnswers["Service"] => {
  const held = Generations.make<Held>(HELD)
  const asked = Generations.make<true>(HELD)

  return {
    keep: (plan, url, writer, answer) => {
      const { dependencies, route } = answer
      const [, before, , after] = WITH_AMOUNT.exec(url) ?? []
      if (before !== undefined) held.set(`${plan} ${before}${after}`, { route, dependencies, writer })
      else if (!url.includes("amount=")) cache.keep(plan, url, answer)
    },
    find: (plan, url, now) => {
      const [, before, text, after] = url.includes("amount=") ? (WITH_AMOUNT.exec(url) ?? []) : []
      if (before === undefined) return undefined
      const known = held.get(`${plan} ${before}${after}`)
      if (known?.dependencies.isValid(now) !== true) return undefined
      const amount = Option.getOrUndefined(decodeAmount(text))
      if (amount === undefined) return undefined
      const body = HttpBody.text(known.writer(amount), "application/json")
      const answer = new CachedResponse(known.route, new Representation(body), known.dependencies)
      const key = `${plan} ${url}`
      if (asked.get(key) === undefined) asked.set(key, true)
      else cache.keep(plan, url, answer)
      return answer
    }
  }
}
