// What happens to the service itself, and when processes of a scene begin.
import { HOUR, MINUTE } from "./Course.ts"
import type { Draw } from "./Draw.ts"
import type { Process } from "./Process.ts"

/** A restart, in which the state may be lost, or a clock that is wrong for a while. */
export const ofService = (draw: Draw, from: number): Process => {
  const isStateLost = draw.isOneIn(3)
  const name = isStateLost ? "restart with the record alone" : "restart"
  if (!draw.isOneIn(4)) return { name, from, until: from, isRestart: true, isStateLost }
  const clock = draw.one(-1, 1) * draw.one(30_000, 10 * MINUTE, HOUR, 26 * HOUR)
  const until = from + draw.ofAnySize(MINUTE, HOUR)
  return { name: `our clock is ${clock / 1000} s wrong`, from, until, clock, aloneUntil: until }
}

/** Draws processes, of each kind about so many, in random order. Some are there from the start. */
export const scheduled = (
  draw: Draw,
  from: number,
  until: number,
  kinds: ReadonlyArray<readonly [count: number, drawn: (draw: Draw, from: number) => Process]>
): ReadonlyArray<Process> =>
  draw.shuffled(
    kinds.flatMap(([count, drawn]) =>
      Array.from({ length: Math.floor(count) + (draw.share() < count % 1 ? 1 : 0) }, () => {
        const process = drawn(draw, draw.between(from + 20 * MINUTE, until - 20 * MINUTE))
        const isEarly = process.mayBeFirst === true && draw.isOneIn(6)
        return isEarly ? { ...process, from, until: process.until - process.from + from } : process
      })
    )
  )

/** When a scene begins: in a week of November 2026, on any day and hour. */
export const startOf = (draw: Draw): number => Date.UTC(2026, 10, 2) + draw.whole(0, 7 * 24 - 1) * HOUR
