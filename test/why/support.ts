// Inputs for the engine's tests.
import { DateTime } from "effect"
import type { EvidenceItem } from "../../src/domain/Evidence.ts"
import type { PriceHistory } from "../../src/domain/PriceHistory.ts"
import { findOnset } from "../../src/why/Onset.ts"
import { readPool } from "../../src/why/Pool.ts"
import { scoreItem } from "../../src/why/Scoring.ts"
import type { MoverCoin, WhyInput } from "../../src/why/RunFacts.ts"

export const asOf = DateTime.makeUnsafe("2026-03-10T12:00:00Z")

const HOUR = 3_600_000

export const at = (hoursBefore: number): DateTime.Utc =>
  DateTime.makeUnsafe(DateTime.toEpochMillis(asOf) - hoursBefore * HOUR)

export const kadena: MoverCoin = {
  id: "kadena",
  symbol: "KDA",
  name: "Kadena",
  rank: 120,
  categories: ["layer-1"]
}

/** Quiet, then a move of `change` percent within two hours, six hours ago. */
export const jump = (change: number, last = 1): PriceHistory => ({
  id: "kadena",
  end: asOf,
  prices: Array.from({ length: 49 }, (_, i) => {
    const first = last / (1 + change / 100)
    const wobble = 1 + 0.001 * Math.sin(i * 2.1)
    return (i < 43 ? first : i === 43 ? (first + last) / 2 : last) * wobble
  })
})

export const flat: PriceHistory = {
  id: "bitcoin",
  end: asOf,
  prices: Array.from({ length: 49 }, (_, i) => 50_000 * (1 + 0.0005 * Math.sin(i)))
}

export const item = (fields: Partial<EvidenceItem> & { readonly title: string }): EvidenceItem => ({
  id: "a",
  type: "news",
  tier: "tier1",
  summary: "",
  url: "https://www.theblock.co/story",
  publisher: "The Block",
  publishedAt: at(4.5),
  firstSeenAt: at(4.4),
  precision: "instant",
  ...fields
})

export const inputFor = (fields: Partial<WhyInput> & { readonly change: number }): WhyInput => ({
  asOf,
  coin: kadena,
  move: { changePct: fields.change, price: 1, volume24h: 9e7, hourly: jump(fields.change) },
  market: {
    btcChange24h: 0.3,
    ethChange24h: 0.1,
    totalCapChange24h: 0.2,
    top100UpPct: 55,
    top100MedianChange24h: 0.4,
    betaVsBtc: 1.1,
    sectors: [{ id: "layer-1", change24h: 0.5, members: 40 }],
    btcHourly: flat
  },
  evidence: [],
  coverage: { sourcesOk: 12, sourcesFailed: [], freshShare: 1, url: "https://example.com/v1/sources" },
  figures: {
    publisher: "CoinGecko",
    coinUrl: "https://www.coingecko.com/en/coins/kadena",
    marketUrl: "https://www.coingecko.com/en/global-charts",
    observedAt: at(0.1)
  },
  ...fields
})

/** The best reading of a headline for a coin that moved this way. */
export const headlineScore = (
  title: string,
  sign: 1 | -1
): { readonly kind: string | null; readonly score: number } => {
  const input = inputFor({ change: 20 * sign, evidence: [item({ title })] })
  const onset = findOnset(asOf, sign, input.move.hourly)
  const best = readPool(input.evidence, [input.coin])
    .items.flatMap((entry) => scoreItem(entry, input, onset).report ?? [])
    .toSorted((a, b) => b.score - a.score)[0]
  return { kind: best?.kind ?? null, score: best?.score ?? 0 }
}
