// The progress of a long command, on standard error.
import { Effect } from "effect"
import { stderr } from "node:process"

/** Where progress is shown: lines that follow each other, or one line of a terminal that is written again and again. */
export const screen = {
  isTerminal: stderr.isTTY,
  write: (text: string): Effect.Effect<void> => Effect.sync(() => void stderr.write(text))
}

export type Screen = typeof screen

const WIDTH = 30

/** A bar with a text, which replaces the line of a terminal. */
export const barOf = (percent: number, text: string): string => {
  const full = Math.floor((percent * WIDTH) / 100)
  return `\r[${"#".repeat(full)}${".".repeat(WIDTH - full)}] ${text}\u001b[K`
}
