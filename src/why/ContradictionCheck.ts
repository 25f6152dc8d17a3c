// The hole of a check by words: a claim made only of the source's own words, against what the source says. Three rules narrow it.
// A predicate that the source only takes back ("delayed approval", "was not behind it") may not be claimed plainly; one that it
// only leaves open ("odds of approval", "plans to launch") may not be claimed as done; and who did it to whom may not be swapped.
import vocabulary from "./data/verifierWords.json" with { type: "json" }
import { fold } from "./Text.ts"

const negators: ReadonlySet<string> = new Set(vocabulary.negators)
const irrealis: ReadonlySet<string> = new Set(vocabulary.irrealis)
const strong: ReadonlySet<string> = new Set(vocabulary.strong)
const common: ReadonlySet<string> = new Set([...vocabulary.common, ...vocabulary.stop])

interface Token {
  readonly word: string
  readonly capital: boolean
  /** Tokens of one clause share a number. */
  readonly clause: number
  readonly sentence: number
}

/** Words with their clause: sentences and what commas or conjunctions of contrast part. */
const tokensOf = (text: string): ReadonlyArray<Token> => {
  let clause = 0
  let sentence = 0
  return (fold(text).match(/[\p{L}\p{N}][\p{L}\p{N}'-]*|[.;:!?,]/gu) ?? []).flatMap((part): ReadonlyArray<Token> => {
    if (/^[.;:!?,]$/.test(part) || /^(?:but|although|though|however|whereas)$/i.test(part)) {
      clause += 1
      if (/^[.!?]$/.test(part)) sentence += 1
      return []
    }
    return [{ word: part.toLowerCase().replace(/'s$/, ""), capital: /^\p{Lu}/u.test(part), clause, sentence }]
  })
}

const LEMMAS: ReadonlyMap<string, string> = new Map([
  ["bought", "buy"],
  ["sold", "sell"],
  ["stole", "steal"],
  ["stolen", "steal"],
  ["froze", "freeze"],
  ["frozen", "freeze"],
  ["paid", "pay"],
  ["won", "win"],
  ["held", "hold"],
  ["built", "build"]
])

/** Events that a source must tell of, in one word or another, before a claim may. */
const EVENTS: ReadonlyArray<readonly [claimed: RegExp, told: RegExp]> = [
  [/^acqui(?:re|res|red|ring|sition)$/, /^(?:acqui|buy|bought|take|took|purchas|merg|combin)/],
  [
    /^de-?list/,
    /^(?:de-?list|remov|drop|ceas|pull|end|suspend|terminat|stop|halt|discontinu|ax|boot|goodbye|farewell|kick)/
  ],
  [/^arrest/, /^(?:arrest|detain|detention|custod|jail|captur|held|seiz)/],
  [/^convict/, /^(?:convict|guilty|sentenc|verdict)/],
  [/^(?:bankrupt|insolven)/, /^(?:bankrupt|insolven|chapter|receiver|liquidat|administrat)/],
  [/^hack/, /^(?:hack|exploit|attack|drain|steal|stole|theft|thief|thieves|breach|compromis|rob|heist|loot|siphon)/]
]

/** "approve", "approves", "approved" and "approval" are one. */
const stem = (word: string): string =>
  (LEMMAS.get(word) ?? word).replace(/(?:ings?|ations?|ments?|als?|ed|es|s|ers?|ors?|ions?|e)$/, "").slice(0, 6)

const REACH = 4

/** "was able to drain" says that it was done. */
const ABLE = new Set(["able", "managed", "moved", "began", "started", "used", "continued", "went", "according"])

const markedBefore = (tokens: ReadonlyArray<Token>, at: number, marks: ReadonlySet<string>): boolean =>
  tokens
    .slice(Math.max(0, at - REACH), at)
    .some(
      ({ word, clause }, i, near) =>
        clause === tokens[at]?.clause && marks.has(word) && !(word === "to" && ABLE.has(near[i - 1]?.word ?? ""))
    )

/** "approval delayed", "launch was postponed": taken back after the noun. */
const markedAfter = (tokens: ReadonlyArray<Token>, at: number, marks: ReadonlySet<string>): boolean =>
  tokens
    .slice(at + 1, at + 4)
    .some(({ word, clause }) => clause === tokens[at]?.clause && marks.has(word) && word !== "against" && word !== "to")

const isPredicate = (word: string): boolean =>
  /(?:ed|s|ing|al|ion|ment)$/.test(word) && word.length >= 5 && !common.has(word)

const IRREGULAR = new Set([
  "won",
  "lost",
  "took",
  "stole",
  "stolen",
  "sold",
  "bought",
  "began",
  "froze",
  "paid",
  "left",
  "quit",
  "held",
  "made",
  "gave",
  "ran",
  "built",
  "led",
  "put"
])

/** Predicates that are no verbs: "was not behind it". */
const STATES = new Set([
  "behind",
  "involved",
  "responsible",
  "affiliated",
  "related",
  "connected",
  "aware",
  "safe",
  "guilty",
  "true",
  "available",
  "decided",
  "allowed",
  "eligible",
  "solvent"
])

const isDone = (tokens: ReadonlyArray<Token>, at: number): boolean => {
  const word = tokens[at]?.word ?? ""
  return word.endsWith("ed") || IRREGULAR.has(word)
}

/** A predicate that the source only takes back or leaves open, claimed plainly. */
const polarityFault = (claim: ReadonlyArray<Token>, source: ReadonlyArray<Token>): string | null => {
  const takenBack = claim.some(({ word }) => negators.has(word))
  const leftOpen = claim.some(({ word }) => irrealis.has(word) && word !== "to" && word !== "set" && word !== "before")
  for (const [at, { word }] of claim.entries()) {
    if (negators.has(word) || (!isPredicate(word) && !IRREGULAR.has(word) && !STATES.has(word))) continue
    const places = [...source.entries()].filter(([, token]) => stem(token.word) === stem(word)).map(([place]) => place)
    if (places.length === 0) continue
    const backed = places.every(
      (place) => markedBefore(source, place, negators) || markedAfter(source, place, negators)
    )
    if (backed && !takenBack) return `the source takes "${word}" back`
    const negatedHere = claim
      .slice(Math.max(0, at - 3), at)
      .some((token) => token.word === "not" || token.word === "never" || token.word === "no")
    const negatedThere = places.some(
      (place) => markedBefore(source, place, negators) || markedAfter(source, place, negators)
    )
    if (negatedHere && !negatedThere) return `the source does not take "${word}" back`
    const open = places.every((place) => markedBefore(source, place, irrealis))
    if (open && isDone(claim, at) && !leftOpen && !takenBack) return `the source leaves "${word}" open`
  }
  return null
}

/** An actor of whom the source only says what it did not do, claimed to have acted. */
const actorFault = (claim: ReadonlyArray<Token>, source: ReadonlyArray<Token>): string | null => {
  if (claim.some(({ word }) => negators.has(word))) return null
  const verbAt = claim.findIndex(
    ({ word, capital }, i) => i > 0 && !capital && (/(?:ed|s)$/.test(word) || IRREGULAR.has(word)) && word.length > 3
  )
  if (verbAt < 1) return null
  const actors = claim.slice(0, verbAt).filter(({ capital, word }) => capital && !common.has(word))
  const verb = stem(claim[verbAt]?.word ?? "")
  const disowned = source.some(({ word }, i) => STATES.has(word) && markedBefore(source, i, negators))
  if (!disowned && !source.some(({ word }) => stem(word) === verb)) return null
  for (const { word } of actors) {
    const places = [...source.entries()].filter(([, token]) => token.word === word).map(([place]) => place)
    const denied = places.some((place) => isDeniedAfter(source, place))
    const acts = places.some(
      (place) => following(source, place, 3).some((token) => stem(token.word) === verb) && !isDeniedAfter(source, place)
    )
    if (denied && !acts) return `the source says what ${word} did not do`
  }
  return null
}

/** The tokens after a place, in its sentence, until another actor is named. */
const following = (tokens: ReadonlyArray<Token>, place: number, reach: number): ReadonlyArray<Token> => {
  const next = tokens.slice(place + 1, place + 1 + reach).filter(({ sentence }) => sentence === tokens[place]?.sentence)
  const other = next.findIndex(({ capital }, i) => i > 0 && capital)
  return other === -1 ? next : next.slice(0, other)
}

const isDeniedAfter = (tokens: ReadonlyArray<Token>, place: number): boolean =>
  following(tokens, place, 11).some(({ word }) => /^(?:not|no|never|denies|denied)$|n't$/.test(word))

interface Roles {
  readonly verb: string
  readonly agent: string
  readonly patient: string
}

const BE = new Set(["was", "were", "is", "are", "been", "being", "be", "gets", "got"])

/** Who did what to whom, where both are named: "A verbed B", "B was verbed by A". */
const rolesIn = (tokens: ReadonlyArray<Token>, verbs?: ReadonlySet<string>): ReadonlyArray<Roles> =>
  [...tokens.entries()].flatMap(([at, { word, clause, capital }]): ReadonlyArray<Roles> => {
    // In a headline every word has a capital: a verb is what the claim has for one.
    if (
      (capital && verbs?.has(stem(word)) !== true) ||
      word.length < 4 ||
      !(/(?:ed|s)$/.test(word) || IRREGULAR.has(word))
    )
      return []
    const before = tokens.slice(Math.max(0, at - 5), at).filter((token) => token.clause === clause)
    const after = tokens.slice(at + 1, at + 7).filter((token) => token.clause === clause)
    const isName = (token: Token): boolean => token.capital && !common.has(token.word)
    const last = before.findLastIndex(isName)
    const from = before.slice(0, last + 1).findLastIndex((token) => !isName(token)) + 1
    const first = after.findIndex(isName)
    const to = after.findIndex((token, i) => i > first && !isName(token))
    const left = before
      .slice(from, last + 1)
      .map((token) => token.word)
      .join(" ")
    const right =
      first === -1
        ? ""
        : after
            .slice(first, to === -1 ? undefined : to)
            .map((token) => token.word)
            .join(" ")
    if (last === -1 || left === "" || right === "" || left === right) return []
    const passive = before.slice(-2).some((token) => BE.has(token.word)) && after.some((token) => token.word === "by")
    return [
      passive ? { verb: stem(word), agent: right, patient: left } : { verb: stem(word), agent: left, patient: right }
    ]
  })

/** "led by X": who did it, where only that is told. */
const doersIn = (tokens: ReadonlyArray<Token>): ReadonlyArray<{ readonly verb: string; readonly doer: string }> =>
  tokens.flatMap(({ word }, at) => {
    const doer = tokens[at + 2]
    return isDone(tokens, at) && tokens[at + 1]?.word === "by" && doer?.capital === true && !common.has(doer.word)
      ? [{ verb: stem(word), doer: doer.word }]
      : []
  })

/** Whether a name may be the one who did it: after "by", or before the verb. */
const isDoerOf = (tokens: ReadonlyArray<Token>, at: number, verb: string): boolean =>
  tokens
    .slice(Math.max(0, at - 8), at)
    .some(({ word }, i, near) => stem(word) === verb && near.slice(i).some((next) => next.word === "by")) ||
  tokens
    .slice(at + 1, at + 4)
    .some(({ word }) => stem(word) === verb && !tokens.slice(at + 1, at + 6).some((next) => next.word === "by"))

/** "Finch" is "Marlow Finch". */
const isSame = (a: string, b: string): boolean => ` ${a} `.includes(` ${b} `) || ` ${b} `.includes(` ${a} `)

const roleFault = (claim: ReadonlyArray<Token>, source: ReadonlyArray<Token>): string | null => {
  const claimed = rolesIn(claim)
  const told = rolesIn(source, new Set(claimed.map(({ verb }) => verb)))
  const doers = doersIn(source)
  for (const { verb, doer } of doersIn(claim)) {
    const same = doers.filter((one) => one.verb === verb)
    if (same.length > 0 && !source.some(({ word }, i) => word === doer && isDoerOf(source, i, verb)))
      return `the source has it done by ${same[0]?.doer ?? "another"}`
  }
  for (const { verb, agent, patient } of claimed) {
    const same = told.filter((roles) => roles.verb === verb)
    const swapped = same.some((roles) => isSame(roles.agent, patient) && isSame(roles.patient, agent))
    if (swapped && !same.some((roles) => isSame(roles.agent, agent) && isSame(roles.patient, patient)))
      return `the source has ${patient} act on ${agent}`
  }
  return null
}

const strongFault = (claim: ReadonlyArray<Token>, source: ReadonlyArray<Token>): string | null => {
  const held = new Set(source.map(({ word }) => stem(word)))
  const raised = claim.find(({ word }) => strong.has(word) && !held.has(stem(word)))
  return raised === undefined ? null : `the source does not say "${raised.word}"`
}

const eventFault = (claim: ReadonlyArray<Token>, source: ReadonlyArray<Token>): string | null => {
  for (const [claimed, told] of EVENTS) {
    const said = claim.find(({ word }) => claimed.test(word))
    if (said !== undefined && !source.some(({ word }) => told.test(word)))
      return `the source does not say "${said.word}"`
  }
  return null
}

/** What a claim says against its source although its words are the source's; `null` when nothing is found. */
export const contradiction = (claim: string, source: string): string | null => {
  const said = tokensOf(claim.replaceAll(/[“"][^”"]*[”"]/g, " "))
  const held = tokensOf(source)
  return (
    polarityFault(said, held) ??
    actorFault(said, held) ??
    roleFault(said, held) ??
    strongFault(said, held) ??
    eventFault(said, held)
  )
}
