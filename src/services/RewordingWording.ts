// What a model is held to beyond the verifier: whatever a sentence says of causes, of the future or to its reader must be its
// source's own word, and addresses are only shown as citations. So an item that carries an instruction cannot speak through it.
import type { Sentence } from "../why/Explanation.ts"
import { fold } from "../why/Text.ts"
import type { FailedCheck } from "./RewordingDraft.ts"
import type { RewordingMaterial } from "./RewordingMaterial.ts"

const LOADED =
  /\b(?:because|due to|caus(?:es|ed|ing)|owing to|thanks to|driven by|drives?|drove|le(?:d|ads?|ading) to|result(?:s|ed|ing)? (?:in|of|from)|trigger(?:s|ed|ing)?|spark(?:s|ed|ing)|prompt(?:s|ed|ing)|fuel(?:s|l?ed|l?ing)|will|shall|likely|expected to|set to|poised|bound to|forecasts?|predict\w*|should|must|ought|buy(?:ing)?|sell(?:ing)?|hold on|avoid|opportunity|bargain|guarantee\w*)\b/gi

const TO_THE_READER = /\b(?:you|your|yours|readers?|dear)\b/i

/** A host, with or without a path; a handle. */
const ADDRESS = /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?![\p{L}\p{N}])|(?<!\p{L})@\w{2,}/gu

/** The wordings of a sentence that are not its sources' own. */
export const wordingFaults = (
  { context, explanation, sources }: RewordingMaterial,
  { citations, text }: Sentence
): ReadonlyArray<FailedCheck> => {
  const told = fold(citations.map((id) => context.sources.get(id)?.text ?? "").join("\n")).toLowerCase()
  const plain = fold(text).replaceAll(/"[^"]*"/g, " ")
  const loaded = (plain.toLowerCase().match(LOADED) ?? []).filter((word) => !told.includes(word))
  // Some projects and publications are called by an address.
  const names = new Set([explanation.name, ...sources.map(({ citation }) => citation.publisher)].map(lower))
  const addresses = (fold(text).match(ADDRESS) ?? []).filter((address) => !names.has(lower(address)))
  return [
    ...loaded.map((detail) => ({ check: "wording", detail })),
    ...(TO_THE_READER.test(plain) ? [{ check: "wording", detail: "speaks to the reader" }] : []),
    ...addresses.map((detail) => ({ check: "address", detail }))
  ]
}

const lower = (text: string) => text.toLowerCase()
