// The whole pipeline for one mover: figures and items in, an explanation out. Pure and deterministic; the clock is an argument.
import { DateTime } from "effect"
import { confidence } from "./Confidence.ts"
import { decompose, isSectorWide } from "./Decomposition.ts"
import type { Citation, Driver, Explanation, Level, Sentence, Status, Verdict, Watch } from "./Explanation.ts"
import { type Figure, figuresOf, volumeRatio } from "./Figures.ts"
import { type EventGroup, groupEvents } from "./Grouping.ts"
import { findOnset, type Onset } from "./Onset.ts"
import { type PoolItem, readPool } from "./Pool.ts"
import { type Candidate, judge, type Judged } from "./Scoring.ts"
import { clean, cut } from "./Text.ts"
import { decide } from "./Verdict.ts"
import { datedFacts } from "./Watch.ts"
import { marketCandidates, sectorCandidates } from "./WideEvents.ts"
import type { WhyInput } from "./WhyInput.ts"
import * as Writing from "./Writing.ts"

/** Below this share of fresh feeds nothing is explained. */
export const FRESH_SHARE = 0.6

/** An explanation with what a service needs beside it. */
export interface Explained {
  readonly explanation: Explanation
  /** Item ids behind the ids `e1`…; the others are figures. */
  readonly items: ReadonlyMap<string, string>
  /** Numbers that each figure citation states. */
  readonly figures: ReadonlyMap<string, Figure>
  /** Items that a model may be shown, the best first: on the coin or the market, in time, no junk. */
  readonly admitted: ReadonlyArray<{ readonly itemId: string; readonly kind: string | null; readonly score: number }>
}

const HOUR = 3_600_000

const iso = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis)).replace(/\.000Z$/, "Z")

/** Finite, at two decimals: what is shown of a part. */
const rounded = (value: number): number => (Number.isFinite(value) ? Math.round(value * 100) / 100 + 0 : 0)

const admittedOf = (
  judged: ReadonlyArray<Judged>,
  groups: ReadonlyArray<EventGroup>,
  onset: Onset,
  wide: ReadonlyArray<Candidate>
): Explained["admitted"] => {
  const chosen = groups.flatMap(({ reports, kind }) =>
    reports.map(({ entry, score }) => ({ itemId: entry.item.id, kind, score }))
  )
  const used = new Set(chosen.map(({ itemId }) => itemId))
  const rest = judged
    .filter(
      ({ entry, junk, routine, link }) =>
        !junk &&
        !routine &&
        !link.homonym &&
        link.strength >= 0.5 &&
        !link.otherLeads &&
        !used.has(entry.item.id) &&
        entry.at >= onset.at - 26 * HOUR
    )
    .map(({ entry, candidates }) => {
      const best = candidates.toSorted((a, b) => b.score - a.score)[0]
      return { itemId: entry.item.id, kind: best?.kind ?? null, score: best?.score ?? 0 }
    })
    .toSorted((a, b) => b.score - a.score || (a.itemId < b.itemId ? -1 : 1))
  const linked = new Set([...used, ...rest.map(({ itemId }) => itemId)])
  const market = wide
    .filter(({ entry, score }) => score >= 0.3 && !linked.has(entry.item.id))
    .map(({ entry, kind, score }) => ({ itemId: entry.item.id, kind, score }))
    .toSorted((a, b) => b.score - a.score || (a.itemId < b.itemId ? -1 : 1))
    .filter(({ itemId }, i, all) => all.findIndex((other) => other.itemId === itemId) === i)
  return [...chosen, ...rest, ...market]
}

/** Ids of items in order of first use. */
const numbering = (
  groups: ReadonlyArray<EventGroup>
): ReadonlyMap<string, { readonly id: string; readonly entry: PoolItem }> => {
  const ids = new Map<string, { readonly id: string; readonly entry: PoolItem }>()
  for (const { reports } of groups)
    for (const { entry } of reports)
      if (!ids.has(entry.item.id)) ids.set(entry.item.id, { id: `e${ids.size + 1}`, entry })
  return ids
}

const statusOf = (verdict: Verdict): Status => (verdict === "coin_specific" ? "explained" : verdict)

