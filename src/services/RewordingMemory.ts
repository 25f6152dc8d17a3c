// What is remembered of rewording: the drafts that were accepted, by what they rest on, and when each coin was last asked about.
// Whoever goes on from here in another process is handed what it needs to ask no more than this one would have.
import { Schema } from "effect"
import type { Citation } from "../why/Explanation.ts"
import { Draft } from "./RewordingDraft.ts"
import type { RewordingMaterial } from "./RewordingMaterial.ts"

/** Why the engine's own text is shown although a model is configured. */
export const Fallback = Schema.Literals(["verification_failed", "timeout", "budget", "provider_error"])

/** {@link Fallback}. */
export type Fallback = typeof Fallback.Type

/** Drafts that are kept; the one longest unused goes first. */
const CAPACITY = 500

/** How long it is held to be no use to ask again about what failed its verification, in milliseconds. */
const FAILED_FOR = 3_600_000

/** As many drafts as are handed over, the ones used last; there are at most ten movers at a time. */
const HANDED_OVER = 50

/** A memory as it is handed over. Times are epoch milliseconds. */
export const Saved = Schema.Struct({
  drafts: Schema.Array(Schema.Struct({ key: Schema.String, draft: Schema.NullOr(Draft), at: Schema.Finite })),
  calls: Schema.Array(Schema.Struct({ coin: Schema.String, at: Schema.Finite, fallback: Fallback }))
})

/** Makes a memory in which calls about one coin are `spacing` milliseconds apart. */
export const make = (spacing: number) => {
  const drafts = new Map<string, { readonly draft: Draft | null; readonly at: number }>()
  const calls = new Map<string, { readonly at: number; readonly fallback: Fallback }>()

  const keep = (key: string, entry: { readonly draft: Draft | null; readonly at: number }) => {
    drafts.delete(key)
    drafts.set(key, entry)
    if (drafts.size > CAPACITY) for (const oldest of drafts.keys()) return void drafts.delete(oldest)
  }

  return {
    /** The draft for this material, in its ids; `null` if it failed its verification lately, `undefined` if there is none. */
    get: (material: RewordingMaterial, now: number): Draft | null | undefined => {
      const key = keyOf(material)
      const entry = drafts.get(key)
      if (entry === undefined) return undefined
      if (entry.draft === null) return now - entry.at < FAILED_FOR ? null : undefined
      keep(key, entry)
      const ids = new Map(material.sources.map(({ citation }) => [lasting(citation), citation.id]))
      return withIds(entry.draft, (id) => ids.get(id) ?? id)
    },
    /** Keeps a draft, or that there is none to be had. */
    keep: (material: RewordingMaterial, draft: Draft | null, now: number): void => {
      const ids = new Map(material.sources.map(({ citation }) => [citation.id, lasting(citation)]))
      keep(keyOf(material), { draft: draft === null ? null : withIds(draft, (id) => ids.get(id) ?? id), at: now })
    },
    /** A coin is being asked about. */
    called: (coin: string, now: number): void => {
      for (const [other, { at }] of calls) if (now - at >= spacing) calls.delete(other)
      calls.set(coin, { at: now, fallback: "budget" })
    },
    /** The last call about a coin came to this. */
    failed: (coin: string, fallback: Fallback): void => {
      const call = calls.get(coin)
      if (call !== undefined) calls.set(coin, { ...call, fallback })
    },
    /** The last call about a coin was not made after all. */
    forgetCall: (coin: string): void => void calls.delete(coin),
    /** Why a coin cannot be asked about now; `null` when it can. */
    spacedOut: (coin: string, now: number): Fallback | null => {
      const call = calls.get(coin)
      return call === undefined || now - call.at >= spacing ? null : call.fallback
    },
    /** What another process needs to go on. */
    saved: (): typeof Saved.Type => ({
      drafts: [...drafts].slice(-HANDED_OVER).map(([key, entry]) => ({ key, ...entry })),
      calls: [...calls].map(([coin, call]) => ({ coin, ...call }))
    }),
    /** Goes on from there; what is remembered already stays. */
    restore: (saved: typeof Saved.Type): void => {
      for (const { key, ...entry } of saved.drafts) keep(key, entry)
      for (const { coin, ...call } of saved.calls) calls.set(coin, call)
    }
  }
}

/** Coin, verdict, evidence, and the change in whole percent. */
const keyOf = ({ explanation, sources }: RewordingMaterial): string =>
  JSON.stringify([
    explanation.id,
    explanation.verdict,
    Math.round(explanation.change_24h),
    sources.flatMap(({ _tag, citation }) => (_tag === "Item" ? [lasting(citation)] : [])).toSorted()
  ])

/** Ids such as `e1` are of one explanation; this is the same in the next. */
const lasting = ({ title, type, url }: Omit<Citation, "n">): string => JSON.stringify([type, url, title])

const withIds = (draft: Draft, rename: (id: string) => string): Draft => ({
  ...draft,
  sentences: draft.sentences.map(({ citations, text }) => ({ text, citations: citations.map(rename) })),
  drivers: draft.drivers.map(({ citations, kind }) => ({ kind, citations: citations.map(rename) }))
})
