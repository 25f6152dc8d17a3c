// A text as files of recorded answers have it.
import { createHash } from "node:crypto"

/** Whether the last digits of a figure are these or others, the engine's logarithm decides. */
const LAST_DIGITS = /\d+\.\d{9,}/g

/** Figures to twelve digits; of a text that is longer than `most` characters its beginning, and a hash of the whole. */
export const recordedText = (text: string, most: number): string => {
  const rounded = text.replaceAll(LAST_DIGITS, (figure) => String(Number(Number(figure).toPrecision(12))))
  if (rounded.length <= most) return rounded
  const hash = createHash("sha256").update(rounded).digest("base64url")
  return `${rounded.slice(0, most)} … ${rounded.length} characters, ${hash}`
}