/** Explains one mover. `pool` may be read once for several movers of a run (`readPool`). */
export const explain = (
  input: WhyInput,
  pool: ReadonlyArray<PoolItem> = readPool(input.evidence, [input.coin])
): Explained => {
  const { asOf, coin, move, market } = input
  const sign = move.changePct >= 0 ? 1 : -1
  const parts = decompose(coin.id, move.changePct, market)
  const coinOnset = findOnset({ asOf, sign, hourly: move.hourly, btcHourly: market.btcHourly, beta: parts.beta })
  const wideOnset = findOnset({ asOf, sign, hourly: market.btcHourly ?? move.hourly, btcHourly: null, beta: 0 })
  const now = DateTime.toEpochMillis(asOf)
  const recent = pool.filter(({ at }) => at <= now && at >= now - Math.max(96, input.coverage.windowHours) * HOUR)
  const judged = recent.map((entry) => judge(entry, input, coinOnset))
  const coinGroups = groupEvents(judged.flatMap(({ candidates }) => candidates))
  const marketReports = marketCandidates(judged, input, wideOnset)
  const marketGroups = groupEvents(marketReports)
  const sectorId = parts.sectorId
  const sectorGroups = sectorId === null ? [] : groupEvents(sectorCandidates(judged, input, coinOnset, sectorId))
  const degraded = input.coverage.freshShare < FRESH_SHARE
  const verdict = decide(parts, {
    coin: coinGroups[0]?.score ?? 0,
    market: marketGroups[0]?.score ?? 0,
    sector: sectorGroups[0]?.score ?? 0
  })
  const wide = verdict === "market_wide" || verdict === "sector"
  const groups = degraded
    ? []
    : verdict === "coin_specific"
      ? coinGroups
      : verdict === "market_wide"
        ? marketGroups
        : verdict === "sector"
          ? sectorGroups
          : []
  const onset = verdict === "market_wide" ? wideOnset : coinOnset
  const search = { items: pool.length, publishers: new Set(pool.map(({ item }) => item.publisher)).size }
  const figures = figuresOf(input, parts, search)
  const ids = numbering(groups)
  const idsOf = (group: EventGroup): ReadonlyArray<string> =>
    group.reports.map(({ entry }) => ids.get(entry.item.id)?.id ?? "")

  const sectorChange = market.sectors.find(({ id }) => id === sectorId)?.change24h ?? null
  const lead = groups[0]
  const facts = groups
    .slice(0, 1)
    .flatMap(({ reports }) =>
      reports.flatMap(({ entry }) =>
        datedFacts(entry, asOf).map((fact) => ({ ...fact, id: ids.get(entry.item.id)?.id ?? "" }))
      )
    )
    .filter((fact, i, all) => all.findIndex(({ date }) => date === fact.date) === i)
    .slice(0, 2)
  const sentences: ReadonlyArray<Sentence> = [
    Writing.moveSentence(input),
    ...(degraded ? [Writing.degradedSentence()] : Writing.shareSentence(input, verdict, sectorChange)),
    ...groups.flatMap((group, i) => Writing.eventSentences(group, idsOf(group), i + 1, onset.known, wide)),
    ...(degraded || groups.length > 0 ? [] : Writing.noneSentences(input, search)),
    ...(groups.length > 0 ? Writing.liquidationSentence(input) : []),
    ...facts.slice(0, 1).map(({ quote, id }) => Writing.watchSentence(quote, id))
  ]

  const levelFor = (
    group: EventGroup
  ): { readonly level: Level; readonly score: number; readonly reasons: ReadonlyArray<string> } =>
    confidence({
      score: group.score,
      publishers: group.publishers,
      primary: group.reports.some(({ entry }) => entry.item.tier === "primary"),
      onTime: onset.known && onset.sharp && group.delay >= -1.5 && group.delay <= 8,
      share:
        verdict === "market_wide"
          ? parts.shareMarket
          : verdict === "sector"
            ? parts.shareMarket + parts.shareSector
            : parts.shareCoin,
      speculative: group.speculative,
      onlyTier2: group.reports.every(({ entry }) => entry.item.tier === "tier2"),
      degraded,
      contradicted: judged.some(({ candidates }) =>
        candidates.some(({ kind, sign: other, score }) => kind === group.kind && other === -group.sign && score >= 0.2)
      )
    })
  const drivers = groups.map((group, i): Driver => ({
    rank: i + 1,
    role: group.role,
    kind: group.kind,
    direction: group.sign >= 0 ? "up" : "down",
    summary: cut(clean(group.reports[0]?.entry.item.title ?? ""), 200),
    first_reported_at: iso(group.firstAt),
    minutes_after_onset: onset.known ? Math.round((group.firstAt - onset.at) / 60_000) : null,
    publishers: group.publishers,
    confidence: levelFor(group).level,
    citations: idsOf(group)
  }))
  const watch = facts.map(({ date, quote, id }): Watch => ({ date, text: quote, citations: [id] }))
  const order = [
    ...sentences.flatMap(({ citations }) => citations),
    ...drivers.flatMap(({ citations }) => citations),
    ...watch.flatMap(({ citations }) => citations)
  ]
  const entries = new Map([...ids.values()].map(({ id, entry }) => [id, entry] as const))
  const citations = [...new Set(order)].map((id, i) => citationOf(id, i + 1, entries, figures, input))
  const numbers = new Map(citations.map(({ id, n }) => [id, n] as const))
  const markers = (sentence: Sentence): string =>
    `${sentence.text} ${sentence.citations.map((id) => `[${numbers.get(id) ?? 0}]`).join("")}`
  const explanation: Explanation = {
    id: coin.id,
    symbol: clean(coin.symbol).toUpperCase(),
    name: clean(coin.name),
    rank: coin.rank,
    direction: sign > 0 ? "up" : "down",
    price_usd: move.price,
    change_24h: move.changePct,
    volume_24h_usd: move.volume24h,
    volume_ratio_7d: volumeRatio(input),
    status: degraded ? "insufficient_coverage" : statusOf(verdict),
    verdict: degraded ? null : verdict,
    headline: Writing.headlineOf(input, degraded ? null : verdict, lead),
    summary: sentences.map(markers).join(" "),
    sentences,
    drivers,
    watch,
    decomposition: {
      market: rounded(parts.market),
      sector: rounded(parts.sector),
      coin: rounded(parts.coin),
      beta: rounded(parts.beta),
      onset_at: onset.known ? iso(onset.at) : null,
      sharp: onset.sharp
    },
    confidence:
      lead === undefined
        ? unexplainedConfidence(degraded, verdict, parts.shareMarket + (isSectorWide(parts) ? parts.shareSector : 0))
        : levelFor(lead),
    citations,
    coverage: {
      items_considered: pool.length,
      items_linked: judged.filter(({ link, junk }) => link.strength > 0 && !junk).length,
      sources_ok: input.coverage.sourcesOk,
      sources_failed: input.coverage.sourcesFailed,
      window_hours: input.coverage.windowHours,
      newest_item_at: recent.length === 0 ? null : iso(recent.at(-1)?.at ?? 0)
    }
  }
  return {
    explanation,
    items: new Map([...ids].map(([itemId, { id }]) => [id, itemId] as const)),
    figures,
    admitted: admittedOf(judged, groups, coinOnset, marketReports)
  }
}

