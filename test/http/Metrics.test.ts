import { assert } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { friday, onlyNaira, RunningService, get, pass, withoutEvidence } from "../RunningService.ts"
import { isDocumented } from "../deploy/documentedMetrics.ts"
import * as Exposition from "./Exposition.ts"
import { rulesIn } from "../rulesOf.ts"

interface DataSet {
  readonly name: string
  readonly market?: string
  readonly state: string
  readonly last_success: string | null
}

const scrape = Effect.gen(function* () {
  const answer = yield* get("/metrics")
  assert.strictEqual(answer.status, 200, answer.text)
  return { ...(yield* Exposition.read(answer.text)), answer }
})

/** By how much sums of samples grow from one scrape to another while something is done. */
const growthBy = <E, R>(work: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const before = yield* scrape
    yield* work
    const after = yield* scrape
    return (name: string, labels: Record<string, string>) => after.sum(name, labels) - before.sum(name, labels)
  })

rulesIn(RunningService.layer({ at: friday, config: { METRICS_COINS: " Solana,unlisted" } }))("/metrics", (rule) => {
  rule("has the prices of the coins that METRICS_COINS names, NaN for one that is not known", function* () {
    const { data } = JSON.parse((yield* get("/v1/coins/solana")).text)
    const { answer } = yield* scrape
    const [, price] = /^cda_coin_price_usd\{coin="solana"\} (\S+)$/m.exec(answer.text) ?? []
    assert.strictEqual(Number(price), data.price)
    assert.match(answer.text, /^cda_coin_price_observed_timestamp_seconds\{coin="solana"\} \d{10}/m)
    assert.match(answer.text, /^cda_coin_price_usd\{coin="unlisted"\} NaN$/m)
    assert.notMatch(answer.text, /observed_timestamp_seconds\{coin="unlisted"/)
  })

  rule("is text in Prometheus' format, behind the gate", function* () {
    const { answer } = yield* scrape
    assert.strictEqual(answer.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8")
    assert.strictEqual(answer.headers["cache-control"], "no-store")
    assert.strictEqual(answer.headers["x-ratelimit-limit"], "60")
    assert.isString(answer.headers["x-request-id"])
  })

  rule("counts requests by the route's pattern and the status, never by what was asked for", function* () {
    const before = yield* scrape
    for (const path of [
      ...["bitcoin", "ethereum?x=1", "no-such-coin"].map((id) => `/v1/coins/${id}`),
      "/v1/price/bitcoin/usd",
      "/v1/price/bitcoin/xyz",
      "/v1/fx/",
      "/healthz",
      "/problems/internal",
      "/v1/secret-path/4711",
      "/wp-login.php"
    ]) {
      yield* get(path)
    }
    for (const method of ["POST", "OPTIONS", "HEAD"]) yield* get("/v1/fx", { method })

    const after = yield* scrape
    const more = (name: string, labels: Record<string, string>) => after.sum(name, labels) - before.sum(name, labels)
    for (const [route, status, count] of [
      ["/v1/coins/:id", 200, 2],
      ["/v1/coins/:id", 404, 1],
      ["/v1/price/:id/:fiat", 200, 1],
      ["/v1/price/:id/:fiat", 400, 1],
      ["/v1/fx", 200, 2],
      ["/v1/fx", 405, 1],
      ["/v1/fx", 204, 1],
      ["/healthz", 200, 1],
      ["/problems/:code", 200, 1],
      ["other", 404, 2],
      ["/metrics", 200, 1]
    ] as const) {
      const counted = more("cda_http_requests_total", { route, status: String(status) })
      assert.strictEqual(counted, count, `${route} ${status}`)
    }
    assert.strictEqual(more("cda_http_request_duration_seconds", { route: "/v1/coins/:id" }), 3)
    for (const part of ["bitcoin", "4711", "wp-login", "no-such-coin"]) assert.notInclude(after.answer.text, part)
  })

  rule("counts the limiter's decisions by plan", function* () {
    const headers = { "x-forwarded-for": "203.0.113.9" }
    const growth = yield* growthBy(
      Effect.gen(function* () {
        for (let n = 0; n < 63; n++) yield* get("/v1/nowhere", { headers })
        yield* get("/v1/fx", { headers: { "x-api-key": "nonsense" } })
        yield* get("/healthz")
        yield* get("/v1/fx", { method: "OPTIONS" })
      })
    )
    const more = (decision: string) => growth("cda_limiter_decisions_total", { decision, plan: "free" })
    // The scrape that counted was allowed too.
    assert.deepStrictEqual([more("allowed"), more("refused"), more("invalid_key")], [61, 3, 1])
  })

  rule("has each source's calls, and each data set's age and last success at the time of the scrape", function* () {
    yield* get("/v1/fx")
    const before = yield* scrape
    for (const source of ["BYBIT_P2P", "CBN", "FRANKFURTER"]) {
      assert.isAtLeast(before.sum("cda_source_calls_total", { source }), 1, source)
      assert.strictEqual(before.sum("cda_source_failures_total", { source }), 0, source)
      assert.strictEqual(before.sum("cda_source_circuit_open", { source }), 0, source)
    }
    assert.strictEqual(before.sum("cda_source_budget_refusals_total"), 0)

    const fx = { source: "FRANKFURTER", data_set: "fx" }
    const success = before.sum("cda_data_set_last_success_timestamp_seconds", fx)
    assert.closeTo(success, friday / 1000, 300)
    assert.strictEqual(before.sum("cda_data_set_state", { ...fx, state: "ok" }), 1)
    assert.strictEqual(before.sum("cda_data_set_state", fx), 1)
    yield* pass(Duration.seconds(20))
    const after = yield* scrape
    assert.strictEqual(after.sum("cda_data_set_last_success_timestamp_seconds", fx), success)
    const grown = after.sum("cda_data_set_age_seconds", fx) - before.sum("cda_data_set_age_seconds", fx)
    assert.isAtLeast(grown, 19)
  })

  rule("counts hits and misses of look-ups", function* () {
    const pages = ["limit=250&page=6", "limit=125&page=11", "limit=125&page=12"]
    const growth = yield* growthBy(Effect.forEach(pages, (page) => get(`/v1/coins?${page}`)))
    assert.strictEqual(growth("cda_lookups_total", { cache: "pages", outcome: "miss" }), 1)
    assert.isAtLeast(growth("cda_lookups_total", { cache: "pages", outcome: "hit" }), 2)
  })

  rule("counts kept and new answers", function* () {
    const growth = yield* growthBy(Effect.replicateEffect(get("/v1/price/bitcoin/aed"), 3))
    const more = (outcome: string) => growth("cda_kept_answers_total", { outcome })
    assert.deepStrictEqual([more("miss"), more("hit")], [1, 2])
  })

  rule("agrees with /v1/sources on every data set, of every market and feed", function* () {
    yield* pass(Duration.seconds(90))
    const { data } = JSON.parse((yield* get("/v1/sources")).text)
    const scraped = yield* scrape
    const feeds = new Map<string, number>()
    for (const { data_sets, id, link } of data.sources as ReadonlyArray<{
      data_sets: ReadonlyArray<DataSet>
      id: string
      link: string
    }>) {
      const nth = (feeds.get(link) ?? 0) + 1
      if (id === "NEWS_FEEDS") feeds.set(link, nth)
      for (const { last_success, market, name, state } of data_sets) {
        const labels = {
          source: id,
          data_set: name,
          ...(market !== undefined && { market }),
          ...(id === "NEWS_FEEDS" && { feed: nth === 1 ? link : `${link} ${nth}` })
        }
        const what = JSON.stringify(labels)
        assert.strictEqual(scraped.sum("cda_data_set_state", { ...labels, state }), 1, what)
        if (last_success === null) continue
        assert.strictEqual(
          scraped.sum("cda_data_set_last_success_timestamp_seconds", labels),
          Date.parse(last_success) / 1000,
          what
        )
      }
    }
  })
})

rulesIn(
  RunningService.layer({
    at: friday,
    config: { SOURCES_DISABLED: `BITGET_P2P,QUIDAX,LUNO,${withoutEvidence.SOURCES_DISABLED}`, ...onlyNaira }
  })
)("/metrics while sources fail", (rule) => {
  rule("has failures by reason, and which source serves", function* () {
    const { sandbox } = yield* RunningService
    yield* get("/v1/global")
    const before = yield* scrape
    const global = { question: "global market figures" }
    assert.isAtLeast(before.sum("cda_question_answers_total", { ...global, served_by: "CoinGecko (sandbox)" }), 1)
    // An increase from nothing is none to Prometheus.
    for (const name of ["fallbacks", "unanswered", "passed_over"]) {
      assert.isAbove(before.series(`cda_question_${name}_total`, global), 0, name)
      assert.strictEqual(before.sum(`cda_question_${name}_total`, global), 0, name)
    }
    assert.isAbove(before.series("cda_lookups_total", { outcome: "miss" }), 0)

    yield* sandbox.setFault("COINGECKO", { fault: "server_error" })
    yield* pass(Duration.minutes(12))
    const after = yield* scrape
    const source = "COINGECKO"
    assert.isAbove(after.sum("cda_source_failures_total", { source, reason: "BadStatus" }), 2)
    assert.isAtLeast(
      after.sum("cda_source_calls_total", { source }),
      after.sum("cda_source_failures_total", { source })
    )
    assert.isAbove(after.sum("cda_question_fallbacks_total", { ...global, served_by: "CoinPaprika (sandbox)" }), 0)
    assert.isAbove(after.sum("cda_question_answers_total", { ...global, served_by: "CoinPaprika (sandbox)" }), 0)
    for (const name of after.names) assert.isTrue(isDocumented(name), `docs/running.md has ${name}, or how it begins`)
  })
})
