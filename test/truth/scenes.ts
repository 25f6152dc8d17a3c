// The scenes of a world, and what is common to playing any of them.
import { bookScene } from "./BookScene.ts"
import { coinScene } from "./CoinScene.ts"
import { fiatScene, officialScene } from "./dayScenes.ts"
import { moneyScene } from "./MoneyScene.ts"
import type { Process } from "./Process.ts"
import type { SceneOf } from "./Scene.ts"
import type { Note } from "./Tally.ts"
import { type Broken, simulate } from "./simulate.ts"

/** Plays a scene of a seed, with the processes that are kept, until something is broken, or until a time. */
export type Play = (
  seed: number,
  days: number,
  isKept?: (process: Process) => boolean,
  until?: number,
  note?: Note
) => Broken | undefined

export const playing =
  <S>(sceneOf: SceneOf<S>): Play =>
  (seed, days, isKept, until = Infinity, note) => {
    const scene = sceneOf(seed, days, isKept)
    return simulate({ ...scene, until: Math.min(scene.until, until) }, seed, note)
  }

export const scenes: ReadonlyMap<string, Play> = new Map([
  ["coins", playing(coinScene)],
  ["fiats", playing(fiatScene)],
  ["official", playing(officialScene)],
  ["market", playing(bookScene)],
  ["money", playing(moneyScene("few"))],
  ["liars", playing(moneyScene("any"))]
])
