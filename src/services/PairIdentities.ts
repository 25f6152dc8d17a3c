// Which coin each pair is: saved for restarts, and shared by replicas.
import { Effect, Option, Schema } from "effect"
import { LONGEST_ID } from "../domain/CoinId.ts"
import { type Identities, isUnit } from "../domain/PairIdentity.ts"
import { MOST_IDENTITIES } from "../domain/SpotMarket.ts"
import { Judgements } from "./judge/Judgements.ts"

const Text = Schema.NonEmptyString.check(Schema.isMaxLength(LONGEST_ID))

/** The key of a pair, its coin's id, symbol and name, the unit, and since when no list has the coin. */
const Row = Schema.Tuple([
  Text,
  Text,
  Text,
  Text,
  Schema.Finite.check(Schema.makeFilter(isUnit)),
  Schema.NullOr(Schema.Finite)
])

const Saved = Schema.fromJsonString(Schema.Array(Schema.Unknown).check(Schema.isMaxLength(MOST_IDENTITIES)))

const rowsIn = Schema.decodeOption(Saved)
const decodeRow = Schema.decodeUnknownOption(Row)

const textOf = (identities: Identities): string =>
  JSON.stringify(
    Array.from(identities, ([key, { id, name, symbol, unit, unlistedSince }]): typeof Row.Type => [
      key,
      id,
      symbol,
      name,
      unit,
      unlistedSince
    ])
  )

/** The saved identities without those that cannot be read. */
const identitiesIn = (text: string): Identities =>
  new Map(
    Option.getOrElse(rowsIn(text), () => [])
      .flatMap((row) => Option.toArray(decodeRow(row)))
      .map(([key, id, symbol, name, unit, unlistedSince]) => [key, { id, symbol, name, unit, unlistedSince }])
  )

export const make = Effect.gen(function* () {
  let identities: Identities = new Map()
  let adopted = ""
  const changed = yield* (yield* Judgements).join("pairs", {
    text: () => textOf(identities),
    adopt: (text) =>
      Effect.sync(() => {
        if (text === adopted) return
        adopted = text
        identities = identitiesIn(text)
      })
  })
  return {
    current: (): Identities => identities,
    replace: (next: Identities): void => {
      if (next === identities) return
      identities = next
      changed()
    }
  }
})
