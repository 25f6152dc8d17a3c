// Every endpoint that answers from what is held, asked of a running service.
import { Effect, Schedule } from "effect"
import { request } from "../cli/ServingProcess.ts"

/** Their paths. */
export const endpoints = [
  "/v1/global",
  "/v1/coins",
  "/v1/coins/bitcoin",
  "/v1/price/bitcoin/ngn",
  "/v1/price/bitcoin/eur",
  "/v1/naira",
  "/v1/fx",
  "/v1/convert?from=bitcoin&to=ngn",
  "/v1/sources",
  "/v1/why"
] as const

/** What they answered: a status and `meta.updated` by path, and the longest wait in milliseconds. */
export interface Round {
  readonly statuses: Readonly<Record<string, number | string>>
  readonly updated: Readonly<Record<string, string>>
  readonly longest: number
}

let clients = 0

/** Asks each of them once, as a client nobody has seen. */
export const askAll = (port: number): Effect.Effect<Round> =>
  Effect.map(
    Effect.forEach(endpoints, (path) => {
      const from = performance.now()
      return Effect.map(request(port, path, clients++ % 60_000), ({ status, text }) => {
        const body: { readonly meta?: { readonly updated?: string } } = status === 200 ? JSON.parse(text) : {}
        return { path, status, updated: body.meta?.updated ?? "", took: performance.now() - from }
      })
    }),
    (answers) => ({
      statuses: Object.fromEntries(answers.map(({ path, status }) => [path, status])),
      updated: Object.fromEntries(answers.map(({ path, updated }) => [path, updated])),
      longest: Math.max(...answers.map(({ took }) => took))
    })
  )

/** All that has to be the same whoever answers. Explanations are each replica's own. */
export const agreed = ({ updated }: Round): string => JSON.stringify({ ...updated, "/v1/why": "" })

/** A 200 for each. */
export const allFine = Object.fromEntries(endpoints.map((path) => [path, 200]))

/** Asks until everything is answered and, `ready` permitting, the service has all it needs. */
export const untilFine = (port: number) =>
  Effect.all([askAll(port), request(port, "/readyz", 60_001)]).pipe(
    Effect.filterOrFail(
      ([{ statuses }, ready]) => ready.status === 200 && Object.values(statuses).every((status) => status === 200)
    ),
    Effect.retry({ times: 900, schedule: Schedule.spaced("100 millis") })
  )
