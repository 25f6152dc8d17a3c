// Everything that a process keeps between its runs, as one value, and the steps from one value to the next. The steps
// are pure; the scheduler decides when they are taken. An explanation keeps its dates while its evidence stays the same, however the
// figures move; the other direction, or the same one after some hours off the list, is another move.
import { DateTime, Duration } from "effect"
import { make as makeSnapshot, type Snapshot } from "../domain/Snapshot.ts"
import type { Explanation, Market } from "../domain/Explanation.ts"
import { figuresOf } from "./Citations.ts"
import { areOldFigures, inputOf, type RunFacts } from "./RunFacts.ts"
import { signed } from "./Writing.ts"

/** The explanation of a mover, as `/v1/why` shows it. */
export interface MoverView extends Explanation {
  /** When this move was first explained; before it ever was, when it was first listed. */
  readonly first_explained_at: DateTime.Utc
  /** When its evidence, drivers, verdict or direction last changed; figures do not count. */
  readonly revised_at: DateTime.Utc
}

export interface LastExplanation {
  readonly view: MoverView
  /** `null` while too few feeds were fresh to explain the move. */
  readonly explainedSince: DateTime.Utc | null
  /** When the coin was last on the list. */
  readonly listedAt: DateTime.Utc
}

/** An explanation is remembered this long after its coin left the list. */
const REMEMBERED = Duration.hours(6)

/** Whether the coin is on the list or left it lately. */
const isRecent = ({ listedAt }: LastExplanation, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(listedAt, DateTime.subtractDuration(now, REMEMBERED))

/** Dates an explanation by the coin's explanation before it. */
const dated = (explanation: Explanation, before: LastExplanation | undefined, now: DateTime.Utc): LastExplanation => {
  const isSameMove = before !== undefined && isRecent(before, now) && before.view.direction === explanation.direction
  const same = isSameMove ? before : undefined
  const explainedSince = same?.explainedSince ?? (explanation.status === "insufficient_coverage" ? null : now)
  const first_explained_at = explainedSince ?? same?.view.first_explained_at ?? now
  const isRevised = same === undefined || evidenceOf(same.view) !== evidenceOf(explanation)
  const view = { ...explanation, first_explained_at, revised_at: isRevised ? now : same.view.revised_at }
  return { view, explainedSince, listedAt: now }
}

/** Two explanations differ if this does: the events that coincide with the move, and who reported them. */
const evidenceOf = ({ citations, direction, drivers, status }: Explanation): string => {
  const reports = citations.filter(({ type }) => type !== "market_data" && type !== "coverage")
  return JSON.stringify([status, direction, drivers.map(({ kind }) => kind), reports.map(({ url }) => url).toSorted()])
}

/** The market of a run. Its drivers are those of any mover that moved with it: all of them have the same. */
const marketViewOf = (facts: RunFacts, movers: ReadonlyArray<Explanation>): Market => {
  const bitcoin = facts.market.coins.byId.get("bitcoin")
  const input = bitcoin === undefined ? undefined : inputOf(bitcoin, facts, [])
  const btcChange = input?.market.btcChange24h ?? null
  const wide = movers.find(({ verdict }) => verdict === "market_wide")
  const drivers = wide?.drivers ?? []
  const cited = new Set(drivers.flatMap(({ citations }) => citations))
  const figures = input === undefined || btcChange === null ? [] : figuresOf(input).filter(({ id }) => id === "m1")
  const reports = (wide?.citations ?? []).filter(({ id }) => cited.has(id))
  return {
    summary: btcChange === null ? "" : `Bitcoin changed ${signed(btcChange)} over 24 hours. [1]`,
    btc_change_24h: btcChange,
    eth_change_24h: input?.market.ethChange24h ?? null,
    total_cap_change_24h: input?.market.totalCapChange24h ?? null,
    top100_median_change_24h: input?.market.top100MedianChange24h ?? null,
    top100_up_pct: input?.market.top100UpPct ?? null,
    drivers,
    citations: [...figures, ...reports].map((citation, at) => ({ ...citation, n: at + 1 }))
  }
}

/** What is served: the movers by size of change, and the market. */
export interface WhyRun {
  readonly market: Market
  readonly movers: ReadonlyArray<MoverView>
}

export interface Shown {
  readonly facts: RunFacts
  /** Stamped with the time of the run, or of its figures where those are old. */
  readonly run: Snapshot<WhyRun>
}

export interface RunState {
  /** The last explanation of each coin that is on the list or left it lately, by id. */
  readonly explanations: ReadonlyMap<string, LastExplanation>
  /** `undefined` before the first run. */
  readonly shown: Shown | undefined
}

export const initial: RunState = { explanations: new Map(), shown: undefined }

/** Shows explanations, each with its dates. */
export const show = (state: RunState, facts: RunFacts, explanations: ReadonlyArray<Explanation>): RunState => {
  const now = facts.asOf
  const before = [...state.explanations].filter(([, last]) => isRecent(last, now))
  const latest = explanations.map((explanation) => dated(explanation, state.explanations.get(explanation.id), now))
  const run = makeSnapshot({
    value: { market: marketViewOf(facts, explanations), movers: latest.map(({ view }) => view) },
    source: `${facts.source} + news feeds`,
    observedAt: areOldFigures(facts) ? facts.observedAt : now,
    retrievedAt: now
  })
  return {
    explanations: new Map([...before, ...latest.map((last) => [last.view.id, last] as const)]),
    shown: { facts, run }
  }
}

/** The last explanation of a coin that is on the list or left it lately; else `null`. */
export const lastExplanationOf = ({ explanations }: RunState, id: string, now: DateTime.Utc): MoverView | null => {
  const last = explanations.get(id)
  return last !== undefined && isRecent(last, now) ? last.view : null
}
