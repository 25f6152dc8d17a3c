// Plays a scene: asks its sources when they are due, lets the service judge, and checks every figure after every step.
import { drawOf } from "./Draw.ts"
import { brokenBy } from "./invariants.ts"
import type { Note } from "./Tally.ts"
import { MINUTE } from "./Course.ts"
import { type Answer, isActive, type Process, told } from "./Process.ts"
import type { Figure, Figures, Held, HeldAnswers, Scene } from "./Scene.ts"

/** A broken invariant. */
export interface Broken {
  readonly scene: string
  readonly rule: string
  readonly figure: string
  readonly t: number
  readonly served: Figure | undefined
  readonly truth: number
  readonly held: HeldAnswers
  /** The processes that had begun. */
  readonly begun: ReadonlyArray<Process>
}

/** One step in so many is played in another order too. */
const REORDERED = 16

/** After our clock was wrong, what it did is held for so long. */
const CLOCK_MEMORY = 5 * MINUTE

/** Whether an older answer does not replace this one, as in a data set. */
const isNewer = (held: Held, at: number, now: number): boolean => held.at > at && held.retrievedAt <= now + MINUTE

/** An answer as it is held. One from the future is refused; one from the next minute is from now. */
const polled = (answer: Answer | undefined, now: number): Held | undefined =>
  answer === undefined || answer.at > now + MINUTE
    ? undefined
    : { ...answer, at: Math.min(answer.at, now), retrievedAt: now, isFailing: false }

/** Dense near edges of processes and while a true figure moves, sparse between them. */
function* timesOf<S>({ from, processes, steps, until }: Scene<S>): Generator<number> {
  const { after, between, near } = steps
  const edges = processes.flatMap((one) => [one.from, one.until]).sort((a, b) => a - b)
  const isMoving = (one: Process, t: number) =>
    one.bends !== undefined && isActive(one, t) && one.bends.by(t) !== one.bends.by(t + between)
  for (let t = from; t < until;) {
    yield t
    const isNear =
      edges.some((edge) => t >= edge - 2 * near && t < edge + after) || processes.some((one) => isMoving(one, t))
    const next = edges.find((edge) => edge - 2 * near > t) ?? Infinity
    t =
      isNear || t < from + after ? t + near : Math.min(t + between, Math.ceil((next - 2 * near - t) / near) * near + t)
  }
}

const reordered = (held: HeldAnswers): HeldAnswers => new Map([...held].toReversed())

/** The first figure that differs. */
const differing = (some: Figures, others: Figures): string | undefined =>
  [...new Set([...some.keys(), ...others.keys()])].find((key) => some.get(key)?.value !== others.get(key)?.value)

/** Plays the scene until an invariant is broken, or to its end. `note` sees every figure. */
export const simulate = <S>(scene: Scene<S>, seed: number, note: Note = () => {}): Broken | undefined => {
  const { driven, processes, sources } = scene
  const draw = drawOf(seed, scene.name, "order")
  const asked = sources.map((source) => ({ ...source, tells: told(source, processes), askedAt: -Infinity }))
  const held = new Map<string, Held>()
  const supportedSince = new Map<string, number>()
  let [state, before] = [driven.start, scene.from]
  for (const t of timesOf(scene)) {
    const now = t + processes.reduce((sum, one) => sum + (isActive(one, t) ? (one.clock ?? 0) : 0), 0)
    const isClockWrong = processes.some(
      ({ clock, from, until }) => clock !== undefined && from <= t && t < until + CLOCK_MEMORY
    )
    for (const source of asked) {
      if (t - source.askedAt < source.every) continue
      source.askedAt = t
      const last = held.get(source.name)
      const next = polled(source.tells(t), now)
      if (next === undefined || !driven.isUsable(source.name, next)) {
        if (last !== undefined) held.set(source.name, { ...last, isFailing: true })
      } else if (last === undefined || !isNewer(last, next.at, now)) held.set(source.name, next)
      else held.set(source.name, { ...last, retrievedAt: now, isFailing: false })
    }
    for (const one of processes) {
      if (one.isRestart !== true || before >= one.from || one.from > t) continue
      state = one.isStateLost === true ? driven.recorded(state) : driven.restored(driven.saved(state))
    }
    const next = driven.step(state, held, now)
    const served = driven.served(next, now)
    const broken = (rule: string, figure: string): Broken => ({
      scene: scene.name,
      rule,
      figure,
      t,
      served: served.get(figure),
      truth: scene.expected(figure, t).truth(t),
      held: new Map(held),
      begun: processes.filter((one) => one.from <= t)
    })
    if (draw.isOneIn(REORDERED)) {
      const figure = differing(served, driven.served(driven.step(state, reordered(held), now), now))

      if (figure !== undefined) return broken("the order of arrival changes nothing", figure)
    }
    for (const figure of scene.figures) {
      const expected = scene.expected(figure, t)
      if (!expected.isSupported || isClockWrong) supportedSince.delete(figure)
      else if (!supportedSince.has(figure)) supportedSince.set(figure, t)
      const moment = { t, now, supportedSince: supportedSince.get(figure), grace: scene.grace }
      note(served.get(figure), expected, t)
      const rule = brokenBy(served.get(figure), expected, moment)
      if (rule !== undefined) return broken(rule, figure)
    }
    ;[state, before] = [next, t]
  }
  return undefined
}
