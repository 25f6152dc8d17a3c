import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import { Rewording } from "../../src/services/Rewording.ts"
import { LanguageModel } from "../../src/sources/LanguageModel.ts"
import { KEY, modelServer, refusal, type Said } from "../sources/ModelServer.ts"
import { overHttp } from "../sources/ScriptedUpstream.ts"
import {
  AS_OF,
  caseOf,
  delisting,
  embedded,
  good,
  item,
  partnership,
  report,
  rewordingOver,
  says
} from "./RewordingCase.ts"

/** Rewording over a model that is no server. */
const over = (complete: LanguageModel["Service"]["complete"]) =>
  Effect.map(
    Layer.build(
      Layer.fresh(Rewording.layerNoDeps).pipe(
        Layer.provide(LanguageModel.layerTest({ provider: "anthropic", complete }))
      )
    ),
    (services) => Context.get(services, Rewording)
  )

/** Never answers; counts who waits. */
const silence = () => {
  const count = { now: 0, most: 0, all: 0 }
  const complete = () =>
    Effect.suspend(() => {
      count.all += 1
      count.now += 1
      count.most = Math.max(count.most, count.now)
      return Effect.ensuring(
        Effect.never,
        Effect.sync(() => (count.now -= 1))
      )
    })
  return { count, complete }
}

const later = item("later-1", 6.4, {
  publisher: "CoinDesk",
  url: "https://www.coindesk.com/zephyra-delisting",
  title: "OKX to delist Zephyra (ZPH) next week"
})

