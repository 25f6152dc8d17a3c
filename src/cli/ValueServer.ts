// Values from a running server, by its API: up to 250 prices with one request, one more for their official rates in another fiat, and one for
// each time at which a row has a side.
import { Effect, type Option } from "effect"
import { FetchHttpClient } from "effect/http"
import { SourceUnavailable } from "../api/Problems.ts"
import { type Client, make } from "../client/CryptoDataClient.ts"
import type { Basis } from "../domain/Conversion.ts"
import { type QuotedFiat, quotedFiats } from "../domain/QuotedFiat.ts"
import type { Moment } from "../history/model/Moment.ts"
import { dayOf, timeOf } from "../history/model/Interval.ts"
import { joinSources } from "../domain/Snapshot.ts"
import type { Question, RecordedPrice } from "../services/history/RecordedPrices.ts"
import { failureOf, missingOf, NO_ANSWER, NO_HISTORY, serverAt } from "./AskedServer.ts"
import { type Answer, type Failed, makeAsking, type ValueSource } from "./ValueSource.ts"

/** The most prices of a request, and the most characters of its list of ids, which proxies accept. */
const MOST = { prices: 250, characters: 6000 }

const textOf = (moment: Moment): string => (moment._tag === "Day" ? dayOf(moment.day) : timeOf(moment.time))

const itemOf = ({ id, moment }: Question): string => `${id}@${textOf(moment)}`

/** The questions in groups that each fit into a request. */
const requestsOf = (questions: ReadonlyArray<Question>): ReadonlyArray<ReadonlyArray<Question>> => {
  const groups: Array<Array<Question>> = []
  for (const same of Map.groupBy(questions, ({ fiat }) => fiat).values()) {
    let length = Infinity
    for (const question of same) {
      length += encodeURIComponent(itemOf(question)).length + 3
      const last = groups.at(-1)
      if (last === undefined || length > MOST.characters || last.length >= MOST.prices) {
        groups.push([question])
        length = encodeURIComponent(itemOf(question)).length + 3
      } else last.push(question)
    }
  }
  return groups
}

const failedBy = (failure: unknown): Failed => ({
  reason: failure instanceof SourceUnavailable ? NO_HISTORY : failureOf(failure)
})

/** The price of a coin, with that in another fiat. */
const withFiat = (answer: RecordedPrice, other: RecordedPrice): RecordedPrice => ({
  ...answer,
  price: { ...answer.price, ...other.price },
  source: joinSources([answer.source, other.source]),
  observedAt: Math.min(answer.observedAt, other.observedAt)
})

/** The answers of one request, or of two with another fiat. If the server refuses one of its items, each half is asked for, so that no other one suffers. */
const answersOf = (client: Client, asking: ReturnType<typeof makeAsking>) => {
  const pricesOf = Effect.fnUntraced(function* (
    ids: ReadonlyArray<string>,
    fiats: ReadonlyArray<QuotedFiat>,
    basis: Basis
  ) {
    const { data } = yield* client.prices({ query: { ids, fiats, basis } })
    const found = new Map<string, Answer>(
      data.missing.map((row) => [`${row.id}@${row.at}`, { reason: missingOf(row) }])
    )
    for (const row of data.prices) {
      const { confidence = null, kind = null, method = null, price, source = "", updated } = row
      const observedAt = updated.epochMilliseconds
      found.set(`${row.id}@${row.at}`, { price, source, observedAt, kind, confidence, method })
    }
    return found
  })
  const ask = Effect.fnUntraced(function* (questions: ReadonlyArray<Question>) {
    const ids = questions.map(itemOf)
    const fiat = quotedFiats.find((code) => code === questions[0]?.fiat)
    const found = yield* pricesOf(ids, ["USD", "NGN"], "mid")
    const official = fiat === undefined ? found : yield* pricesOf(ids, [fiat], "official")
    return ids.map((id): Answer => {
      const [answer, other] = [found.get(id) ?? { reason: NO_ANSWER }, official.get(id)]
      return other === undefined || "reason" in answer || "reason" in other ? answer : withFiat(answer, other)
    })
  })
  const answers = (some: ReadonlyArray<Question>): Effect.Effect<ReadonlyArray<Answer>> =>
    asking(
      ask(some).pipe(
        Effect.catchTag("InvalidParameter", (refusal) => Effect.succeed(failedBy(refusal))),
        Effect.mapError(failedBy)
      ),
      (failed) => some.map((): Answer => failed)
    ).pipe(
      Effect.flatMap((found) => {
        if (!("reason" in found)) return Effect.succeed(found)
        if (some.length === 1) return Effect.succeed([found])
        const half = some.length >> 1
        return Effect.zipWith(answers(some.slice(0, half)), answers(some.slice(half)), (a, b) => [...a, ...b])
      })
    )
  return answers
}

const sourceOf = (client: Client, asking = makeAsking()): ValueSource => ({
  prices: (questions) =>
    Effect.map(
      Effect.forEach(requestsOf(questions), (some) =>
        Effect.map(answersOf(client, asking)(some), (answers) =>
          some.map((question, n) => [question, answers[n]] as const)
        )
      ),
      (all) => {
        const found = new Map(all.flat())
        return questions.map((question) => found.get(question) ?? { reason: NO_ANSWER })
      }
    ),
  sides: (moments) =>
    Effect.forEach(moments, (moment) =>
      asking(
        client.naira({ query: { at: textOf(moment) } }).pipe(
          Effect.map(({ data: { buy, sell } }) => ({ buy, sell })),
          Effect.catchTag("NoData", (refusal) => Effect.succeed(failedBy(refusal))),
          Effect.mapError(failedBy)
        ),
        (failed) => failed
      )
    ),
  noNaira: Effect.succeed("No naira rate was recorded in the 7 days before that time.")
})

/** The server at a URL. */
export const sourceAt = Effect.fnUntraced(function* (url: string, keyFile: Option.Option<string>) {
  return sourceOf(yield* Effect.provide(make(yield* serverAt(url, keyFile)), FetchHttpClient.layer))
})
