// A mover for the tests of rewording, explained by the engine itself: a coin that fell after an exchange said it would delist it.
import { Context, DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { EvidenceItem } from "../../src/domain/Evidence.ts"
import type { Draft } from "../../src/services/RewordingDraft.ts"
import { Rewording, type RewordedExplanation } from "../../src/services/Rewording.ts"
import { LanguageModel } from "../../src/sources/LanguageModel.ts"
import { explain } from "../../src/why/Explain.ts"
import type { WhyInput } from "../../src/why/WhyInput.ts"
import { type Asked, modelServer, type Said, settingsFor } from "../sources/ModelServer.ts"
import { overHttp, whileTimePasses } from "../sources/ScriptedUpstream.ts"

/** When the tests' clock starts; the time of the explanation. */
export const AS_OF = Date.UTC(2026, 8, 13, 12)

const HOUR = 3_600_000

/** Hours from 48 before, flat until seven hours before, then falling. */
const hourly = (start: number, change: number) => ({
  start: DateTime.makeUnsafe(AS_OF - 48 * HOUR),
  stepMinutes: 60,
  price: Array.from({ length: 49 }, (_, hour) => {
    const fallen = Math.min(1, Math.max(0, (hour - 41) / 3))
    return start * (1 + (change / 100) * fallen + 0.0004 * ((hour * 7) % 5))
  })
})

/** An item about it, published so many hours before. */
export const item = (id: string, hoursBefore: number, rest: Partial<EvidenceItem>): EvidenceItem => ({
  id,
  type: "news",
  tier: "tier1",
  title: "",
  summary: "",
  url: `https://news.example/${id}`,
  publisher: "The Block",
  publishedAt: DateTime.makeUnsafe(AS_OF - hoursBefore * HOUR),
  firstSeenAt: DateTime.makeUnsafe(AS_OF - hoursBefore * HOUR + 60_000),
  precision: "instant",
  ...rest
})

export const delisting = item("okx-1", 6.8, {
  type: "exchange_announcement",
  tier: "primary",
  publisher: "OKX",
  url: "https://www.okx.com/help/delist-zephyra",
  title: "OKX will delist Zephyra (ZPH) spot pairs on September 20, 2026",
  summary: "Deposits of ZPH stop on September 15, 2026. Withdrawals stay open until December 20, 2026."
})

export const report = item("block-1", 6.2, {
  url: "https://www.theblock.co/post/zephyra-delisted",
  title: "OKX to delist Zephyra (ZPH) after liquidity review",
  summary: "The exchange removes three ZPH pairs. A spokesperson for Zephyra Labs declined to comment."
})

export const partnership = item("decrypt-1", 6.5, {
  publisher: "Decrypt",
  url: "https://decrypt.co/zephyra-partnership",
  title: "Zephyra (ZPH) partners with Northgate Bank on settlement pilot",
  summary: "The pilot covers 12 branches and ends in November 2026."
})

/** What the engine is given. */
export const inputOf = (changes: {
  readonly changePct?: number
  readonly coin?: string
  readonly evidence?: ReadonlyArray<EvidenceItem>
}): WhyInput => {
  const changePct = changes.changePct ?? -12.4
  return {
    asOf: DateTime.makeUnsafe(AS_OF),
    coin: {
      id: changes.coin ?? "zephyra",
      symbol: "ZPH",
      name: "Zephyra",
      rank: 140,
      categories: [],
      homepage: "zephyra.example",
      marketCap: 210_000_000
    },
    move: {
      changePct,
      price: 1.87,
      volume24h: 64_000_000,
      volume7dAverage: 20_000_000,
      hourly: hourly(2.13, changePct)
    },
    market: {
      btcChange24h: -0.6,
      ethChange24h: -0.9,
      totalCapChange24h: -0.7,
      top100UpPct: 44,
      top100MedianChange24h: -0.5,
      betaVsBtc: 1.1,
      sectors: [],
      btcHourly: hourly(64_000, -0.6)
    },
    derivatives: null,
    evidence: changes.evidence ?? [delisting, report, partnership],
    coverage: {
      sourcesOk: 12,
      sourcesFailed: [],
      freshShare: 1,
      windowHours: 96,
      url: "https://api.example/v1/sources"
    },
    figures: {
      publisher: "CoinGecko",
      coinUrl: "https://www.coingecko.com/en/coins/zephyra",
      marketUrl: "https://www.coingecko.com/en/global-charts",
      observedAt: DateTime.makeUnsafe(AS_OF - 60_000)
    }
  }
}

/** What the engine is given and what it makes of it. */
export const caseOf = (changes: Parameters<typeof inputOf>[0] = {}) => {
  const input = inputOf(changes)
  return { input, explained: explain(input) }
}

/** What an honest model says about it. */
export const good = {
  headline: "Zephyra falls 12.4% as OKX announces its delisting",
  sentences: [
    { text: "Zephyra (ZPH) is down 12.4% over 24 hours, against -0.6% for bitcoin.", citations: ["m2", "m1"] },
    { text: "OKX says it will delist Zephyra (ZPH) spot pairs on September 20, 2026.", citations: ["e1"] },
    { text: "The Block reports that the delisting follows a liquidity review.", citations: ["e2"] }
  ],
  drivers: [{ kind: "delisting", citations: ["e1", "e2"] }],
  verdict: "coin_specific"
} as const satisfies Draft

/** Rewording over a model server that says this, one text for all or one by one. */
export const rewordingOver = Effect.fnUntraced(function* (
  say: (asked: Asked) => Said,
  settings: Readonly<Record<string, string>> = {},
  provider: "anthropic" | "openai-compatible" = "anthropic"
) {
  yield* TestClock.setTime(AS_OF)
  const server = yield* modelServer(say)
  const model = overHttp(LanguageModel.layerNoDeps, { ...settingsFor(provider, server.url), ...settings })
  const services = yield* Layer.build(Layer.fresh(Rewording.layerNoDeps).pipe(Layer.provide(model)))
  const { reword } = Context.get(services, Rewording)
  return {
    ...server,
    count: () => server.requests().length,
    /** Rewords, while time passes. */
    reword: (mover: ReturnType<typeof caseOf> = caseOf()) => whileTimePasses(reword(mover.input, mover.explained))
  }
})

/** A draft as a model says it. */
export const says = (draft: unknown): { readonly text: string } => ({ text: JSON.stringify(draft) })

/** The engine's own text, and why. */
export const embedded = (fallback: RewordedExplanation["fallback"], { explained } = caseOf()): RewordedExplanation => ({
  ...explained.explanation,
  engine: "embedded",
  fallback
})

/** Rewording over a model that is no server. */
export const over = (complete: LanguageModel["Service"]["complete"]) =>
  Effect.map(
    Layer.build(
      Layer.fresh(Rewording.layerNoDeps).pipe(
        Layer.provide(LanguageModel.layerTest({ provider: "anthropic", complete }))
      )
    ),
    (services) => Context.get(services, Rewording)
  )

/** A further report, by another publisher. */
export const later = item("later-1", 6.4, {
  publisher: "CoinDesk",
  url: "https://www.coindesk.com/zephyra-delisting",
  title: "OKX to delist Zephyra (ZPH) next week"
})
