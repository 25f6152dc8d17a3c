// Many connections asking at once, as fast as they are answered; and what they got.
import { Effect } from "effect"
import * as Http from "node:http"

/** One answer, of what matters to limits. */
export interface Sample {
  readonly status: number
  readonly limit: number
  readonly remaining: number
  readonly reset: number
  readonly retryAfter: number | undefined
  /** When it was asked for, by `performance.now()`, and milliseconds until all of it was there. */
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

/** Sends requests over kept connections, in turn to each of the addresses. */
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

/** How many answers had each status. */
export const statuses = (samples: ReadonlyArray<Sample>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { status } of samples) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The wait that this part of the samples did not exceed. */
export const percentile = (samples: ReadonlyArray<Sample>, part: number): number =>
  samples.map(({ millis }) => millis).toSorted((a, b) => a - b)[Math.ceil(samples.length * part) - 1] ?? 0
