// Frames: who does what to what, in classes of words (`Tokens`). "EXCHANGE STOP MARKET" is a delisting in any of its
// words. A frame is a row of slots; between two slots stand at most five other words of the same sentence, fewer or more
// where a sign between them says so: `+` none, `~` at most two, `…` at most ten. A slot is a class in capitals, a word in
// its base form, or several of them joined by `|`; `=word` is that very form.
import { rememberOf } from "../domain/rememberEach.ts"
import { type Token, tokenize } from "./Tokens.ts"

/** The numbers of the tests that a text fits. */
export type Framed = ReadonlySet<number>

/** Whether a text fits any of a list of frames. */
export type FramesTest = (text: Framed) => boolean

interface Slot {
  readonly names: ReadonlyArray<string>
  /** The most words between the slot before and this one. */
  readonly gap: number
}

const GAPS: Readonly<Record<string, number>> = { "+": 0, "~": 2, "…": 10 }
const GAP = 5

const parse = (frame: string): ReadonlyArray<Slot> => {
  const slots: Array<Slot> = []
  let gap = GAP
  for (const part of frame.split(" ")) {
    const sign = GAPS[part]
    if (sign !== undefined) gap = sign
    else {
      slots.push({ names: part.split("|"), gap })
      gap = GAP
    }
  }
  return slots
}

const fitsSlot = (token: Token, { names }: Slot): boolean => names.some((name) => token.names.has(name))

/** Whether the slots from the `n`th on fit the tokens from a place on. The first slot may be anywhere. */
const fits = (tokens: ReadonlyArray<Token>, slots: ReadonlyArray<Slot>, from = 0, n = 0): boolean => {
  const slot = slots[n]
  if (slot === undefined) return true
  const last = n === 0 ? tokens.length : from + slot.gap
  for (let at = from; at < tokens.length && at <= last; at++) {
    if (n > 0 && tokens[at - 1]?.ends === true) return false
    const token = tokens[at]
    if (token !== undefined && fitsSlot(token, slot) && fits(tokens, slots, at + 1, n + 1)) return true
  }
  return false
}

interface Frame {
  readonly test: number
  readonly slots: ReadonlyArray<Slot>
}

/** The frames of all tests, by what one of their slots may hold: a text is looked at once, not once for each frame. */
const bySlot = new Map<string, ReadonlyArray<Frame>>()

const slotNames = new Set<string>()

let tests = 0

/** The slot that the fewest texts fill: most name the coin or an exchange. */
const rarest = (slots: ReadonlyArray<Slot>): Slot | undefined =>
  slots
    .filter(({ names }) => !names.includes("COIN") && !names.includes("EXCH"))
    .toSorted((a, b) => a.names.length - b.names.length)[0] ?? slots[0]

/** The names of a token that slots ask for. */
const askedOf = rememberOf((token: Token) => [...token.names].filter((name) => slotNames.has(name)))

/**
 * Reads a text for its frames once; a hundred tests are made of each. Until V8 optimizes it, a loop over an iterator allocates
 * an object at each step, and an inner function one at each call: this was a fifth of all that a first run allocates.
 */
const framedIn = rememberOf((tokens: ReadonlyArray<Token>): Framed => {
  const names = new Set<string>()
  const fitting = new Set<number>()
  const addName = (name: string): void => void names.add(name)
  const isNamed = (name: string): boolean => names.has(name)
  const isFilled = (slot: Slot): boolean => slot.names.some(isNamed)
  const addFitting = ({ slots, test }: Frame): void => {
    if (!fitting.has(test) && slots.every(isFilled) && fits(tokens, slots)) fitting.add(test)
  }
  tokens.forEach((token) => askedOf(token).forEach(addName))
  names.forEach((name) => bySlot.get(name)?.forEach(addFitting))
  return fitting
})

export const framed = (text: string): Framed => framedIn(tokenize(text))

/** One test for a list of frames; of no frames, a test that always fails. */
export const framesTest = (frames: ReadonlyArray<string> = []): FramesTest => {
  if (frames.length === 0) return () => false
  const test = tests++
  for (const frame of frames) {
    const slots = parse(frame)
    for (const name of slots.flatMap(({ names }) => names)) slotNames.add(name)
    for (const name of rarest(slots)?.names ?? []) bySlot.set(name, [...(bySlot.get(name) ?? []), { test, slots }])
  }
  return (text) => text.has(test)
}
