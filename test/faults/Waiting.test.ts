// How long the first requests wait when sources are silent from the start: every endpoint at once, in simulated time, over a
// service and upstreams on real sockets. How one question waits is in services/refresh.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type UpstreamEnvName, upstreamNames } from "../../src/sandbox/Wires.ts"
import type { Fault } from "../../src/sandbox/Faults.ts"
import { type Endpoint, endpoints, isPast, needsRegistry, needsSource } from "../api/endpoints.ts"
import { shareOf } from "../isWhole.ts"
import { withoutEvidence } from "../RunningService.ts"
import { inTime, type Simulated } from "../SimulatedService.ts"

/** Milliseconds that a request may wait, with a little room for timers that are set while it runs. */
const LONGEST = 2050

/** All but histories, which ask their sources for themselves, and what does not depend on sources. */
const pathsOf = (isAsked: (endpoint: Endpoint) => boolean) => [
  ...endpoints.filter((one) => needsSource(one) && !isPast(one) && isAsked(one)).map(({ path }) => path),
  "/v1/price/bitcoin/usd",
  "/v1/price/bitcoin/eur"
]

const everywhere = pathsOf(() => true)

/** The answers to requests that are made together, and how many milliseconds each took. */
type Ask = (paths: ReadonlyArray<string>) => ReturnType<typeof askTogether>

const askTogether = ({ service, time }: Simulated, paths: ReadonlyArray<string>) =>
  time.during(
    Effect.forEach(
      paths,
      (path) =>
        Effect.gen(function* () {
          const began = time.now()
          const { headers, status, text } = yield* service.get(path)
          return { path, status, headers, body: JSON.parse(text) as unknown, took: time.now() - began }
        }),
      { concurrency: "unbounded" }
    )
  )

/** A service whose upstreams misbehave in this way from its start. */
const cold = <A, E>(
  names: ReadonlyArray<UpstreamEnvName>,
  fault: Fault,
  use: (ask: Ask, simulated: Simulated) => Effect.Effect<A, E>
) =>
  inTime((simulated) => use((paths) => askTogether(simulated, paths), simulated), {
    config: withoutEvidence,
    fault: [names, fault]
  })

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
      cold([name], { fault: "hang" }, (ask) =>
        Effect.map(ask(pathsOf((one) => name !== "COINGECKO" || !needsRegistry(one))), (answers) => {
          for (const { path, status, took } of answers) {
            assert.strictEqual(status, 200, path)
            assert.isAtMost(took, LONGEST, path)
          }
        })
      )
    )
  }
})

describe("at a cold start with every source silent", () => {
  it.live("every endpoint is a 503 with Retry-After within 2 s, the first time and later", () =>
    cold(upstreamNames, { fault: "hang" }, (ask, { time }) =>
      Effect.gen(function* () {
        for (let round = 0; round < 2; round++) {
          for (const { headers, path, status, took } of yield* ask(everywhere)) {
            assert.strictEqual(status, 503, path)
            assert.match(String(headers["retry-after"]), /^[1-9]\d*$/, path)
            assert.isAtMost(took, LONGEST, path)
          }
          yield* time.pass("1 minute")
        }
        for (const { path, took } of yield* ask(["/v1/prices?ids=bitcoin,tether&fiats=usd,ngn,eur"])) {
          assert.isAtMost(took, LONGEST, path)
        }
      })
    )
  )
})
