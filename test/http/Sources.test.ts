import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { sourceCatalog } from "../../src/sources/catalog/SourceCatalog.ts"
import { exchanges, friday, onlyNaira, RunningService, get, pass } from "../RunningService.ts"
import { Sources } from "../../src/api/SourcesApi.ts"
import { read } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

const source = Effect.fnUntraced(function* (id: string) {
  const { data } = yield* read("/v1/sources", Sources)
  const found = data.sources.find((candidate) => candidate.id === id)
  assert.isDefined(found, id)
  return found
})

/** Every question asked once, so that each has walked its sources. */
const asked = Effect.gen(function* () {
  for (const path of ["/v1/coins", "/v1/global", "/v1/naira", "/v1/fx"]) yield* get(path)
})

rulesIn(RunningService.layer({ at: friday, config: { SOURCES_DISABLED: `LUNO,${exchanges}`, ...onlyNaira } }))(
  "/v1/sources",
  (rule) => {
    rule("lists every source with its terms, in the order of the catalogue", function* () {
      yield* asked
      const { data, meta } = yield* read("/v1/sources", Sources)
      // Its ages are of this moment.
      const { headers } = yield* get("/v1/sources")
      assert.strictEqual(headers["cache-control"], "public, max-age=1, stale-while-revalidate=0, stale-if-error=0")
      for (const [n, { attribution, id, licence, link, name, redistribution }] of sourceCatalog.entries()) {
        const terms = { id, name: `${name} (sandbox)`, attribution, link, licence, redistribution }
        assert.deepInclude(data.sources[n], terms)
      }
      assert.strictEqual(meta.source, "crypto-data-api")
    })

    rule("lists the news feeds that stand in for the default ones, which are not in use", function* () {
      const { data } = yield* read("/v1/sources", Sources)
      const own = data.sources.slice(sourceCatalog.length)
      assert.isAbove(own.length, 0)
      for (const { data_sets, enabled, id } of own) {
        assert.deepStrictEqual([id, enabled, data_sets.map(({ name }) => name)], ["NEWS_FEEDS", true, ["news"]])
      }
      for (const { name } of sourceCatalog.filter(({ feedUrl }) => feedUrl !== undefined)) {
        const replaced = data.sources.find((candidate) => candidate.name === `${name} (sandbox)`)
        assert.deepStrictEqual([replaced?.enabled, replaced?.state], [false, "disabled"])
      }
    })

    rule("has the data sets of announcements and incidents", function* () {
      for (const id of ["OKX", "KUCOIN", "BITGET", "BYBIT", "DEFILLAMA"]) {
        assert.strictEqual((yield* source(id)).data_sets.length, 1, id)
      }
    })

    rule("has the last success and the age of the data of a source that serves", function* () {
      yield* asked
      const frankfurter = yield* source("FRANKFURTER")
      const fx = frankfurter.data_sets.find(({ name }) => name === "fx")
      assert.deepStrictEqual([frankfurter.state, frankfurter.enabled, fx?.state], ["ok", true, "ok"])
      assert.closeTo(Date.parse(fx?.last_success ?? "") / 1000, friday / 1000, 120)
      assert.strictEqual(fx?.updated, "2026-11-20T00:00:00.000Z")
      assert.closeTo(fx?.age ?? 0, 12 * 3600, 200)
      assert.deepStrictEqual([fx?.last_error, fx?.last_error_at], [null, null])
    })

    rule("calls a source that nothing needs idle, and one switched off disabled", function* () {
      yield* asked
      const spare = yield* source("BINANCE_P2P")
      assert.deepStrictEqual([spare.state, spare.enabled], ["idle", true])
      for (const { last_success, state } of spare.data_sets)
        assert.deepStrictEqual([state, last_success], ["idle", null])
      const off = yield* source("LUNO")
      assert.deepStrictEqual([off.state, off.enabled], ["disabled", false])
      for (const { last_error, state } of off.data_sets) assert.deepStrictEqual([state, last_error], ["disabled", null])
    })

    rule("has the kind of the failure in its own words, the time of the held data, and the recovery", function* () {
      const { sandbox } = yield* RunningService
      yield* asked
      const before = yield* source("BYBIT_P2P")
      assert.strictEqual(before.state, "ok")

      yield* sandbox.setFault("BYBIT_P2P", { fault: "html" })
      yield* pass("80 seconds")
      const failing = yield* source("BYBIT_P2P")
      const [book] = failing.data_sets
      assert.include(["failing", "resting"], failing.state)
      assert.match(book?.last_error ?? "", /^Bybit P2P \(sandbox\) sent something that is not its documented format/)
      assert.notMatch(book?.last_error ?? "", /Access denied|Just a moment/)
      assert.isString(book?.last_success)
      assert.isAtLeast(book?.age ?? 0, 60)

      yield* sandbox.setFault("BYBIT_P2P", null)
      yield* pass("2 minutes")
      const naira = (yield* source("BYBIT_P2P")).data_sets.find(({ market }) => market === "NGN")
      assert.strictEqual(naira?.state, "ok")
      const well = yield* source("BYBIT_P2P")
      assert.strictEqual(well.state, "ok")
      assert.isString(well.data_sets[0]?.last_error_at)
      assert.isTrue((well.data_sets[0]?.last_success ?? "") > (well.data_sets[0]?.last_error_at ?? ""))
    })

    rule("is stamped with the newest success, and never shows addresses or keys of a source", function* () {
      const { data, meta } = yield* read("/v1/sources", Sources)
      const successes = data.sources.flatMap(({ data_sets }) => data_sets.flatMap((set) => set.last_success ?? []))
      assert.strictEqual(meta.updated, successes.sort().at(-1))
      for (const { data_sets } of data.sources) {
        assert.notMatch(JSON.stringify(data_sets), /127\.0\.0\.1|localhost|\.ts\b|x-cg|"sandbox"/)
      }
    })
  }
)