describe("Rewording", () => {
  it.effect("without a model the embedded text is served and nothing is sent", () =>
    Effect.gen(function* () {
      const server = yield* modelServer(() => says(good))
      const off = overHttp(LanguageModel.layerNoDeps, { LLM_BASE_URL: server.url, LLM_API_KEY: KEY })
      const services = yield* Layer.build(Layer.fresh(Rewording.layerNoDeps).pipe(Layer.provide(off)))
      const { explained, input } = caseOf()
      assert.deepStrictEqual(yield* Context.get(services, Rewording).reword(input, explained), embedded(null))
      assert.strictEqual(server.requests().length, 0)
    })
  )

  for (const provider of ["anthropic", "openai-compatible"] as const) {
    it.effect(`an honest model's text is served, marked as the model's (${provider})`, () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(() => says(good), {}, provider)
        const text = yield* reword()
        assert.deepInclude(text, { engine: "model", fallback: null, headline: good.headline, verdict: "coin_specific" })
        assert.deepStrictEqual(text.sentences, good.sentences)
        assert.strictEqual(count(), 1)
      })
    )
  }

  it.effect("nothing is asked where nothing is explained", () =>
    Effect.gen(function* () {
      const { count, reword } = yield* rewordingOver(() => says(good))
      const { explained, input } = caseOf()
      const degraded = {
        input,
        explained: {
          ...explained,
          explanation: { ...explained.explanation, status: "insufficient_coverage", verdict: null } as const
        }
      }
      assert.deepStrictEqual(yield* reword(degraded), embedded(null, degraded))
      assert.strictEqual(count(), 0)
    })
  )

  describe("a repair", () => {
    const [figures, , review] = good.sentences
    const lie = { text: "OKX says it will delist Zephyra (ZPH) on September 27, 2026.", citations: ["e1"] }
    const bad = { ...good, sentences: [figures, lie] }

    it.effect("is asked for once, naming the checks that failed", () =>
      Effect.gen(function* () {
        const { asked, reword } = yield* rewordingOver(({ before }) => says(before === 0 ? bad : good))
        assert.strictEqual((yield* reword()).engine, "model")
        const [first, second, ...more] = asked()
        assert.deepStrictEqual(more, [])
        assert.include(second?.prompt, first?.prompt ?? "?")
        assert.match(
          second?.prompt ?? "",
          /These checks of it failed: \[\{"part":"sentence 2","failed":\[\{"check":"number"/
        )
      })
    )

    it.effect("that changes nothing ends in the embedded text, after two calls", () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(() => says(bad))
        assert.deepStrictEqual(yield* reword(), embedded("verification_failed"))
        assert.strictEqual(count(), 2)
      })
    )

    it.effect("that leaves one sentence of several wrong costs that sentence", () =>
      Effect.gen(function* () {
        const { reword } = yield* rewordingOver(() => says({ ...good, sentences: [figures, lie, review] }))
        const text = yield* reword()
        assert.strictEqual(text.engine, "model")
        assert.deepStrictEqual(text.sentences, [figures, review])
        assert.notInclude(text.summary, "27")
      })
    )

    it.effect("that does not come leaves the first answer without what failed in it", () =>
      Effect.gen(function* () {
        const { reword } = yield* rewordingOver(({ before }) =>
          before === 0 ? says({ ...good, sentences: [figures, lie, review] }) : refusal(500)
        )
        assert.deepStrictEqual((yield* reword()).sentences, [figures, review])
      })
    )
  })

  describe("what is known is not asked again", () => {
    it.effect("the same coin, verdict, evidence and change", () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(() => says(good))
        const first = yield* reword()
        yield* TestClock.adjust("5 hours")
        assert.deepStrictEqual(yield* reword(), first)
        assert.strictEqual(count(), 1)
      })
    )

    it.effect("items may have got other ids meanwhile", () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(() => says(good))
        const first = yield* reword()
        const { explained, input } = caseOf()
        const rename = (ids: ReadonlyArray<string>) => ids.map((id) => ({ e1: "e2", e2: "e1" })[id] ?? id)
        const { citations, drivers, sentences, watch } = explained.explanation
        const renamed = {
          input,
          explained: {
            ...explained,
            items: new Map([...explained.items].map(([id, itemId]) => [rename([id])[0] ?? id, itemId])),
            explanation: {
              ...explained.explanation,
              sentences: sentences.map((sentence) => ({ ...sentence, citations: rename(sentence.citations) })),
              drivers: drivers.map((driver) => ({ ...driver, citations: rename(driver.citations) })),
              watch: watch.map((fact) => ({ ...fact, citations: rename(fact.citations) })),
              citations: citations.map((citation) => ({ ...citation, id: rename([citation.id])[0] ?? "" }))
            }
          }
        }
        const second = yield* reword(renamed)
        assert.strictEqual(count(), 1)
        assert.strictEqual(second.summary, first.summary)
        assert.deepStrictEqual(
          second.citations.map(({ n, url }) => [n, url]),
          first.citations.map(({ n, url }) => [n, url])
        )
      })
    )

    it.effect("but a text whose figures are no longer true is not served", () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(() => says(good))
        yield* reword()
        const moved = caseOf({ changePct: -12.2 })
        assert.deepStrictEqual(yield* reword(moved), embedded("budget", moved))
        yield* TestClock.adjust("10 minutes")
        yield* reword(moved)
        assert.isAbove(count(), 1)
      })
    )

    it.effect("other evidence, another change, another coin are asked about", () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(() => says(good))
        const others = [
          caseOf(),
          caseOf({ evidence: [delisting, report, partnership, later] }),
          caseOf({ changePct: -14.1 }),
          caseOf({ coin: "zephyra-2" })
        ]
        let before = 0
        for (const other of others) {
          yield* reword(other)
          assert.isAbove(count(), before)
          before = count()
          yield* TestClock.adjust("10 minutes")
        }
      })
    )

    it.effect("what failed its verification is left alone for an hour", () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(() => says({ ...good, headline: "Buy Zephyra now" }))
        yield* reword()
        yield* TestClock.adjust("59 minutes")
        assert.deepStrictEqual(yield* reword(), embedded("verification_failed"))
        assert.strictEqual(count(), 2)
        yield* TestClock.adjust("1 minute")
        yield* reword()
        assert.strictEqual(count(), 4)
      })
    )
  })

  describe("limits", () => {
    it.effect("ten minutes between the calls about a coin, whatever is new about it", () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(() => says(good))
        yield* reword()
        const news = caseOf({ evidence: [delisting, report, partnership, later] })
        yield* TestClock.setTime(AS_OF + 9 * 60_000)
        assert.deepStrictEqual(yield* reword(news), embedded("budget", news))
        assert.strictEqual(count(), 1)
        // Other coins are other calls.
        yield* reword(caseOf({ coin: "zephyra-2" }))
        assert.strictEqual(count(), 2)
        yield* TestClock.setTime(AS_OF + 11 * 60_000)
        yield* reword(news)
        assert.isAbove(count(), 2)
      })
    )

    it.effect("a call that failed is told again until the next", () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(() => refusal(401))
        yield* reword()
        assert.deepStrictEqual(yield* reword(), embedded("provider_error"))
        assert.strictEqual(count(), 1)
      })
    )

    it.effect("two at a time", () =>
      Effect.gen(function* () {
        const { complete, count } = silence()
        const { reword } = yield* over(complete)
        const movers = Array.from({ length: 7 }, (_, n) => caseOf({ coin: `coin-${n}` }))
        const all = yield* Effect.forkChild(
          Effect.all(
            movers.map(({ explained, input }) => reword(input, explained)),
            { concurrency: "unbounded" }
          ),
          { startImmediately: true }
        )
        for (let round = 0; round < 4; round++) {
          assert.isUndefined(all.pollUnsafe())
          assert.strictEqual(count.all, Math.min(7, 2 * (round + 1)))
          yield* TestClock.adjust("45 seconds")
        }
        const texts = yield* Fiber.join(all)
        assert.isTrue(texts.every(({ fallback }) => fallback === "timeout"))
        assert.strictEqual(count.most, 2)
      })
    )

    it.effect("a coin that waits for its turn twice is asked about once", () =>
      Effect.gen(function* () {
        const { complete, count } = silence()
        const { reword } = yield* over(complete)
        const ask = (coin: string) => {
          const { explained, input } = caseOf({ coin })
          return Effect.forkChild(reword(input, explained), { startImmediately: true })
        }
        yield* Effect.all(["a", "b"].map(ask))
        const waiting = yield* Effect.all(["c", "c"].map(ask))
        assert.strictEqual(count.all, 2)
        yield* TestClock.adjust("45 seconds")
        assert.strictEqual(count.all, 3)
        yield* TestClock.adjust("45 seconds")
        const texts = yield* Effect.all(waiting.map(Fiber.join))
        assert.deepStrictEqual(
          texts.map(({ fallback }) => fallback),
          ["timeout", "budget"]
        )
      })
    )

    it.effect("45 seconds, and whoever asked is free again", () =>
      Effect.gen(function* () {
        const { complete, count } = silence()
        const { reword } = yield* over(complete)
        const { explained, input } = caseOf()
        const fiber = yield* Effect.forkChild(reword(input, explained), { startImmediately: true })
        yield* TestClock.adjust(44_999)
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(yield* Fiber.join(fiber), embedded("timeout"))
        assert.strictEqual(count.now, 0)
      })
    )

    it.effect("the day's tokens", () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(() => says(good), { LLM_DAILY_TOKENS: "100" })
        assert.deepStrictEqual(yield* reword(), embedded("budget"))
        assert.strictEqual(count(), 0)
      })
    )

    it.effect("a model that fails three times is left alone, and asked again by the next run", () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(({ before }) => (before < 3 ? refusal(403) : says(good)))
        const mover = (n: number) => caseOf({ coin: `coin-${n}` })
        for (let n = 0; n < 5; n++) {
          assert.deepStrictEqual(yield* reword(mover(n)), embedded("provider_error", mover(n)))
        }
        assert.strictEqual(count(), 3)
        yield* TestClock.adjust("5 minutes")
        assert.strictEqual((yield* reword(mover(4))).engine, "model")
      })
    )
  })

  it.effect("a fault of ours ends in the embedded text too", () =>
    Effect.gen(function* () {
      const { reword } = yield* over(() => Effect.die(new Error("a bug")))
      const { explained, input } = caseOf()
      assert.deepStrictEqual(yield* reword(input, explained), embedded("verification_failed"))
    })
  )

  it.effect("a fallback is told once, with its reason; the key and the model's words never", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.make((options) => {
        lines.push(`${options.logLevel} ${Logger.formatLogFmt.log(options)} ${inspect(options.message)}`)
      })
      const answers: ReadonlyArray<Said> = [
        refusal(401),
        refusal(401),
        says({ ...good, headline: `Buy Zephyra ${KEY}` }),
        says({ ...good, headline: "Buy Zephyra before others do" }),
        "hang"
      ]
      const run = Effect.gen(function* () {
        const { reword } = yield* rewordingOver(
          ({ prompt }) => answers[Number(/coin (\d)/.exec(prompt)?.[1] ?? "0")] ?? "reset"
        )
        for (let n = 0; n < answers.length; n++) {
          const { explained, input } = caseOf({ coin: `coin-${n}` })
          const explanation = { ...explained.explanation, name: `Zephyra coin ${n}` }
          const text = yield* reword({ input, explained: { ...explained, explanation } })
          assert.strictEqual(text.engine, "embedded")
        }
      })
      yield* run.pipe(Effect.provide(Logger.layer([logger])), Effect.provideService(References.MinimumLogLevel, "All"))
      const told = lines.filter((line) => line.includes("Rewording of"))
      assert.strictEqual(told.length, answers.length)
      assert.deepStrictEqual(
        told.map((line) => /^\w+/.exec(line)?.[0]),
        ["Warn", "Debug", "Debug", "Warn", "Warn"]
      )
      assert.notMatch(lines.join("\n"), new RegExp(`${KEY}|before others`))
    })
  )
})
