// Everything that a process keeps between its runs, as one value, and the steps from one value to the next. The steps
// are pure; the scheduler decides when they are taken.
import type { DateTime } from "effect"
import { make as makeSnapshot, type Snapshot } from "../domain/Snapshot.ts"
import type { Explanation, Market } from "../domain/Explanation.ts"
import { marketViewOf } from "./MarketView.ts"
import { type MoverCandidate, type MoversState, step } from "./Movers.ts"
import { dated, isRecent, type LastExplanation, type MoverView } from "./MoverView.ts"
import { areOldFigures, type RunFacts } from "./RunFacts.ts"

/** What is served: the movers by size of change, and the market. */
export interface WhyRun {
  readonly market: Market
  readonly movers: ReadonlyArray<MoverView>
}

/** What is served, and what it was explained from. */
export interface Shown {
  readonly facts: RunFacts
  /** Stamped with the time of the run, or of its figures where those are old. */
  readonly run: Snapshot<WhyRun>
}

export interface RunState {
  readonly list: MoversState
  /** The last explanation of each coin that is on the list or left it lately, by id. */
  readonly explanations: ReadonlyMap<string, LastExplanation>
  /** `undefined` before the first run. */
  readonly shown: Shown | undefined
}

/** The state at a start. */
export const initial: RunState = { list: new Map(), explanations: new Map(), shown: undefined }

/** Chooses the movers; returns their ids, by size of change. */
export const select = (
  state: RunState,
  candidates: ReadonlyArray<MoverCandidate>,
  now: DateTime.Utc
): readonly [ids: ReadonlyArray<string>, state: RunState] => {
  const next = step(state.list, candidates, now)
  return [next.movers.map(({ id }) => id), { ...state, list: next.state }]
}

/** Shows explanations, each with its dates. A later call for the same run replaces what the earlier one showed. */
export const show = (state: RunState, facts: RunFacts, explanations: ReadonlyArray<Explanation>): RunState => {
  const now = facts.asOf
  const before = [...state.explanations].filter(([, last]) => isRecent(last, now))
  const latest = explanations.map((explanation) => dated(explanation, state.explanations.get(explanation.id), now))
  return {
    ...state,
    explanations: new Map([...before, ...latest.map((last) => [last.view.id, last] as const)]),
    shown: shownOf(facts, { market: marketViewOf(facts, explanations), movers: latest.map(({ view }) => view) })
  }
}

const shownOf = (facts: RunFacts, value: WhyRun): Shown => ({
  facts,
  run: makeSnapshot({
    value,
    source: `${facts.source} + news feeds`,
    observedAt: areOldFigures(facts) ? facts.observedAt : facts.asOf,
    retrievedAt: facts.asOf
  })
})

/** The last explanation of a coin that is on the list or left it lately; else `null`. */
export const lastExplanationOf = ({ explanations }: RunState, id: string, now: DateTime.Utc): MoverView | null => {
  const last = explanations.get(id)
  return last !== undefined && isRecent(last, now) ? last.view : null
}
