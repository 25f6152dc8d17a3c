// What all judges believe, in one saved entry. With Redis the replica that has its lease writes it and the others adopt it, so that all
// believe the same. Without Redis it is saved for the next start. While Redis is away each replica has its own.
import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { loop } from "../../domain/loop.ts"
import * as SnapshotStore from "../../sources/dataset/SnapshotStore.ts"
import type { PassedOver } from "./Judge.ts"

/** A part of the entry, such as the state of one judge. */
export interface Part {
  /** The text to save. Read once after each change. */
  readonly text: () => string
  /** Takes over a saved text. It must not fail. */
  readonly adopt: (text: string) => Effect.Effect<void>
}

export interface JudgementsService {
  /** Adds a part by its unique name, and lets it adopt what is saved. Returns what to call after a change. */
  readonly join: (name: string, part: Part) => Effect.Effect<() => void>
  /** Notes the rows that a judge passes over now, instead of those before. */
  readonly note: (name: string, passedOver: ReadonlyArray<PassedOver>) => void
  /** The rows of the data set with this key that are passed over now. */
  readonly passedOverOf: (dataSet: string) => ReadonlyArray<PassedOver>
}

/** How often the entry is read, and written if something changed. */
const EVERY = Duration.seconds(10)

const NAME = "judgements"

/** The most bytes of the entry: some thousand rows, each with about 300. */
const MOST_BYTES = 8 * 1024 * 1024

/** The entry; by default nothing is saved. */
export const Judgements = Context.Reference<JudgementsService>("crypto-data-api/services/judge/Judgements", {
  defaultValue: () => ({ join: () => Effect.succeed(() => {}), note: () => {}, passedOverOf: () => [] })
})

const make = Effect.gen(function* () {
  const store = yield* SnapshotStore.make(NAME, {
    name: NAME,
    origin: NAME,
    schema: Schema.Record(Schema.String, Schema.String),
    most: MOST_BYTES
  })
  const parts = new Map<string, Part>()
  const passedOver = new Map<string, ReadonlyArray<PassedOver>>()
  const changed = new Set<string>()
  let texts: Readonly<Record<string, string>> = {}

  const look = Effect.fnUntraced(function* (wants: boolean) {
    const { found, turn } = yield* store.look(wants)
    if (typeof found === "string") return turn
    const news = Object.entries(found.value).filter(([name, text]) => texts[name] !== text)
    texts = found.value
    for (const [name, text] of news) {
      changed.delete(name)
      yield* parts.get(name)?.adopt(text) ?? Effect.void
    }
    return turn
  })
  // Parts that join at the same time wait for the same entry.
  const restored = yield* Effect.cached(look(false))

  const write = Effect.gen(function* () {
    const isChanged = changed.size > 0
    const news = [...changed].flatMap((name) => {
      const text = parts.get(name)?.text()
      return text === undefined ? [] : [[name, text]]
    })
    changed.clear()
    texts = { ...texts, ...Object.fromEntries(news) }
    const now = yield* DateTime.now
    const snapshot = { value: texts, source: NAME, observedAt: now, retrievedAt: now }
    yield* store.settle(isChanged ? snapshot : undefined, EVERY)
  })

  const round = Effect.gen(function* () {
    yield* restored
    if ((yield* look(true)) === "mine") yield* write
  })
  yield* Effect.forkScoped(loop("what is believed", EVERY, round))
  yield* Effect.addFinalizer(() => round)

  return {
    join: (name, part) =>
      Effect.gen(function* () {
        parts.set(name, part)
        yield* restored
        const text = texts[name]
        if (text !== undefined) yield* part.adopt(text)
        return () => void changed.add(name)
      }),
    note: (name, rows) => void passedOver.set(name, rows),
    passedOverOf: (key) => [...passedOver.values()].flat().filter(({ dataSet }) => dataSet === key)
  } satisfies JudgementsService
})

export const layer: Layer.Layer<never> = Layer.effect(Judgements, make)
