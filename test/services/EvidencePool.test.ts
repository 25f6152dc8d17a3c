import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { EvidenceItem } from "../../src/domain/Evidence.ts"
import { EvidencePool, isCovered } from "../../src/services/EvidencePool.ts"
import { catalog } from "../../src/sources/catalog/SourceCatalog.ts"
import { Announcements } from "../../src/sources/news/Announcements.ts"
import { DefiLlama } from "../../src/sources/news/DefiLlama.ts"
import { NewsFeeds } from "../../src/sources/news/NewsFeeds.ts"
import { atNoon, scripted, report } from "./scripted.ts"
import { rulesOf } from "../rulesOf.ts"

const item = (id: string, hoursAgo: number) => report(id, id, hoursAgo)

/** The pool over six feeds. `off`: the operator switched OKX, KuCoin and Bitget off. */
const setupWith = Effect.fnUntraced(function* (off: boolean) {
  yield* atNoon
  const feeds = {
    okx: yield* scripted<ReadonlyArray<EvidenceItem>>("OKX", "5 minutes"),
    kucoin: yield* scripted<ReadonlyArray<EvidenceItem>>("KuCoin", "5 minutes"),
    bitget: yield* scripted<ReadonlyArray<EvidenceItem>>("Bitget", "5 minutes"),
    bybit: yield* scripted<ReadonlyArray<EvidenceItem>>("Bybit", "5 minutes"),
    hacks: yield* scripted<ReadonlyArray<EvidenceItem>>("DefiLlama", "1 hour"),
    small: yield* scripted<ReadonlyArray<EvidenceItem>>("Small", "5 minutes")
  }
  for (const feed of Object.values(feeds)) feed.says([])
  const news = {
    url: "https://small.example",
    tier: "tier2" as const,
    items: feeds.small.feed,
    source: catalog.THE_BLOCK
  }
  const built = Effect.map(
    Layer.build(
      EvidencePool.layerNoDeps.pipe(
        Layer.provide([
          Announcements.layerTest({
            venues: [
              { source: catalog.OKX, announcements: { ...feeds.okx.feed, isOff: off } },
              { source: catalog.KUCOIN, announcements: { ...feeds.kucoin.feed, isOff: off } },
              { source: catalog.BITGET, announcements: { ...feeds.bitget.feed, isOff: off } },
              { source: catalog.BYBIT, announcements: feeds.bybit.feed }
            ]
          }),
          DefiLlama.layerTest({ hacks: feeds.hacks.feed }),
          NewsFeeds.layerTest({ feeds: [news] })
        ])
      )
    ),
    (context) => Context.get(context, EvidencePool).gathered
  )
  /** The pool, so long after the start. */
  const after = (duration: Duration.Input) =>
    Effect.gen(function* () {
      const gathered = yield* built
      // By less than any interval at a time, so that every refresh comes when it is due.
      for (let left = Duration.toMillis(Duration.fromInputUnsafe(duration)); left > 0; left -= 60_000) {
        yield* TestClock.adjust(Math.min(left, 60_000))
      }
      return { gathered, now: yield* gathered }
    })
  return { feeds, after }
})

const setup = setupWith(false)

const rule = rulesOf(it, setup)

describe("the pool of evidence", () => {
  rule("has the newest first, each item once, and nothing older than 96 hours", function* ({ after, feeds }) {
    feeds.okx.says([item("old", 97), item("b", 5), item("a", 5)])
    feeds.small.says([item("b", 5), item("new", 1)])
    const { now } = yield* after("1 second")
    assert.deepStrictEqual(
      now.items.map(({ id }) => id),
      ["new", "a", "b"]
    )
    assert.deepStrictEqual([now.sourcesOk, now.sourcesFailed, now.freshShare], [6, [], 1])
  })

  rule("counts a second-tier feed as searched, but not for whether enough was searched", function* ({ after, feeds }) {
    feeds.small.fails()
    const { now } = yield* after("1 second")
    assert.deepStrictEqual([now.sourcesOk, now.sourcesFailed, now.freshShare], [5, ["Small"], 1])
  })

  rule("is enough to say that nothing was found with three of five first tiers, not two", function* ({ after, feeds }) {
    feeds.okx.fails()
    feeds.kucoin.fails()
    const { gathered, now } = yield* after("1 second")
    assert.deepStrictEqual([now.freshShare, isCovered(now)], [0.6, true])
    feeds.bitget.fails()
    yield* TestClock.adjust("36 minutes")
    assert.isFalse(isCovered(yield* gathered))
  })

  rule("holds a feed that fails fresh for half an hour, and keeps what it said", function* ({ after, feeds }) {
    feeds.bybit.says([item("a", 1)])
    const { gathered } = yield* after("1 minute")
    feeds.bybit.fails()
    yield* TestClock.adjust("20 minutes")
    assert.strictEqual((yield* gathered).freshShare, 1)
    yield* TestClock.adjust("15 minutes")
    const now = yield* gathered
    assert.deepStrictEqual([now.freshShare, now.sourcesFailed], [0.8, ["Bybit"]])
    assert.lengthOf(now.items, 1)
  })

  rule("holds a record that is read every hour fresh all the hour", function* ({ after }) {
    const { gathered } = yield* after("1 minute")
    for (let minutes = 0; minutes < 150; minutes += 5) {
      for (let minute = 0; minute < 5; minute++) yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual((yield* gathered).sourcesFailed, [], `after ${minutes} minutes`)
    }
  })

  it.effect("neither searches nor misses what the operator switched off", () =>
    Effect.gen(function* () {
      const { after, feeds } = yield* setupWith(true)
      const { now } = yield* after("1 second")
      assert.deepStrictEqual([feeds.okx.asked(), feeds.bybit.asked()], [0, 1])
      assert.deepStrictEqual([now.sourcesOk, now.sourcesFailed, now.freshShare], [3, [], 1])
    })
  )

  rule("has no coverage when every feed fails", function* ({ after, feeds }) {
    for (const feed of Object.values(feeds)) feed.fails()
    const { now } = yield* after("1 minute")
    assert.deepStrictEqual([now.sourcesOk, now.freshShare, now.items], [0, 0, []])
    assert.lengthOf(now.sourcesFailed, 6)
  })
})
