// How often upstreams are called: by the schedule and the budget alone, whatever callers do.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { knownCoins } from "../../src/domain/CoinRegistry.ts"
import { quotedFiats } from "../../src/domain/QuotedFiat.ts"
import type { LoggedRequest } from "../../src/sandbox/SandboxUpstreams.ts"
import { mulberry32 } from "../domain/syntheticBooks.ts"
import { withoutEvidence } from "../RunningService.ts"
import { inTime, type Simulated } from "../SimulatedService.ts"
import { memberOf } from "./Answers.ts"

/** A service that has been up for two minutes. */
const warm = <A, E>(
  plan: "keyless" | "pro",
  use: (simulated: Simulated) => Effect.Effect<A, E>,
  config: Readonly<Record<string, string>> = {}
) =>
  inTime((simulated) => Effect.andThen(simulated.time.pass("2 minutes"), use(simulated)), {
    config: { ...withoutEvidence, COINGECKO_PLAN: plan, ...config }
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

/** The most calls in any span of a minute. */
const densest = (requests: ReadonlyArray<LoggedRequest>) =>
  Math.max(...requests.map(({ at }) => requests.filter((other) => other.at >= at && other.at < at + 60_000).length))

describe("upstream calls", () => {
  it.live("many requests in a minute cause no call but batched look-ups and each deeper page once", () =>
    warm("pro", ({ service, time }) =>
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

  it.live("keyless, CoinGecko gets at most 3 calls in any minute, whatever the load, and the list stays fresh", () =>
    warm("keyless", ({ service, time }) =>
      Effect.gen(function* () {
        for (const seed of [1, 2, 3]) {
          const { end, statuses } = yield* busyMinute({ service, time }, seed)
          assert.strictEqual(statuses.length, REQUESTS)
          assert.isTrue(statuses.every((status) => status === 200 || status === 404 || status === 503))
          assert.isAbove(statuses.filter((status) => status === 200).length, REQUESTS / 3)
          const { text } = yield* time.during(service.get("/v1/coins"))
          const body: unknown = JSON.parse(text)
          assert.strictEqual(memberOf(body, ["meta", "source"]), "CoinGecko (sandbox)")
          const updated = new Date(String(memberOf(body, ["meta", "updated"]))).getTime()
          // A refresh may have to leave its turn to that of the totals: then the list is two intervals old.
          assert.isAtMost(end - updated, 210_000, "the load starved the schedule")
        }
        const { COINGECKO } = yield* service.sandbox.requests
        assert.isAbove(COINGECKO.length, 5)
        assert.isAtMost(densest(COINGECKO), 3)
      })
    )
  )

  it.live("ids that no list has, asked for together, make a few calls, and again none", () =>
    warm(
      "pro",
      ({ service, time }) =>
        Effect.gen(function* () {
          const lookUps = Effect.map(service.sandbox.requests, ({ COINGECKO }) => count(COINGECKO, "look-up"))
          const { text } = yield* time.during(service.get("/v1/coins?limit=250"))
          const listed = new Set([text].flatMap((body) => [...body.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id)))
          const ids = knownCoins.map(({ id }) => id).filter((id) => !listed.has(id))
          assert.isAbove(ids.length, 50)
          const all = time.during(
            Effect.forEach(ids, (id) => service.get(`/v1/coins/${id}`), { concurrency: "unbounded" })
          )
          const before = yield* lookUps
          // One where they all come within the 20 ms of a batch; over many connections they need not.
          assert.isTrue((yield* all).every(({ status }) => status === 200))
          const made = (yield* lookUps) - before
          assert.isAtLeast(made, 1)
          assert.isAtMost(made, 6)
          yield* time.pass("30 seconds")
          yield* all
          assert.strictEqual((yield* lookUps) - before, made)
          // They are kept as long as a refresh of the list takes.
          yield* time.pass("1 minute")
          yield* all
          assert.isAbove((yield* lookUps) - before, made)
        }),
      { SOURCES_DISABLED: `${withoutEvidence.SOURCES_DISABLED},COINPAPRIKA` }
    )
  )

  it.live("what is held is answered with every upstream silent, and nobody is asked", () =>
    warm("pro", ({ service, time }) =>
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
