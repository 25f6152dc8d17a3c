// Scenes of rates that are published for days: the fiats, and the official naira. A source publishes a table for a day, on that day or the
// next; the truth of a day is that of its noon.
import { changing, type Course, DAY, HOUR, product, wandering } from "./Course.ts"
import { type Draw, drawOf } from "./Draw.ts"
import * as faults from "./faults.ts"
import { type Bearable, bearable, type Fault, type Process, type Source } from "./Process.ts"
import type { Driven, Scene, SceneOf } from "./Scene.ts"
import { ofService, scheduled, startOf } from "./serviceProcesses.ts"

/** A source of rates by day. `publishes`: how long after the beginning of a day, UTC, it publishes it. */
export interface DaySource {
  readonly name: string
  readonly every: number
  readonly publishes: number
  readonly isAlsoAtWeekends?: true
  readonly codes: ReadonlyArray<string>
}

interface DayRates<S> {
  readonly name: string
  readonly sources: ReadonlyArray<DaySource>
  /** The usual rate of each code. */
  readonly usual: Readonly<Record<string, number>>
  readonly driven: Driven<S>
}

/** The maximum age of a rate. */
const OLDEST = 7 * DAY + HOUR

/** A jump is believed two newer days later, or when another source says it, with a weekend between. */
const BELIEVED_AFTER = 5 * DAY

/** Of a currency that floats on, the days of a weekend are a jump together. */
const FLOATING = 4.75 * DAY

const isWeekend = (day: number): boolean => [0, 6].includes(new Date(day).getUTCDay())

/** The newest day that a source has published. */
export const dayOf = (source: Pick<DaySource, "publishes" | "isAlsoAtWeekends">, t: number): number => {
  const day = Math.floor((t - source.publishes) / DAY) * DAY
  return isWeekend(day) && source.isAlsoAtWeekends !== true ? dayOf(source, t - DAY) : day
}

const NOON = 12 * HOUR

const sourceOf = (seed: number, source: DaySource, truth: (code: string) => Course): Source => {
  const rates = source.codes.map((code) => {
    const noise = wandering(drawOf(seed, source.name, code), 1, [5 * DAY, 0.001])
    return { code, rateOf: (day: number) => truth(code)(day + NOON) * noise(day) }
  })
  return {
    name: source.name,
    every: source.every,
    memory: source.every,
    tells: (t) => {
      const at = dayOf(source, t)
      return {
        at,
        rows: rates.map(({ code, rateOf }) => ({ name: code, of: code, at, figures: { rate: rateOf(at) } }))
      }
    }
  }
}

interface Wrong {
  readonly name: string
  readonly fault: Fault
  readonly mayBeFirst?: boolean
}

/** A lie is at least 7 % off: what is within 5 % is no contradiction. */
const wrong = (draw: Draw): Wrong => {
  const size = draw.one(1.07, 1.12, 1.2, 1.5, 10, 1000)
  const factor = draw.isOneIn(2) ? size : 1 / size
  const [scaled, mayBeFirst] = [faults.scaled(factor), true]
  return draw.one<() => Wrong>(
    () => ({ name: `rates × ${factor.toPrecision(3)}`, fault: scaled, mayBeFirst }),
    () => ({ name: `rates × ${factor.toPrecision(3)}`, fault: scaled, mayBeFirst }),
    () => ({ name: "rates upside down", fault: faults.upsideDown, mayBeFirst: true }),
    () => ({
      name: `rates × ${factor.toPrecision(3)} on every other day`,
      fault: faults.alternating(DAY, scaled, faults.all())
    }),
    () => ({
      name: `rates × ${factor.toPrecision(3)}, nulls between`,
      fault: faults.alternating(HOUR, scaled, faults.without)
    }),
    () => ({ name: "the page stands", fault: faults.frozen(false) }),
    () => ({ name: "the page stands", fault: faults.frozen(false) }),
    () => ({ name: "dated a day ahead", fault: faults.misdated(DAY) }),
    () => ({ name: "dated days late", fault: faults.misdated(-3 * DAY) }),
    () => ({ name: "silent", fault: faults.silent }),
    () => ({ name: "nulls", fault: faults.without })
  )()
}

