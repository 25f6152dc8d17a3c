// Asks a server for the figures of conditions, with one request for all P2P markets and one for all coins. A figure that did not change
// costs an empty 304. What the server cannot answer, or what is old, is no figure: it has a reason.
import { Clock, DateTime, Effect } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { type ClientOptions, make } from "../client/CryptoDataClient.ts"
import { failureOf, missingOf } from "./AskedServer.ts"
import type { Condition, Figure } from "./WatchConditions.ts"
import type { Observation } from "./WatchCrossings.ts"

/** `isUnknown`: the server knows no such coin or market. */
export type Found = Observation | { readonly reason: string; readonly isUnknown?: true }

/** No figure that was observed longer ago is judged, in milliseconds. A server refuses most of them sooner. */
const MOST_AGE = 3_600_000

/** The longest that a server is waited for, in seconds: by `max-age`, by `Retry-After`, and until the window of the rate limit ends. */
const MOST = { age: 300, retry: 3600, window: 60 }

const secondsOf = (text: string | undefined, most: number): number =>
  /^\d{1,9}$/.test(text ?? "") ? Math.min(Number(text), most) : 0

/** How long a response is fresh, and how long the server wants no request, in seconds. */
const pausesOf = ({ headers }: HttpClientResponse.HttpClientResponse, now: number) => {
  const reset = headers["x-ratelimit-remaining"] === "0" ? Number(headers["x-ratelimit-reset"]) - now / 1000 : 0
  return {
    fresh: secondsOf(/max-age=(\d+)/.exec(headers["cache-control"] ?? "")?.[1], MOST.age),
    refused: Math.max(secondsOf(headers["retry-after"], MOST.retry), reset > 0 ? Math.min(reset, MOST.window) : 0)
  }
}

type Pauses = ReturnType<typeof pausesOf>

/** Asks with the ETag of the answer before, whose body a 304 then has. */
const conditional = (client: HttpClient.HttpClient, noted: (pauses: Pauses) => void) => {
  const kept = new Map<string, { readonly tag: string; readonly text: string }>()
  return HttpClient.make((request, { pathname }) =>
    Effect.gen(function* () {
      const before = kept.get(pathname)
      const response = yield* client.execute(
        before === undefined ? request : HttpClientRequest.setHeader(request, "if-none-match", before.tag)
      )
      noted(pausesOf(response, yield* Clock.currentTimeMillis))
      if (response.status === 304 && before !== undefined) {
        return HttpClientResponse.fromWeb(request, new Response(before.text))
      }
      const tag = response.headers["etag"]
      if (response.status === 200 && tag !== undefined) kept.set(pathname, { tag, text: yield* response.text })
      return response
    })
  )
}

/** The figures by name, and how long to wait before the next poll, in milliseconds. */
export const pollerOf = Effect.fnUntraced(function* (server: ClientOptions, conditions: ReadonlyArray<Condition>) {
  const pauses: Array<Pauses> = []
  const http = conditional(yield* HttpClient.HttpClient, (one) => pauses.push(one))
  const client = yield* Effect.provideService(make({ ...server, retries: 0 }), HttpClient.HttpClient, http)
  const figures = new Map(conditions.map(({ figure, name }) => [name, figure]))
  const coins = [...figures.values()].filter((figure) => figure._tag === "Coin")

  const markets = Effect.map(client.p2pMarkets(), ({ data }) => (figure: Figure): Found | undefined => {
    if (figure._tag !== "Market") return undefined
    const row = data.markets.find(({ fiat }) => fiat === figure.fiat)
    const followed = data.markets.map(({ fiat }) => fiat).join(", ")
    if (row === undefined)
      return { reason: `The server follows no market of ${figure.fiat}, only ${followed}.`, isUnknown: true }
    const { confidence, reason, source, updated } = row
    const value = row[figure.member]
    if (value === null || updated === null || source === null)
      return { reason: `The server has no figure (${reason ?? "none"}).` }
    return { value, updated: DateTime.formatIso(updated), source, confidence }
  })

  const query = { ids: [...new Set(coins.map(({ id }) => id))], fiats: [...new Set(coins.map(({ fiat }) => fiat))] }
  const prices = Effect.map(client.prices({ query }), ({ data, meta }) => (figure: Figure): Found | undefined => {
    if (figure._tag !== "Coin") return undefined
    const missing = data.missing.find(({ id }) => id === figure.id)
    if (missing?.code === "unknown_coin") return { reason: missingOf(missing), isUnknown: true }
    const row = data.prices.find(({ id }) => id === figure.id)
    const value = row?.[figure.member][figure.fiat] ?? null
    if (row === undefined || value === null)
      return { reason: `The server has no ${figure.member} in ${figure.fiat} now.` }
    return { value, updated: DateTime.formatIso(row.updated), source: meta.source }
  })

  const failed = Effect.catch((failure: Error) => {
    const isFinal = "_tag" in failure && (failure._tag === "InvalidParameter" || failure._tag === "InvalidApiKey")
    const found: Found = { reason: failureOf(failure), ...(isFinal && { isUnknown: true }) }
    return Effect.succeed(() => found)
  })
  const asked = [
    ...(coins.length < figures.size ? [{ kind: "Market", ask: markets }] : []),
    ...(coins.length > 0 ? [{ kind: "Coin", ask: prices }] : [])
  ]

  return Effect.gen(function* () {
    pauses.length = 0
    const answers = yield* Effect.forEach(asked, ({ ask, kind }) =>
      Effect.map(failed(Effect.timeout(ask, "20 seconds")), (answer) => [kind, answer] as const)
    )
    const now = yield* Clock.currentTimeMillis
    const young = (found: Found): Found => {
      if ("reason" in found || now - Date.parse(found.updated) <= MOST_AGE) return found
      return {
        reason: `The server's figure of ${found.updated} is more than an hour old by the clock of this machine.`
      }
    }
    const answerOf = new Map(answers)
    const found = [...figures].map(([name, figure]): readonly [string, Found] => [
      name,
      young(answerOf.get(figure._tag)?.(figure) ?? { reason: "The server did not answer." })
    ])
    const fresh = pauses.map(({ fresh }) => fresh)
    const wait = Math.max(Math.min(...fresh, MOST.age), ...pauses.map(({ refused }) => refused))
    return { found: new Map(found), wait: wait * 1000 }
  })
}, Effect.provide(FetchHttpClient.layer))
