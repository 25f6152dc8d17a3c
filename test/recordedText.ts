// A text as files of recorded answers have it.
import { createHash } from "node:crypto"

/** The last digits of a figure depend on the engine's logarithm. */
const FIGURE = /\d+\.\d+/g

const rounded = (figure: string): string =>
  figure.length > 13 ? String(Number(Number(figure).toPrecision(12))) : figure

/** Figures to twelve digits; of a text that is longer than `most` characters its beginning, and a hash of the whole. */
export const recordedText = (text: string, most: number): string => {
  const all = text.replaceAll(FIGURE, rounded)
  if (all.length <= most) return all
  return `${all.slice(0, most)} … ${all.length} characters, ${createHash("sha256").update(all).digest("base64url")}`
}
