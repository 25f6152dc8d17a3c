// Everything that a process knows between its runs, as one value, and the steps from one value to the next. The steps
// are pure; the scheduler decides when they are taken. What is passed on to other processes is enough for any of them
// to go on from there.
import { type DateTime, Schema } from "effect"
import { make as makeSnapshot, type Snapshot } from "../domain/Snapshot.ts"
import { type Explanation, Market } from "../domain/Explanation.ts"
import { marketViewOf } from "./MarketView.ts"
import { type MoverCandidate, type MoversState, step } from "./Movers.ts"
import { dated, isRecent, LastExplanation, type MoverView } from "./MoverView.ts"
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
  /** When the next run is due, epoch milliseconds. */
  readonly nextAt: number
}

/** The state at a start: a run is due. */
export const initial: RunState = { list: new Map(), explanations: new Map(), shown: undefined, nextAt: 0 }

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

/** What is shown and remembered, as it is passed on. The movers are ids; `explanations` has what is shown of them. */
export const PassedRun = Schema.Struct({
  market: Market,
  movers: Schema.Array(Schema.String),
  list: Schema.Array(Schema.Tuple([Schema.String, Schema.NullOr(Schema.DateTimeUtcFromString)])),
  explanations: Schema.Array(LastExplanation),
  source: Schema.String,
  sourcesOk: Schema.Int,
  sourcesFailed: Schema.Array(Schema.String),
  freshShare: Schema.Finite
})

export type PassedRun = typeof PassedRun.Type

/** The state to pass on; `undefined` before the first run. Its times are those of the run and of its figures. */
export const passedOf = ({ explanations, list, shown }: RunState): Snapshot<PassedRun> | undefined => {
  if (shown === undefined) return undefined
  const { facts, run } = shown
  return makeSnapshot({
    source: "explanations",
    observedAt: facts.observedAt,
    retrievedAt: facts.asOf,
    value: {
      market: run.value.market,
      movers: run.value.movers.map(({ id }) => id),
      list: [...list],
      explanations: [...explanations.values()],
      source: facts.source,
      sourcesOk: facts.gathered.sourcesOk,
      sourcesFailed: facts.gathered.sourcesFailed,
      freshShare: facts.gathered.freshShare
    }
  })
}

/**
 * Takes over what another process shows and remembers. `own` are this process's facts, which tell of all other coins.
 */
export const takeOver = (state: RunState, passed: Snapshot<PassedRun>, own: RunFacts): RunState => {
  const { explanations, freshShare, list, market, movers, source, sourcesFailed, sourcesOk } = passed.value
  const byId = new Map(explanations.map((last) => [last.view.id, last]))
  const facts = {
    ...own,
    asOf: passed.retrievedAt,
    observedAt: passed.observedAt,
    source,
    gathered: { ...own.gathered, freshShare, sourcesFailed, sourcesOk }
  }
  return {
    ...state,
    list: new Map(list),
    explanations: byId,
    shown: shownOf(facts, { market, movers: movers.flatMap((id) => byId.get(id)?.view ?? []) })
  }
}
