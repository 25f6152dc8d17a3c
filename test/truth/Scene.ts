// A scene is one part of a world that is observed and judged by itself: the coins, the fiats, the official naira, a P2P market.
import type { Confidence } from "../../src/domain/P2pRate.ts"
import type { Course } from "./Course.ts"
import type { Answer, Process, Source } from "./Process.ts"

export type { Row } from "./Process.ts"

/** The last answer of a source, as the service holds it. */
export interface Held extends Answer {
  /** By our clock. */
  readonly retrievedAt: number
  /** Whether its last poll failed. */
  readonly isFailing: boolean
}

/** By source. A source that has never answered is absent. */
export type HeldAnswers = ReadonlyMap<string, Held>

/** A figure that is served. */
export interface Figure {
  /** `null` if the service says that it does not know. */
  readonly value: number | null
  /** Epoch milliseconds, as stamped. */
  readonly observedAt: number
  readonly source: string
  /** Both sides, where the figure has them. */
  readonly sides?: { readonly buy: number; readonly sell: number }
  readonly confidence?: Confidence | undefined
}

export type Figures = ReadonlyMap<string, Figure>

/** The pure code of the service that a scene tries. A state is immutable. */
export interface Driven<S> {
  readonly start: S
  /** Whether a source's answer is used. One that is refused counts as a failed poll. */
  readonly isUsable: (source: string, answer: Held) => boolean
  /** Judges what is held at `now`, by our clock. */
  readonly step: (state: S, held: HeldAnswers, now: number) => S
  readonly served: (state: S, now: number) => Figures
  /** What is saved for a restart, as text, and the state that is read from it. */
  readonly saved: (state: S) => string
  readonly restored: (text: string) => S
  /** The state of a start that finds only the own record of what was served. */
  readonly recorded: (state: S) => S
}

/** What a figure may be at a time. */
export interface Expected {
  readonly truth: Course
  /** The times whose truth a figure of this stamp may have. */
  readonly times: (observedAt: number) => readonly [from: number, until: number]
  /** How far from the truth, as a share. */
  readonly tolerance: number
  /** How far if it is of high confidence; `undefined` for as far as any. */
  readonly sureTolerance?: number
  /** Another value that it may have. */
  readonly instead?: number
  /** Whether the sources can say it now. Then it may not be missing. */
  readonly isSupported: boolean
  /** The oldest stamp that may be served while it is supported. */
  readonly oldest: number
  /** Whether a source lies about it so much that no figure is sure. */
  readonly isDoubtful: boolean
}

export interface Scene<S> {
  readonly name: string
  readonly from: number
  readonly until: number
  /** Steps near the beginning and the end of a process, for how long after it, and the steps between. All in milliseconds. */
  readonly steps: { readonly near: number; readonly after: number; readonly between: number }
  /** How long a figure may be missing, or older than the oldest allowed, although its sources can say it. */
  readonly grace: number
  readonly processes: ReadonlyArray<Process>
  readonly sources: ReadonlyArray<Source>
  readonly driven: Driven<S>
  readonly figures: ReadonlyArray<string>
  readonly expected: (figure: string, t: number) => Expected
}

/** A scene of a seed. `isKept`: leaves processes out. */
export type SceneOf<S> = (seed: number, days: number, isKept?: (process: Process) => boolean) => Scene<S>
