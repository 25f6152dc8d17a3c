// Upstreams that are out from the start, one or all of them: how long the first requests wait, what they are told, and how soon all is
// well again. How one question waits is in services/refresh; what sources replace each other is in services and FaultMatrix.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type UpstreamEnvName, upstreamNames } from "../../src/sandbox/Wires.ts"
import { type Endpoint, endpoints, isPast, needsRegistry, needsSource } from "../api/endpoints.ts"
import { isWhole, shareOf } from "../isWhole.ts"
import { withoutEvidence } from "../RunningService.ts"
import { inTime, type Simulated } from "../SimulatedService.ts"
import { askAll, faultsOf } from "./Answers.ts"

/** Milliseconds that a request may wait, with a little room for timers that are set while it runs. */
const LONGEST = 2050

/** All but histories, which ask their sources for themselves, and what does not depend on sources. */
const pathsOf = (isAsked: (endpoint: Endpoint) => boolean) => [
  ...endpoints.filter((one) => needsSource(one) && !isPast(one) && isAsked(one)).map(({ path }) => path),
  "/v1/price/bitcoin/usd",
  "/v1/price/bitcoin/eur"
]

/** The answers to requests that are made together, and how many milliseconds each took. */
const askTogether = ({ service, time }: Simulated, paths: ReadonlyArray<string>) =>
  time.during(
    Effect.forEach(
      paths,
      (path) => {
        const began = time.now()
        return Effect.map(service.get(path), (answer) => ({ ...answer, path, took: time.now() - began }))
      },
      { concurrency: "unbounded" }
    )
  )

/** The sources that answer alone for a part, or first for it. */
const silent: ReadonlyArray<UpstreamEnvName> = [
  "COINGECKO",
  "FRANKFURTER",
  "BYBIT_P2P",
  "BITGET_P2P",
  "QUIDAX",
  "LUNO",
  "CBN"
]

// Only CoinGecko has a registry: while it is silent, what is found there is a 503.
describe("at a cold start with one source silent", () => {
  for (const name of shareOf(silent, 0)) {
    it.live(`${name}: every endpoint is a 200 within 2 s`, () =>
      inTime(
        (simulated) =>
          Effect.gen(function* () {
            const paths = pathsOf((one) => name !== "COINGECKO" || !needsRegistry(one))
            for (const { path, status, took } of yield* askTogether(simulated, paths)) {
              assert.strictEqual(status, 200, path)
              assert.isAtMost(took, LONGEST, path)
            }
          }),
        { config: withoutEvidence, fault: [[name], { fault: "hang" }] }
      )
    )
  }
})

describe("all upstreams out at a cold start", () => {
  for (const fault of shareOf(["hang", "refuse", "server_error", "html"] as const, 0)) {
    it.live(`${fault}: a 503 within 2 s that says when to ask again, and 200 within 30 s of their coming back`, () =>
      inTime(
        (simulated) =>
          Effect.gen(function* () {
            const { service, set, time } = simulated
            const mistakes = Effect.map(time.during(askAll(service)), (answers) =>
              faultsOf(answers, { now: time.now(), world: service.sandbox.world, wrongSince: new Map() })
            )
            for (const minutes of isWhole ? [0, 1, 10] : [0, 1]) {
              yield* time.pass(`${minutes} minutes`)
              for (const answer of yield* askTogether(
                simulated,
                pathsOf(() => true)
              )) {
                const { headers, path, status, text, took } = answer
                assert.strictEqual(status, 503, path)
                if (path.startsWith("/v1")) assert.include(text, '"code":"source_unavailable"', path)
                assert.match(String(headers["retry-after"]), /^[1-9]\d*$/, path)
                assert.strictEqual(headers["cache-control"], "no-store")
                assert.isAtMost(took, LONGEST, path)
              }
              // It is a 200 that says of each price what is missing.
              const [prices] = yield* askTogether(simulated, ["/v1/prices?ids=bitcoin,tether&fiats=usd,ngn,eur"])
              assert.isAtMost(prices?.took ?? Infinity, LONGEST)
              const document = yield* time.during(service.get("/openapi.json"))
              assert.strictEqual(document.status, 200)
            }
            yield* set(upstreamNames, null)
            yield* time.pass("30 seconds")
            assert.deepStrictEqual(yield* mistakes, [])
          }),
        { config: withoutEvidence, fault: [upstreamNames, { fault }] }
      )
    )
  }
})