/** With no report the figures carry the answer: certain of what they are, silent on why. */
const unexplainedConfidence = (degraded: boolean, verdict: Verdict, share: number): Explanation["confidence"] => {
  if (degraded) return { level: "low", score: 0, reasons: ["some feeds are down"] }
  if (verdict === "unexplained") return { level: "low", score: 0.2, reasons: ["no report found"] }
  return {
    level: share >= 0.7 ? "medium" : "low",
    score: Math.round(50 * Math.min(1, share)) / 100,
    reasons: ["figures only"]
  }
}

const citationOf = (
  id: string,
  n: number,
  entries: ReadonlyMap<string, PoolItem>,
  figures: ReadonlyMap<string, Figure>,
  input: WhyInput
): Citation => {
  const entry = entries.get(id)
  if (entry !== undefined)
    return {
      n,
      id,
      type: entry.item.type,
      title: clean(entry.item.title),
      url: entry.item.url,
      publisher: clean(entry.item.publisher),
      published_at: iso(entry.at)
    }
  const figure = figures.get(id)
  return {
    n,
    id,
    type: figure?.type ?? "market_data",
    title: clean(figure?.title ?? id),
    url: figure?.url ?? input.figures.coinUrl,
    publisher: clean(figure?.publisher ?? input.figures.publisher),
    published_at: iso(DateTime.toEpochMillis(id === "c1" ? input.asOf : input.figures.observedAt))
  }
}
