// Cases of our own in the form of why-bench: real coins, invented wording, price paths from a seeded generator. Every
// title was written for these tests; none was published.
import { domainOfPublisher } from "../publisherDomains.ts"

/** Label, publisher, hours after the onset, title, summary; the type is news unless the label ends in `@type`. */
export type Line = readonly [
  label: string,
  publisher: string,
  hours: number,
  title: string,
  summary?: string,
  type?: string
]

export interface CaseSpec {
  readonly id: string
  readonly coin: readonly [id: string, symbol: string, name: string, category: string, homepage: string]
  readonly asOf: string
  readonly price: number
  readonly change: number
  readonly btc: number
  readonly median?: number
  readonly sector?: number
  readonly beta?: number
  /** Hours before `asOf` at which the move begins. */
  readonly onset: number
  readonly ramp?: boolean
  readonly volume?: readonly [day: number, average: number]
  readonly verdicts: ReadonlyArray<string>
  readonly kinds: ReadonlyArray<string>
  readonly lines: ReadonlyArray<Line>
}

const random = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}

const seedOf = (text: string): number =>
  [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7)

const HOUR = 3_600_000

const path = (last: number, change: number, onset: number, ramp: boolean, next: () => number): Array<number> => {
  const first = last / (1 + change / 100)
  return Array.from({ length: 49 }, (_, i) => {
    const into = i - (48 - onset)
    const share =
      into < 0 ? 0 : ramp ? Math.min(1, (into + 1) / (onset + 1)) : Math.min(1, [0.55, 0.8, 0.93, 1][into] ?? 1)
    const noise = i === 48 ? 0 : (next() - 0.5) * 0.006
    return Number((first * (1 + (change / 100) * share) * (1 + noise)).toPrecision(7))
  })
}

const noise = (spec: CaseSpec, next: () => number): ReadonlyArray<Line> => {
  const [, symbol, name] = spec.coin
  const all: ReadonlyArray<Line> = [
    [
      "spam_prediction",
      "CoinGape",
      -9,
      `${name} Price Prediction: Is ${symbol} Headed For A New Cycle High?`,
      `Our forecast for ${symbol} through 2030 looks at three scenarios.`
    ],
    [
      "spam_prediction",
      "Finbold",
      -14,
      `We asked four chatbots for the ${symbol} price on New Year's Day`,
      `The median forecast for ${name} would mean a gain of 40%.`
    ],
    [
      "technical_analysis",
      "AMBCrypto",
      -3,
      `${name} tests its 50-day moving average as momentum builds`,
      `The MACD histogram and RSI point to a decision for ${symbol}.`
    ],
    [
      "technical_analysis",
      "FXStreet",
      1,
      `${name} technical outlook: ${symbol} bulls defend a key level`,
      `A descending channel has capped ${symbol} for weeks.`
    ],
    [
      "listicle",
      "Benzinga",
      -6,
      `5 coins traders are watching into the weekend, from ${name} to Litecoin`,
      `Five names with catalysts.`
    ],
    ["listicle", "CryptoPotato", -20, `Weekly digest: majors drift, ${name} in focus`, `The main stories of the week.`],
    [
      "promo",
      "Bitcoinist",
      2,
      `Missed ${name}? This presale token could be the next 50x`,
      `Sponsored. Early investors are rotating out of ${symbol}.`
    ],
    [
      "promo",
      "ZyCrypto",
      -8,
      `${symbol} holders flock to new AI coin ahead of launch`,
      `Press release. Stage 4 of the presale is selling out.`
    ],
    [
      "context_market",
      "Investing.com",
      -12,
      `Bitcoin little changed as investors await data`,
      `The largest token traded in a narrow range.`
    ],
    [
      "price_report",
      "Watcher Guru",
      Math.max(1, spec.onset - 1),
      `${symbol} ${spec.change > 0 ? "up" : "down"} ${Math.abs(Math.round(spec.change))}% in 24 hours`,
      `${name} is among the day's biggest movers.`
    ],
    ["other_coin", "U.Today", 1, `Tezos community debates next protocol amendment`, `Bakers can vote until Friday.`]
  ]
  return all.filter(() => next() < 0.55)
}

/** The case with its gold answer. */
export const buildCase = (spec: CaseSpec): object => {
  const next = random(seedOf(spec.id))
  const [id, symbol, name, category, homepage] = spec.coin
  const asOf = Date.parse(spec.asOf)
  const onsetAt = asOf - spec.onset * HOUR
  const stamp = (millis: number): string => new Date(millis).toISOString().replace(".000Z", "Z")
  const median = spec.median ?? spec.btc
  const lines = [...spec.lines, ...noise(spec, next)]
    .map((line) => ({ line, order: next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ line }) => line)
  const evidence = lines.map(([, publisher, hours, title, summary, type], i) => ({
    id: `e${String(i + 1).padStart(2, "0")}`,
    type: type ?? "news",
    title,
    summary: summary ?? "",
    url: `https://www.${domainOfPublisher(publisher)}/${spec.id}-${i}`,
    publisher,
    published_at: stamp(Math.min(asOf, onsetAt + hours * HOUR))
  }))
  const labels = Object.fromEntries(lines.map(([label], i) => [evidence[i]?.id ?? "", label]))
  const proof = lines.flatMap(([label], i) =>
    label === "driver" || label === "driver_dup" ? [evidence[i]?.id ?? ""] : []
  )
  const [day, average] = spec.volume ?? [4e8, 1e8]
  const start = stamp(asOf - 48 * HOUR)
  const wide = spec.verdicts[0] === "market_wide"
  return {
    id: spec.id,
    input: {
      as_of: spec.asOf,
      coin: { id, symbol, name, market_cap_rank: 60, categories: [category], homepage },
      move: {
        window: "24h",
        change_pct: spec.change,
        price_usd: spec.price,
        volume_24h_usd: day,
        volume_7d_avg_usd: average,
        hourly: {
          start,
          step_minutes: 60,
          price: path(spec.price, spec.change, spec.onset, spec.ramp ?? false, next),
          volume_usd: []
        }
      },
      market: {
        btc_change_24h: spec.btc,
        eth_change_24h: median,
        total_cap_change_24h: median,
        top100_up_pct: median > 0 ? 70 : 30,
        top100_median_change_24h: median,
        beta_vs_btc_90d: spec.beta ?? 1.1,
        sectors: [{ id: category, change_24h: spec.sector ?? median }],
        btc_hourly: { start, step_minutes: 60, price: path(50_000, spec.btc, wide ? spec.onset : 24, !wide, next) }
      },
      evidence
    },
    gold: {
      verdict_ok: spec.verdicts,
      drivers:
        spec.kinds.length === 0
          ? []
          : [
              {
                kind: spec.kinds[0],
                kinds_ok: spec.kinds,
                evidence: proof,
                support: [],
                fact: "",
                direction: spec.change > 0 ? "up" : "down"
              }
            ],
      labels,
      onset_at: stamp(onsetAt)
    }
  }
}
