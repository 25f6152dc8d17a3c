// A P2P venue or an exchange over an upstream that answers as a test tells it to.
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import type { SourceError } from "../../../src/sources/client/SourceError.ts"
import type { Requirements } from "../../../src/sources/client/SourceService.ts"
import { overHttp, type ScriptedAnswer, type ScriptedRequest, scriptedUpstream } from "../ScriptedUpstream.ts"

/** Its books by fiat, of ads or of an order book. */
type Books<A> = ReadonlyMap<string, { readonly get: Effect.Effect<A, SourceError> }>

/** Asks for a book of a venue that has one. */
export const bookIn = <A>(books: Books<A>, fiat = "NGN") =>
  books.get(fiat)?.get ?? Effect.die(new Error(`no book in ${fiat}`))

/** Asks a source, at a moment, for its book in a market; `failure` is the reason for which it gives none. */
export const scriptedVenue = <I, S, E extends object, A>(
  source: Effect.Effect<S, never, I> & { readonly layerNoDeps: Layer.Layer<I, E, Requirements> },
  booksOf: (service: S) => Books<A>,
  { at, setting }: { readonly at: number; readonly setting: string }
) => {
  const ask = Effect.fnUntraced(function* (answer: (request: ScriptedRequest) => ScriptedAnswer, fiat = "NGN") {
    yield* TestClock.setTime(at)
    const upstream = yield* scriptedUpstream(answer)
    const layer = overHttp(source.layerNoDeps, { [setting]: upstream.url })
    const get = Effect.flatMap(source, (service) => bookIn(booksOf(service), fiat))
    const asked = () => upstream.requests().map(({ method, url }) => `${method} ${url}`)
    return { book: Effect.provide(get, layer), layer, asked, requests: upstream.requests }
  })
  const failure = (answer: (request: ScriptedRequest) => ScriptedAnswer, fiat?: string) =>
    Effect.flatMap(ask(answer, fiat), ({ book }) => Effect.flip(book)).pipe(
      Effect.map((error) => ("reason" in error ? error.reason._tag : String(error)))
    )
  return { ask, failure }
}
