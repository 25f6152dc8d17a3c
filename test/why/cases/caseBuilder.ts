// Cases of our own in the form of why-bench: real coins, invented wording, price paths from a seeded generator. Every
// title was written for these tests; none was published.
import { Schema } from "effect"
import { domainOfPublisher } from "../publisherDomains.ts"
import noiseFile from "./noise.json" with { type: "json" }

/** Label, publisher, hours after the onset, title, summary; the type is news unless a last element says another. */
const Line = Schema.Tuple([
  Schema.String,
  Schema.String,
  Schema.Finite,
  Schema.String,
  Schema.optionalKey(Schema.String),
  Schema.optionalKey(Schema.String)
])

const Noise = Schema.Tuple([Schema.String, Schema.String, Schema.NullOr(Schema.Finite), Schema.String, Schema.String])

const CaseSpec = Schema.Struct({
  id: Schema.String,
  /** Id, symbol, name, category, homepage. */
  coin: Schema.Tuple([Schema.String, Schema.String, Schema.String, Schema.String, Schema.String]),
  asOf: Schema.String,
  price: Schema.Finite,
  change: Schema.Finite,
  btc: Schema.Finite,
  median: Schema.optionalKey(Schema.Finite),
  sector: Schema.optionalKey(Schema.Finite),
  beta: Schema.optionalKey(Schema.Finite),
  /** Hours before `asOf` at which the move begins. */
  onset: Schema.Finite,
  ramp: Schema.optionalKey(Schema.Boolean),
  /** Of the day, and the average. */
  volume: Schema.optionalKey(Schema.Tuple([Schema.Finite, Schema.Finite])),
  verdicts: Schema.Array(Schema.String),
  kinds: Schema.Array(Schema.String),
  lines: Schema.Array(Line)
})

type CaseSpec = typeof CaseSpec.Type
type Line = typeof Line.Type

const around = Schema.decodeUnknownSync(Schema.Array(Noise))(noiseFile.lines)

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
  const words: Readonly<Record<string, string>> = {
    name,
    symbol,
    direction: spec.change > 0 ? "up" : "down",
    size: `${Math.abs(Math.round(spec.change))}`
  }
  const filled = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (all, word: string) => words[word] ?? all)
  return around
    .map(([label, publisher, hours, title, summary]): Line => [
      label,
      publisher,
      hours ?? Math.max(1, spec.onset - 1),
      filled(title),
      filled(summary)
    ])
    .filter(() => next() < 0.55)
}

/** The case with its gold answer. */
const buildCase = (spec: CaseSpec): object => {
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

const decode = Schema.decodeUnknownSync(Schema.Struct({ cases: Schema.Array(CaseSpec) }))

/** The cases of a file beside this one, each with its gold answer, in the form of a why-bench file. */
export const built = (file: unknown): { readonly cases: ReadonlyArray<object> } => ({
  cases: decode(file).cases.map(buildCase)
})
