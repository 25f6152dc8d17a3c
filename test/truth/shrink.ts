// Finds the few processes that break an invariant: leaves out one after the other as long as the same rule is broken.
import type { Process } from "./Process.ts"
import type { Play } from "./scenes.ts"
import type { Broken } from "./simulate.ts"

const nameOf = ({ from, name }: Process): string => `${name} ${from}`

/** The same failure with as few processes as possible. */
export const shrink = (play: Play, seed: number, days: number, broken: Broken): Broken => {
  let smallest = broken
  // Those that begin later than the failure have no part in it.
  let kept = new Set(broken.begun.map(nameOf))
  for (const process of broken.begun) {
    const fewer = new Set([...kept].filter((name) => name !== nameOf(process)))
    const again = play(seed, days, (one) => fewer.has(nameOf(one)), broken.t + 1)
    if (again?.rule !== broken.rule || again.figure !== broken.figure) continue
    ;[smallest, kept] = [again, fewer]
  }
  return smallest
}
