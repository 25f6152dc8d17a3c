// What the tests of `/v1/why` share: a service in simulated time, and what must hold of whatever is said of a coin.
import { assert } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { Why, WhyOne } from "../../src/api/WhyApi.ts"
import { exchanges, RunningService } from "../RunningService.ts"
import * as SimulatedService from "../SimulatedService.ts"
import type { Simulated } from "../SimulatedService.ts"
import { type Parsed, read } from "./support.ts"

/** Noon of the first day of the script's three: the market has fallen at midnight, a coin is delisted at 03:00. */
export const AFTER_A_FALL = Date.UTC(2026, 10, 18, 12, 0, 30)

/** Sources that explanations do without, switched off so that hours pass quickly. */
export const unneeded = `QUIDAX,LUNO,BYBIT_P2P,BITGET_P2P,CBN,${exchanges}`

/** Everything that evidence comes from. */
export const evidence = ["OKX", "KUCOIN", "BITGET", "BYBIT", "DEFILLAMA", "NEWS"] as const

type Mover = Omit<Parsed<typeof WhyOne.Encoded>, "last_explanation" | "not_a_mover" | "as_of" | "market" | "disclaimer">
type Market = Parsed<typeof Why.Encoded>["market"]

/** A service that has just started, in time that the test moves. */
export interface Setting extends Simulated {
  readonly why: Effect.Effect<{
    readonly data: Parsed<typeof Why.Encoded>
    readonly text: string
    readonly source: string
    readonly updated: string
  }>
  readonly one: (id: string) => Effect.Effect<Parsed<typeof WhyOne.Encoded>>
}

/** Runs a test on a service of its own. */
export const inTime = <A, E>(
  use: (setting: Setting) => Effect.Effect<A, E>,
  options: Parameters<typeof SimulatedService.inTime>[1] = {}
) =>
  SimulatedService.inTime(
    (simulated) => {
      const served = <B, F>(effect: Effect.Effect<B, F, RunningService>) =>
        simulated.time.during(Effect.orDie(Effect.provideService(effect, RunningService, simulated.service)))
      return use({
        ...simulated,
        why: Effect.map(served(read("/v1/why", Why)), ({ answer, data, meta }) => ({
          data,
          text: answer.text,
          source: meta.source,
          updated: meta.updated
        })),
        one: (id) => Effect.map(served(read(`/v1/why/${id}`, WhyOne)), ({ data }) => data)
      })
    },
    { start: AFTER_A_FALL, ...options, config: { SOURCES_DISABLED: unneeded, ...options.config } }
  )

const numbers = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/\d+(?:[.,]\d+)*/g)].map(([found]) => Number(found.replaceAll(",", "")))

/** What the figures of a mover state, by the id of their citation. */
const figuresOf = (mover: Mover, market: Market): Readonly<Record<string, ReadonlyArray<number | null>>> => ({
  m1: [market.btc_change_24h, 24],
  m2: [mover.change_24h, mover.price_usd, mover.volume_ratio_7d, 24, 7],
  m3: [market.top100_median_change_24h, market.top100_up_pct, market.total_cap_change_24h, 100, 24]
})

const isNear = (stated: number, known: number | null): boolean =>
  known !== null && (Math.abs(stated - Math.abs(known)) <= 0.051 || Math.abs(stated / Math.abs(known) - 1) < 0.01)

/** What WHY.md says must hold of every explanation. */
export const assertSound = (mover: Mover, market: Market): void => {
  const ids = mover.citations.map(({ id }) => id)
  const numbered = new Map(mover.citations.map(({ id, n }) => [id, n]))
  const used = [
    ...mover.sentences.flatMap(({ citations }) => citations),
    ...mover.drivers.flatMap(({ citations }) => citations)
  ]
  assert.isNotEmpty(mover.sentences, mover.id)
  for (const { citations } of [...mover.sentences, ...mover.drivers]) assert.isNotEmpty(citations, mover.id)
  for (const { url } of mover.citations) assert.match(url, /^https?:\/\/\S+$/)
  assert.deepStrictEqual(ids, [...new Set(used)], `${mover.id}: cited in order of first use, all of them and no others`)
  assert.deepStrictEqual(
    mover.citations.map(({ n }) => n),
    ids.map((_, n) => n + 1)
  )
  const marked = mover.sentences
    .map(({ citations, text }) => `${text} ${citations.map((id) => `[${numbered.get(id)}]`).join("")}`)
    .join(" ")
  assert.strictEqual(mover.summary, marked)
  if (mover.status === "unexplained") assert.notInclude(JSON.stringify(mover.drivers), '"role":"cause"')
  if (["insufficient_coverage", "not_a_mover"].includes(mover.status)) {
    assert.isNull(mover.verdict)
    assert.isEmpty(mover.drivers)
  }
  const figures = figuresOf(mover, market)
  for (const { citations, text } of mover.sentences) {
    // The sector's median and the count of publishers searched are in no other member.
    if (citations.includes("m4") || citations.includes("c1")) continue
    const cited = mover.citations.filter(({ id }) => citations.includes(id))
    const titles = `${mover.name} ${mover.symbol} ${cited.map(({ publisher, title }) => `${title} ${publisher}`).join(" ")}`
    const known = [
      ...numbers(titles),
      ...citations.flatMap((id) => figures[id] ?? []),
      ...cited.flatMap(({ published_at }) => timesOf(published_at, mover.decomposition.onset_at))
    ]
    for (const stated of numbers(text)) {
      assert.isTrue(
        known.some((number) => isNear(stated, number)),
        `${mover.id}: ${stated} in "${text}"`
      )
    }
  }
}

/** The numbers in which a sentence may say when a report was published: by the clock, and beside the start of the move. */
const timesOf = (published: string, onset: string | null): ReadonlyArray<number> => {
  const clock = published.split(/\D+/).map(Number)
  const minutes = onset === null ? [] : [Math.abs(Date.parse(published) - Date.parse(onset)) / 60_000]
  return [...clock, ...minutes.flatMap((after) => [Math.round(after), Math.round(after / 60)])]
}

/** Lets time pass until a run has settled. */
export const settle = ({ time }: Setting) => time.pass(Duration.seconds(45))