export const dayScene =
  <S>({ driven, name, sources, usual }: DayRates<S>): SceneOf<S> =>
  (seed, days, isKept = () => true): Scene<S> => {
    const draw = drawOf(seed, name)
    const from = startOf(draw)
    const until = from + (days + 7) * DAY
    const codes = Object.keys(usual)
    const namesOf = (code: string) => sources.filter((one) => one.codes.includes(code)).map((one) => one.name)
    const shared = codes.filter((code) => namesOf(code).length > 1)
    const single = codes.filter((code) => namesOf(code).length === 1)

    const faulty = (draw: Draw, at: number): Process => {
      const { fault, mayBeFirst = false, name } = wrong(draw)
      const [{ name: source }] = [draw.one(sources[0] ?? EMPTY, ...sources.slice(1))]
      const of = draw.isOneIn(2) ? shared : draw.shuffled(shared).slice(0, 1)
      return {
        name: `${source}: ${name} (${of.join(", ")})`,
        from: at,
        until: at + draw.ofAnySize(HOUR, 8 * DAY),
        faults: { sources: [source], of: new Set(of), fault },
        mayBeFirst
      }
    }
    /** A rate that one source alone has: a lie is found out if it ends before the second newer day. */
    const briefly = (draw: Draw, at: number): Process => {
      const factor = draw.one(1.3, 0.7, 10, 0.1)
      const sources = single.slice(0, 1).flatMap(namesOf)
      const fault = draw.one(faults.scaled(factor), faults.alternating(HOUR, faults.scaled(factor), faults.without))
      const of = new Set(single)
      return {
        name: `${sources.join()}: rates × ${factor} (${single.join(", ")})`,
        from: at,
        until: at + 22 * HOUR,
        faults: { sources, of, fault }
      }
    }
    const changed = (draw: Draw, at: number): Process => {
      const of = draw.shuffled(codes).slice(0, 1)
      const day = Math.floor(at / DAY) * DAY
      const [factor, isFloating] = [draw.one(1.3, 1.4, 0.8, 2), draw.isOneIn(2)]
      const jump = changing(factor, day, day + HOUR)
      const days = isFloating ? 7 : 1
      const by = isFloating ? product([jump, changing(1.056 ** days, day + HOUR, day + days * DAY)]) : jump
      return {
        name: `${of.join()} truly × ${factor}${isFloating ? ", then × 1.056 a day" : ""}`,
        from: day,
        until: day + days * DAY,
        bends: { of, by },
        aloneUntil: day + (days + 5) * DAY
      }
    }
    const limits: ReadonlyArray<Bearable> = [{ of: codes, sources: new Set(sources.map((one) => one.name)), most: 1 }]
    const drawn = scheduled(draw, from + 2 * DAY, until, [
      [days * 0.5, faulty],
      [single.length > 0 ? 0.5 : 0, briefly],
      [0.8, (one, at) => changed(one, Math.min(at, from + 5 * DAY))],
      [2, ofService]
    ]).map((one) => (one.mayBeFirst === true && one.from === from + 2 * DAY ? { ...one, from } : one))
    const processes = bearable(drawn, limits, 13 * HOUR).filter(isKept)

    const truths = new Map(
      codes.map((code) => {
        const own = drawOf(seed, "truth", code)
        const base = (usual[code] ?? 1) * own.between(0.95, 1.05)
        const bends = processes.flatMap((one) => (one.bends?.of.includes(code) ? [one.bends.by] : []))
        return [code, product([wandering(own, base, [6 * DAY, 0.004], [40 * DAY, 0.01]), ...bends])] as const
      })
    )
    const truth = (code: string): Course => truths.get(code) ?? (() => Number.NaN)

    // A table with many wrong rows is refused as a whole.
    const isClean = (source: DaySource, t: number): boolean =>
      !processes.some(
        ({ faults, from, until }) =>
          faults?.sources.includes(source.name) === true && from <= t && t < until + source.every
      )
    /** How old a rate may be after a true change. */
    const behind = (code: string, t: number): number =>
      Math.max(
        0,
        ...processes.map(({ bends, from, until }) => {
          if (bends?.of.includes(code) !== true || t < from || t >= until + BELIEVED_AFTER) return 0
          return t < from + BELIEVED_AFTER ? OLDEST : FLOATING
        })
      )

    return {
      name,
      from,
      until,
      steps: { near: HOUR, after: HOUR, between: HOUR },
      grace: HOUR,
      processes,
      sources: sources.map((source) => sourceOf(seed, source, truth)),
      driven,
      figures: codes,
      expected: (code, t) => {
        const clean = sources.filter((one) => one.codes.includes(code) && isClean(one, t))
        const newest = Math.max(-Infinity, ...clean.map((one) => dayOf(one, t - one.every)))
        return {
          truth: truth(code),
          times: (observedAt) => [observedAt + NOON, observedAt + NOON],
          tolerance: 0.01,
          isSupported: clean.length > 0,
          oldest: Math.min(newest, t - behind(code, t)),
          isDoubtful: false
        }
      }
    }
  }

const EMPTY: DaySource = { name: "", every: HOUR, publishes: 0, codes: [] }
