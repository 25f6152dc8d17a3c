// `npm run why:fit`: fits the weights of `HeadlineModel` to the headlines beside this file and to the labelled items of
// the seen cases, and writes them. Multinomial logistic regression by AdaGrad, with a fixed order of examples, so that
// the same headlines always give the same weights.
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { featuresOf } from "../../../src/why/HeadlineModel.ts"
import { MASKS } from "../../../src/why/Lexicon.ts"
import { labelledTexts } from "./labelledTexts.ts"

/** A text that tells of no event (0), of good news (1) or of bad news (2), and how much it counts. */
export interface Example {
  readonly text: string
  readonly outlook: 0 | 1 | 2
  readonly weight: number
}

const EPOCHS = 30
const RATE = 0.5
const BIAS_RATE = 0.05
const DECAY = 1e-2

/** Features of fewer examples say nothing of new ones. */
const LEAST_EXAMPLES = 2

const headlines = (name: string, outlook: Example["outlook"]): ReadonlyArray<Example> =>
  readFileSync(new URL(`${name}.txt`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({
      text: line
        .replaceAll("COIN", MASKS.coin)
        .replaceAll("OTHER", MASKS.other)
        .replaceAll("EXCH", MASKS.exch)
        .toLowerCase(),
      outlook,
      weight: 1
    }))

/** Every labelled text. */
export const examples = (): ReadonlyArray<Example> => [
  ...headlines("none", 0),
  ...headlines("good", 1),
  ...headlines("bad", 2),
  ...labelledTexts()
]

/** The weights as `headlineModel.json` holds them. */
export const fit = (
  all: ReadonlyArray<Example>
): { readonly bias: ReadonlyArray<number>; readonly weights: string } => {
  const counts = new Map<string, number>()
  const featured = all.map((example) => ({ ...example, features: [...featuresOf(example.text)] }))
  for (const { features } of featured)
    for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const weights = new Map<string, Float64Array>()
  const squares = new Map<string, Float64Array>()
  for (const [feature, count] of counts)
    if (count >= LEAST_EXAMPLES) {
      weights.set(feature, new Float64Array(3))
      squares.set(feature, new Float64Array(3).fill(1e-2))
    }
  const bias = new Float64Array(3)
  const rows = featured.map(({ features, outlook, weight }) => ({
    known: features.filter((feature) => weights.has(feature)),
    outlook,
    weight
  }))
  let seed = 1
  const next = (): number => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const order = rows.map((row) => [next(), row] as const).toSorted(([a], [b]) => a - b)
    for (const [, { known, outlook, weight }] of order) {
      const scale = Math.sqrt(known.length + 1)
      const odds = [0, 1, 2].map(
        (k) => (bias[k] ?? 0) + known.reduce((sum, feature) => sum + (weights.get(feature)?.[k] ?? 0), 0) / scale
      )
      const most = Math.max(...odds)
      const shares = odds.map((one) => Math.exp(one - most))
      const sum = shares.reduce((a, b) => a + b, 0)
      for (let k = 0; k < 3; k++) {
        const error = ((shares[k] ?? 0) / sum - (outlook === k ? 1 : 0)) * weight
        bias[k] = (bias[k] ?? 0) - BIAS_RATE * error
        for (const feature of known) {
          const own = weights.get(feature) ?? bias
          const square = squares.get(feature) ?? bias
          const slope = error / scale + DECAY * (own[k] ?? 0)
          square[k] = (square[k] ?? 0) + slope * slope
          own[k] = (own[k] ?? 0) - (RATE * slope) / Math.sqrt(square[k] ?? 1)
        }
      }
    }
  }
  const against = (values: Float64Array): ReadonlyArray<number> =>
    [1, 2].map((k) => Math.round(100 * ((values[k] ?? 0) - (values[0] ?? 0))))
  return {
    bias: against(bias).map((one) => one / 100),
    weights: [...weights]
      .map(([feature, values]) => [feature, against(values)] as const)
      .filter(([, [good = 0, bad = 0]]) => Math.abs(good) + Math.abs(bad) >= 20)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([feature, [good, bad]]) => `${feature}:${good}|${bad}`)
      .join(" ")
  }
}

/** Where the weights are kept. */
export const modelFile = fileURLToPath(new URL("../../../src/why/data/headlineModel.json", import.meta.url))

const about =
  "Weights of HeadlineModel, in hundredths: `feature:good|bad`. Written by `npm run why:fit` from test/why/model; not edited by hand."

/** The file that holds them. */
export const modelText = (): string => `${JSON.stringify({ about, ...fit(examples()) }, null, 2)}\n`

if (import.meta.main) Effect.runSync(Effect.sync(() => writeFileSync(modelFile, modelText())))
