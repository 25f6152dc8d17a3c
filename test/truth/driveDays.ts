// Drives the service's pure code for rates by day: fiats, and the official naira.
import { type FxRates, STALE_DAYS } from "../../src/domain/FxRates.ts"
import { fxRates, officialRate } from "../../src/domain/PlausibleRates.ts"
import * as Rules from "../../src/services/judge/Rules.ts"
import type { Rules as RulesOf } from "../../src/services/judge/Judge.ts"
import { DAY } from "./Course.ts"
import type { DaySource } from "./DayScene.ts"
import { isRead, type Judged, judged, type Read, reading, timeOf } from "./judged.ts"
import type { Driven, Held, Row } from "./Scene.ts"

const dayOf = (t: number) => new Date(t).toISOString().slice(0, 10)

const driving = <R extends { readonly rate: number }>(
  rules: RulesOf<R>,
  sources: ReadonlyArray<DaySource>,
  read: (held: Held) => ReadonlyArray<Read<R>>
): Driven<Judged<R>> => {
  const judge = judged(rules, 7 * DAY)
  const readings = sources.map(({ every, name }) => reading(name, every, read, STALE_DAYS * DAY))
  return {
    start: judge.start,
    isUsable: (source, answer) => isRead(readings, source, answer),
    step: (state, held, now) => judge.step(state, judge.sourcesOf(held, readings), now),
    served: (state, now) =>
      new Map(
        judge
          .rowsAt(state, now)
          .map(([code, { observedAt, source, value }]) => [
            code,
            { value: value.rate, observedAt: observedAt.epochMilliseconds, source }
          ])
      ),
    saved: judge.saved,
    restored: judge.restored,
    recorded: judge.recorded
  }
}

const known = ({ rows }: Held): ReadonlyArray<Row & { readonly rate: number; readonly day: string }> =>
  rows.flatMap((row) => {
    const rate = row.figures["rate"] ?? null
    return rate === null ? [] : [{ ...row, rate, day: dayOf(row.at) }]
  })

const tableOf = (held: Held): FxRates | null => {
  const rows = known(held)
  const rates = Object.fromEntries([["USD", 1], ...rows.map(({ name, rate }) => [name, rate])])
  const observed = Object.fromEntries([["USD", dayOf(held.retrievedAt)], ...rows.map(({ day, name }) => [name, day])])
  return fxRates({ rates, observed }, { now: timeOf(held.retrievedAt) }).value
}

export const fiatsDriven = (sources: ReadonlyArray<DaySource>) =>
  driving(Rules.fx, sources, (held) => {
    const { observed = {}, rates = {} } = tableOf(held) ?? {}
    return Object.entries(rates).map(([key, rate]) => {
      const day = observed[key] ?? ""
      return { key, value: { rate, day }, at: Date.parse(day) }
    })
  })

export const officialDriven = (sources: ReadonlyArray<DaySource>) =>
  driving(Rules.official, sources, (held) =>
    known(held).flatMap(({ day: date, name: key, rate }) => {
      const { value } = officialRate({ rate, date }, { now: timeOf(held.retrievedAt) })
      return value === null ? [] : [{ key, value, at: Date.parse(date) }]
    })
  )
