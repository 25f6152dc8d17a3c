// How often upstreams are called: by the schedule and the budget alone, whatever callers do.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { knownCoins } from "../../src/domain/CoinRegistry.ts"
import { quotedFiats } from "../../src/domain/QuotedFiat.ts"
import type { LoggedRequest } from "../../src/sandbox/SandboxUpstreams.ts"
import { mulberry32 } from "../domain/syntheticBooks.ts"
import { withoutEvidence } from "../RunningService.ts"
import { inTime, type Simulated } from "../SimulatedService.ts"

/** A service that has been up for two minutes. */
const warm = <A, E>(use: (simulated: Simulated) => Effect.Effect<A, E>) =>
  inTime((simulated) => Effect.andThen(simulated.time.pass("2 minutes"), use(simulated)), {
    config: { ...withoutEvidence, COINGECKO_PLAN: "pro" }
  })

/** Requests of every kind, each kind with much that is not held: other coins, coins that are none, pages far down. */
const load = (random: () => number): string => {
  const below = (n: number) => Math.floor(random() * n)
  const id = () => (random() < 0.3 ? `nobody-${below(300)}` : (knownCoins[below(knownCoins.length)]?.id ?? ""))
  const fiat = () => quotedFiats[below(quotedFiats.length)] ?? "USD"
  const kinds = [
    () => "/v1/global",
    () => "/v1/coins",
    () => `/v1/coins?limit=${1 + below(250)}&page=${1 + below(40)}`,
    () => `/v1/coins/${id()}`,
    () => `/v1/price/${id()}/${fiat()}`,
    () => "/v1/naira",
    () => "/v1/fx",
    () => `/v1/convert?from=${id()}&to=${fiat()}&amount=${1 + below(100)}`,
    () => `/v1/convert?from=${fiat()}&to=${id()}`,
    () => `/nothing/${below(100)}`
  ]
  return (kinds[below(kinds.length)] ?? (() => ""))()
}

/** Bursts of 100 requests in a busy minute. */
const BURSTS = 20

const REQUESTS = BURSTS * 100

/** Sends `REQUESTS` requests within a minute and returns their statuses. */
const busyMinute = Effect.fnUntraced(function* ({ service, time }: Pick<Simulated, "service" | "time">, seed: number) {
  const random = mulberry32(seed)
  const end = time.now() + 60_000
  const statuses: Array<number> = []
  for (let burst = 0; burst < BURSTS; burst++) {
    const paths = Array.from({ length: 100 }, () => load(random))
    const answers = yield* time.during(Effect.forEach(paths, (path) => service.get(path), { concurrency: "unbounded" }))
    statuses.push(...answers.map(({ status }) => status))
    yield* time.pass("2900 millis")
  }
  yield* time.pass(Math.max(0, end - time.now()))
  return { statuses, end: time.now() }
})

const queryOf = ({ path }: LoggedRequest) => new URL(path, "http://upstream").searchParams

/** What a call to CoinGecko is for. */
const kindOf = (request: LoggedRequest): string => {
  const query = queryOf(request)
  if (!request.path.startsWith("/coins/markets")) return request.path.split("?")[0] ?? ""
  return query.has("ids") ? "look-up" : query.get("page") === "1" ? "list" : "deeper page"
}

const count = (requests: ReadonlyArray<LoggedRequest>, kind: string) =>
  requests.filter((request) => kindOf(request) === kind).length

describe("upstream calls", () => {
  it.live("many requests in a minute cause no call but batched look-ups and each deeper page once", () =>
    warm(({ service, time }) =>
      Effect.gen(function* () {
        const { sandbox } = service
        const callsSince = (since: number) =>
          Effect.map(sandbox.requests, ({ COINGECKO }) => COINGECKO.filter(({ at }) => at > since))
        const beforeIdle = { at: time.now(), calls: yield* sandbox.calls }
        yield* time.pass("1 minute")
        const beforeLoad = { at: time.now(), calls: yield* sandbox.calls }
        const idle = (yield* callsSince(beforeIdle.at)).filter(({ at }) => at <= beforeLoad.at)

        const { statuses } = yield* busyMinute({ service, time }, 1)
        assert.strictEqual(statuses.length, REQUESTS)
        assert.deepStrictEqual([...new Set(statuses)].sort(), [200, 404])
        assert.isAbove(statuses.filter((status) => status === 200).length, REQUESTS / 2)

        const loaded = yield* callsSince(beforeLoad.at)
        // A schedule's jitter may put one more call of a kind into a minute.
        for (const kind of ["list", "/global", "/coins/list"]) {
          assert.isAtMost(count(loaded, kind), count(idle, kind) + 1, kind)
        }
        const pages = loaded.filter((request) => kindOf(request) === "deeper page")
        assert.deepStrictEqual(pages.map((request) => queryOf(request).get("page")).sort(), ["2", "3"])

        const batches = loaded
          .filter((request) => kindOf(request) === "look-up")
          .map((request) => (queryOf(request).get("ids") ?? "").split(","))
        assert.isAbove(batches.length, 0)
        assert.isAtMost(batches.length, 20)
        for (const ids of batches) assert.isAtMost(ids.length, 250)
        const asked = batches.flat()
        assert.deepStrictEqual(asked, [...new Set(asked)], "an id was looked up twice")

        const kinds = new Set(loaded.map(kindOf))
        assert.isTrue(
          [...kinds].every((kind) => ["list", "/global", "/coins/list", "deeper page", "look-up"].includes(kind))
        )
        const calls = yield* sandbox.calls
        for (const name of ["BYBIT_P2P", "BITGET_P2P", "QUIDAX", "LUNO"] as const) {
          assert.isAtMost(
            calls[name] - beforeLoad.calls[name],
            beforeLoad.calls[name] - beforeIdle.calls[name] + 2,
            name
          )
        }
        // A coin that CoinGecko has no price of is searched in the lists of the fallbacks, each read once.
        assert.isAtMost(calls.COINPAPRIKA, beforeIdle.calls.COINPAPRIKA + 1, "COINPAPRIKA")
        for (const name of ["FRANKFURTER", "CURRENCY_API", "CBN"] as const) {
          assert.strictEqual(calls[name], beforeIdle.calls[name], name)
        }
      })
    )
  )

  it.live("what is held is answered with every upstream silent, and nobody is asked", () =>
    warm(({ service, time }) =>
      Effect.gen(function* () {
        const { sandbox } = service
        time.ignore(["/"])
        for (const name of ["COINGECKO", "FRANKFURTER", "BYBIT_P2P", "BITGET_P2P", "QUIDAX", "LUNO", "CBN"] as const) {
          yield* sandbox.setFault(name, { fault: "hang" })
        }
        const now = time.now()
        const before = yield* sandbox.calls
        for (const path of [
          "global",
          "coins",
          "coins?page=2&limit=100",
          "coins/bitcoin",
          "price/bitcoin/ngn",
          "naira",
          "fx",
          "convert?from=eur&to=ngn"
        ]) {
          assert.strictEqual((yield* service.get(`/v1/${path}`)).status, 200, path)
        }
        assert.deepStrictEqual(yield* sandbox.calls, before)
        assert.strictEqual(time.now(), now, "an answer waited for time to pass")
      })
    )
  )
})
