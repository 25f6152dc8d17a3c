// A load generator: concurrent requests over kept connections, and the responses.
import { Effect } from "effect"
import * as Http from "node:http"

/** What a response says about limits. */
export interface Sample {
  readonly status: number
  readonly limit: number
  readonly remaining: number
  readonly reset: number
  readonly retryAfter: number | undefined
  /** When the request was sent, by `performance.now()`, and how long the whole response took. */
  readonly at: number
  readonly millis: number
}

const numberOf = (text: string | Array<string> | undefined): number => (typeof text === "string" ? Number(text) : NaN)

const ask = (agent: Http.Agent, url: string, headers: Http.OutgoingHttpHeaders): Effect.Effect<Sample> =>
  Effect.callback((resume) => {
    const at = performance.now()
    const request = Http.get(url, { agent, headers }, (response) => {
      response.resume()
      response.on("end", () =>
        resume(
          Effect.succeed({
            status: response.statusCode ?? 0,
            limit: numberOf(response.headers["x-ratelimit-limit"]),
            remaining: numberOf(response.headers["x-ratelimit-remaining"]),
            reset: numberOf(response.headers["x-ratelimit-reset"]),
            retryAfter:
              response.headers["retry-after"] === undefined ? undefined : Number(response.headers["retry-after"]),
            at,
            millis: performance.now() - at
          })
        )
      )
    })
    request.on("error", (cause) => resume(Effect.die(cause)))
  })

/** Sends requests over kept connections, to the URLs in turn. */
export const flood = (options: {
  readonly urls: ReadonlyArray<string>
  readonly connections: number
  readonly requests: number
  readonly headers: (n: number) => Http.OutgoingHttpHeaders
}): Effect.Effect<ReadonlyArray<Sample>> =>
  Effect.scoped(
    Effect.gen(function* () {
      const agent = yield* Effect.acquireRelease(
        Effect.sync(() => new Http.Agent({ keepAlive: true })),
        (agent) => Effect.sync(() => agent.destroy())
      )
      const { urls } = options
      return yield* Effect.forEach(
        Array.from({ length: options.requests }, (_, n) => n),
        (n) => ask(agent, urls[n % urls.length] ?? "", options.headers(n)),
        { concurrency: options.connections }
      )
    })
  )

/** The number of responses by status. */
export const statuses = (samples: ReadonlyArray<Sample>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { status } of samples) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The given percentile (0 to 1) of the response times in milliseconds. */
export const percentile = (samples: ReadonlyArray<Sample>, part: number): number =>
  samples.map(({ millis }) => millis).toSorted((a, b) => a - b)[Math.ceil(samples.length * part) - 1] ?? 0
