// Feeds, search and model that fail, hang or lie: what `/v1/why` then says, and that nobody ever waits for them.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { prefixOf } from "../../src/sandbox/SandboxUpstreams.ts"
import { memberOf } from "./Answers.ts"
import { AFTER_A_FALL, assertSound, evidence, inTime, type Setting, settle, timed } from "../http/WhySupport.ts"
import { type Asked, modelServer, type Said, settingsFor } from "../sources/ModelServer.ts"

/** Sources that these tests do not need, so that hours pass quickly. */
const quick = { SOURCES_DISABLED: "QUIDAX,LUNO,BYBIT_P2P,BITGET_P2P,CBN", COINGECKO_PLAN: "demo" }

const statuses = ({ why }: Setting) =>
  Effect.map(why, ({ data }) => [...new Set(data.movers.map(({ status }) => status))].toSorted())

const counted = ["OKX", "KUCOIN", "BITGET", "BYBIT", "DEFILLAMA"] as const

describe("feeds that are down", () => {
  it.live("from the start: figures at once, and no guess at what coincides with them", () =>
    inTime((setting) =>
      Effect.gen(function* () {
        yield* setting.set(evidence, { fault: "refuse" })
        const first = yield* setting.why
        assert.isBelow(setting.time.now() - AFTER_A_FALL, 3000)
        assert.isNotEmpty(first.data.movers)
        yield* settle(setting)
        assert.deepStrictEqual(yield* statuses(setting), ["insufficient_coverage"])
        const { data } = yield* setting.why
        for (const mover of data.movers) {
          assert.isNumber(mover.price_usd)
          assert.isAbove(Math.abs(mover.change_24h), 3)
          assert.isEmpty(mover.drivers)
          assert.strictEqual(mover.confidence.level, "low")
          assert.strictEqual(mover.coverage.sources_ok, 0)
          assert.isNotEmpty(mover.coverage.sources_failed)
        }
        assert.isNumber(data.market.btc_change_24h)
        // They come back: explained within two minutes, and only from then on.
        yield* setting.set(evidence, null)
        yield* setting.time.pass("2 minutes")
        const explained = (yield* setting.why).data.movers.find(({ status }) => status === "explained")
        assert.isDefined(explained)
        assert.isAbove(
          Date.parse(explained?.first_explained_at ?? ""),
          Date.parse(data.movers[0]?.first_explained_at ?? "")
        )
      })
    )
  )

  it.live("later: what is held explains until under 60 % are fresh, and they explain again when they are back", () =>
    inTime(
      (setting) =>
        Effect.gen(function* () {
          yield* settle(setting)
          const before = yield* statuses(setting)
          assert.include(before, "explained")
          const first = (yield* setting.why).data.movers.find(({ status }) => status === "explained")
          yield* setting.set(evidence, { fault: "refuse" })
          yield* setting.time.skip("23 minutes")
          yield* setting.time.pass("2 minutes")
          assert.include(yield* statuses(setting), "explained")
          yield* setting.time.skip("10 minutes")
          yield* setting.time.pass("2 minutes")
          assert.deepStrictEqual(yield* statuses(setting), ["insufficient_coverage"])
          yield* setting.set(evidence, null)
          yield* setting.time.skip("5 minutes")
          yield* setting.time.pass("2 minutes")
          const again = (yield* setting.why).data.movers.find(({ id }) => id === first?.id)
          assert.strictEqual(again?.status, "explained")
          assert.strictEqual(again?.first_explained_at, first?.first_explained_at)
          assert.isAbove(Date.parse(again?.revised_at ?? ""), Date.parse(first?.revised_at ?? ""))
        }),
      { config: quick }
    )
  )

  it.live("two of five primaries may be missing, not three", () =>
    inTime((setting) =>
      Effect.gen(function* () {
        yield* setting.set(counted.slice(0, 2), { fault: "server_error" })
        yield* settle(setting)
        assert.notInclude(yield* statuses(setting), "insufficient_coverage")
        const { data } = yield* setting.why
        assert.deepStrictEqual(
          data.movers[0]?.coverage.sources_failed.map((name) => name.split(" ")[0]),
          ["OKX", "KuCoin"]
        )
      })
    ).pipe(
      Effect.andThen(
        inTime((setting) =>
          Effect.gen(function* () {
            yield* setting.set(counted.slice(0, 3), { fault: "server_error" })
            yield* settle(setting)
            assert.deepStrictEqual(yield* statuses(setting), ["insufficient_coverage"])
          })
        )
      )
    )
  )

  it.live("a source that is switched off is not missed", () =>
    inTime(
      (setting) =>
        Effect.gen(function* () {
          yield* settle(setting)
          const { data } = yield* setting.why
          assert.notInclude(
            data.movers.map(({ status }) => status),
            "insufficient_coverage"
          )
          assert.isEmpty(data.movers[0]?.coverage.sources_failed ?? ["none"])
        }),
      { config: { SOURCES_DISABLED: "OKX,KUCOIN,BITGET" } }
    )
  )

  it.live("without GDELT nothing changes but the search", () =>
    Effect.gen(function* () {
      const told = (fault: { readonly fault: "refuse" } | null) =>
        inTime((setting) =>
          Effect.gen(function* () {
            yield* setting.set(["GDELT"], fault)
            yield* setting.time.pass("70 seconds")
            return (yield* setting.why).data.movers.map(({ citations, drivers, id, status }) => ({
              id,
              status,
              drivers: drivers.map(({ kind }) => kind),
              urls: citations.map(({ url }) => url.replace(/:\d+\//, "/"))
            }))
          })
        )
      assert.deepStrictEqual(yield* told({ fault: "refuse" }), yield* told(null))
    })
  )
})

describe("a request", () => {
  it.live("waits for no feed and no model that never answers", () =>
    Effect.gen(function* () {
      const model = yield* modelServer(() => "hang")
      yield* inTime(
        (setting) =>
          Effect.gen(function* () {
            const { service, time } = setting
            const silent = [new URL(model.url).host]
            time.ignore(silent)
            yield* settle(setting)
            yield* setting.set(evidence, { fault: "hang" })
            time.ignore([...evidence.map((name) => `/${prefixOf(name)}/`), ...silent])
            yield* time.pass("6 minutes")
            const at = time.now()
            for (const path of ["/v1/why", "/v1/why/bitcoin", "/v1/why/litecoin"]) {
              // Time stands still: whoever waits for anything is never answered.
              const { took, value } = yield* timed(service.get(path))
              assert.strictEqual(value.status, 200)
              assert.isBelow(took, 1000, path)
            }
            assert.strictEqual(time.now(), at)
          }),
        { config: { ...quick, ...settingsFor("anthropic", model.url) } }
      )
    })
  )
})

const withModel = <A, E>(
  say: (asked: Asked) => Said,
  use: (setting: Setting, asked: () => number) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const model = yield* modelServer(say)
    return yield* inTime((setting) => use(setting, () => model.asked().length), {
      config: { ...quick, ...settingsFor("openai-compatible", model.url) }
    })
  })

/** What a model says that has nothing to add: the engine's sentences, those it may leave out left out. */
const faithful = ({ prompt }: Asked): Said => {
  const data: unknown = JSON.parse(/<data>\n(.*)\n<\/data>/s.exec(prompt)?.[1] ?? "")
  const said = ["headline", "sentences", "drivers", "verdict"].map((name) => [
    name,
    memberOf(data, ["explanation", name])
  ])
  return { text: JSON.stringify(Object.fromEntries(said), (name, value) => (name === "role" ? undefined : value)) }
}

const lie = (): Said => ({
  text: JSON.stringify({
    headline: "It rose because a whale bought everything",
    verdict: "coin_specific",
    sentences: [{ text: "It will rise 900% because Elon Musk said so.", citations: ["e1"] }],
    drivers: [{ kind: "whale", citations: ["e1"] }]
  })
})

describe("a language model", () => {
  it.live("that is honest is heard, marked as such, and not asked again for what it has said", () =>
    withModel(faithful, (setting, asked) =>
      Effect.gen(function* () {
        yield* setting.time.pass("40 seconds")
        const { data } = yield* setting.why
        const worded = data.movers.filter(({ engine }) => engine === "model")
        assert.isNotEmpty(worded)
        for (const mover of worded) assert.isNull(mover.fallback)
        for (const mover of data.movers) assertSound(mover, data.market)
        const before = asked()
        yield* setting.time.skip("10 minutes")
        yield* setting.time.pass("80 seconds")
        assert.isAtMost(asked(), before + 4)
        // Its words come and go with nothing revised: they are about the same.
        const after = (yield* setting.why).data.movers
        for (const { id, revised_at } of worded) {
          const again = after.find((mover) => mover.id === id)
          if (again?.engine === "model") assert.strictEqual(again.revised_at, revised_at, id)
        }
      })
    )
  )

  it.live("that hangs: the engine's words within the same latency, and a time-out as the reason", () =>
    Effect.gen(function* () {
      const model = yield* modelServer(() => "hang")
      yield* inTime(
        (setting) =>
          Effect.gen(function* () {
            setting.time.ignore([new URL(model.url).host])
            yield* setting.time.pass("30 seconds")
            const pending = yield* timed(setting.why)
            assert.isBelow(pending.took, 2000)
            assert.isNotEmpty(pending.value.data.movers)
            yield* setting.time.pass("9 minutes")
            const { data } = yield* setting.why
            assert.include(
              data.movers.map(({ fallback }) => fallback),
              "timeout"
            )
            assert.deepStrictEqual([...new Set(data.movers.map(({ engine }) => engine))], ["embedded"])
            // The figures do not wait for it either.
            assert.isAbove(Date.parse(data.as_of), setting.time.now() - 330_000)
          }),
        { config: { ...quick, ...settingsFor("anthropic", model.url) } }
      )
    })
  )

  it.live("that is down, lies or talks rubbish: the engine's words, and why", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [string, (asked: Asked) => Said]> = [
        ["provider_error", () => ({ status: 500, headers: {}, body: "{}" })],
        ["provider_error", () => ({ text: "Certainly! Here is" })],
        ["verification_failed", lie]
      ]
      for (const [fallback, say] of cases) {
        yield* withModel(say, (setting, asked) =>
          Effect.gen(function* () {
            yield* setting.time.pass("40 seconds")
            const { took, value } = yield* timed(setting.why)
            assert.isBelow(took, 2000)
            assert.isAbove(asked(), 0)
            const engines = new Set(value.data.movers.map(({ engine }) => engine))
            assert.deepStrictEqual([...engines], ["embedded"])
            const said = value.data.movers.map((mover) => mover.fallback)
            assert.include(said, fallback)
          })
        )
      }
    })
  )
})
