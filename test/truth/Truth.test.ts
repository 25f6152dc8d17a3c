import { assert, describe, it } from "@effect/vitest"
import { isWhole } from "../isWhole.ts"
import { bookScene } from "./BookScene.ts"
import { MINUTE } from "./Course.ts"
import { fiatScene } from "./dayScenes.ts"
import { reportOf } from "./report.ts"
import { playing, scenes } from "./scenes.ts"
import type { Figures, HeldAnswers, SceneOf } from "./Scene.ts"
import { shrink } from "./shrink.ts"

/** The seeds of each scene, and those in full, so that each takes about as long; and how long a world lasts. */
const shares = {
  coins: [2, 32],
  fiats: [12, 96],
  official: [40, 320],
  market: [4, 64],
  money: [1, 16],
  liars: [1, 16]
} as const
const DAYS = 2

describe("a served figure is true, in time and there, whatever sources do within what the service bears", () => {
  for (const [name, [some, all]] of Object.entries(shares)) {
    it(`in simulated worlds: ${name}`, () => {
      const play = scenes.get(name) ?? assert.fail(`no scene ${name}`)
      for (let seed = 1; seed <= (isWhole ? all : some); seed++) {
        const broken = play(seed, DAYS)
        if (broken !== undefined) assert.fail(reportOf(seed, name, shrink(play, seed, DAYS, broken)).join("\n"))
      }
    })
  }
})

/** A service that serves whatever the first source says. */
const credulous: SceneOf<HeldAnswers> = (...inputs) => ({
  ...fiatScene(...inputs),
  driven: {
    start: new Map(),
    isUsable: () => true,
    step: (_, held) => new Map(held),
    served: (held): Figures =>
      new Map(
        (held.get("Frankfurter") ?? held.get("currency-api"))?.rows.map(({ at, figures, of }) => [
          of,
          { value: figures["rate"] ?? null, observedAt: at, source: "the first" }
        ])
      ),
    saved: () => "",
    restored: () => new Map(),
    recorded: () => new Map()
  }
})

describe("the simulation", () => {
  it("lets the only venue of a market lie twice at most before a true answer, because a third lie confirms the jump", () => {
    const lies = Array.from({ length: 200 }, (_, seed) => bookScene(seed, 7))
      .filter(({ sources }) => sources.length === 1)
      .flatMap(({ processes }) => {
        const own = processes.filter(({ name }) => name.includes("prices × 6")).toSorted((a, b) => a.from - b.from)
        return own.slice(1).map(({ from }, n) => from - (own[n]?.until ?? from))
      })
    assert.isAbove(lies.length, 100)
    assert.isAbove(Math.min(...lies), 5 * MINUTE)
  })

  const play = playing(credulous)
  const seeds = Array.from({ length: 30 }, (_, n) => n)
  const isWrong = (seed: number) => play(seed, 7)?.rule === "a figure is true at its time"

  it("finds a service that believes everything, and the one process that shows it", () => {
    const seed = seeds.find(isWrong) ?? assert.fail("not found")
    const broken = play(seed, 7) ?? assert.fail("not found again")
    const { begun } = shrink(play, seed, 7, broken)
    assert.strictEqual(begun.length, 1)
    assert.match(begun[0]?.name ?? "", /Frankfurter: rates/)
  })
})
