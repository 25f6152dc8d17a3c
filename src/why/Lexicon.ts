// The word lists as tests of folded lower-case text. Each regular expression is compiled at its first use.
import junk from "./data/junk.json" with { type: "json" }
import kinds from "./data/kinds.json" with { type: "json" }
import language from "./data/language.json" with { type: "json" }
import routine from "./data/routine.json" with { type: "json" }
import sectors from "./data/sectors.json" with { type: "json" }
import type { EventKind } from "./Explanation.ts"
import { once } from "./Once.ts"

/** Whether a text fits any of a list of patterns. */
export type Test = (text: string) => boolean

const never: Test = () => false

const macros: Readonly<Record<string, string>> = kinds.macros

const expand = (pattern: string): string => {
  const expanded = pattern.replaceAll(/\{([A-Za-z]+)\}/g, (whole, name: string) => macros[name] ?? whole)
  return expanded === pattern ? pattern : expand(expanded)
}

/** The masks of the coin, of other coins and of exchanges; in the lists they are `@coin`, `@other`, `@exch`. */
export const MASKS = { coin: "xxcoin", other: "xxother", exch: "xxexch" } as const

const withMasks = (pattern: string): string =>
  pattern.replaceAll("@coin", MASKS.coin).replaceAll("@other", MASKS.other).replaceAll("@exch", MASKS.exch)

/**
 * One test for a list of patterns, with macros in braces and masks filled in; of no patterns, a test that always fails.
 */
export const matcher = (patterns: ReadonlyArray<string> | undefined): Test => {
  if (patterns === undefined || patterns.length === 0) return never
  const expression = once(() => new RegExp(patterns.map((pattern) => `(?:${withMasks(expand(pattern))})`).join("|")))
  return (text) => expression().test(text)
}

/** How a kind of event is recognised, and what it does. `direction`: 1 up, -1 down, 0 either; `weight`: 0 to 1. */
export interface KindRule {
  readonly kind: EventKind
  readonly direction: number
  readonly weight: number
  readonly phrase: string
  readonly consequence: boolean
  readonly scheduled: boolean
  readonly matches: Test
  readonly cancels: Test
  readonly requires: Test
  readonly strong: Test
  readonly weak: Test
  readonly up: Test
  readonly down: Test
  readonly downFirst: Test
  readonly upFirst: Test
  /** Words that are enough where the headline itself gives them as the reason for the move. */
  readonly loose: Test
  /** Whether the summary may tell which way it pushes, where the title only names the subject. */
  readonly toneInSummary: boolean
}

interface RawKind {
  readonly direction: number
  readonly weight: number
  readonly phrase: string
  readonly consequence?: boolean
  readonly scheduled?: boolean
  readonly patterns: ReadonlyArray<string>
  readonly cancel?: ReadonlyArray<string>
  readonly require?: ReadonlyArray<string>
  readonly strong?: ReadonlyArray<string>
  readonly weak?: ReadonlyArray<string>
  readonly up?: ReadonlyArray<string>
  readonly down?: ReadonlyArray<string>
  readonly downFirst?: ReadonlyArray<string>
  readonly upFirst?: ReadonlyArray<string>
  readonly loose?: ReadonlyArray<string>
  readonly toneInSummary?: boolean
}

const rawKinds: Readonly<Record<EventKind, RawKind>> = kinds.kinds

const kindNames: ReadonlyArray<EventKind> = [
  "exploit",
  "outage",
  "insolvency",
  "depeg",
  "delisting",
  "listing",
  "regulatory",
  "etf",
  "treasury",
  "funding",
  "partnership",
  "upgrade",
  "migration",
  "tokenomics",
  "token_unlock",
  "airdrop",
  "whale",
  "liquidations",
  "social",
  "leadership",
  "sector",
  "macro",
  "market"
]

/** The rules, in the order in which equally good kinds are preferred. */
export const kindRules: ReadonlyArray<KindRule> = kindNames.map((kind) => {
  const raw = rawKinds[kind]
  return {
    kind,
    direction: raw.direction,
    weight: raw.weight,
    phrase: raw.phrase,
    consequence: raw.consequence ?? false,
    scheduled: raw.scheduled ?? false,
    matches: matcher(raw.patterns),
    cancels: matcher(raw.cancel),
    requires: raw.require === undefined ? () => true : matcher(raw.require),
    strong: matcher(raw.strong),
    weak: matcher(raw.weak),
    up: matcher(raw.up),
    down: matcher(raw.down),
    downFirst: matcher(raw.downFirst),
    upFirst: matcher(raw.upFirst),
    loose: matcher(raw.loose),
    toneInSummary: raw.toneInSummary ?? false
  }
})

const rulesByKind: ReadonlyMap<EventKind, KindRule> = new Map(kindRules.map((rule) => [rule.kind, rule]))

/** The rule of a kind. */
export const ruleOf = (kind: EventKind): KindRule | undefined => rulesByKind.get(kind)

/** The words for a kind in a sentence. */
export const phraseOf = (kind: EventKind): string => rulesByKind.get(kind)?.phrase ?? "an event"

/** Whether a kind usually follows another event. */
export const isConsequence = (kind: EventKind): boolean => rulesByKind.get(kind)?.consequence ?? false

/** A verb of the price shortly after the coin. */
const priceVerb = (patterns: ReadonlyArray<string>): Test =>
  matcher(
    patterns.map(
      (pattern) =>
        `@coin(?:'s)?(?:\\W+(?:@coin|tokens?|coins?|prices?|native|shares?|network|dao|memecoin|crypto|more|than|over|as|much|nearly|almost|about|by|has|have|is|are|was|sharply|briefly|\\d+%|[\\d.]+|today)){0,4}\\W+${pattern}`
    )
  )

/** Tests of how a report is worded, whatever its kind. */
export const wording = {
  question: matcher(language.question),
  negation: matcher(language.negation),
  denial: matcher(language.denial),
  delay: matcher(language.delay),
  speculation: matcher(language.speculation),
  retrospective: matcher(language.retrospective),
  opinion: matcher(language.opinion),
  despite: matcher(language.despite),
  up: matcher(language.up),
  down: matcher(language.down),
  coinUp: priceVerb(language.up),
  coinDown: priceVerb(language.down),
  link: matcher(language.link),
  aside: matcher(language.aside),
  cryptoContext: matcher(language.cryptoContext),
  big: matcher(["\\b{BIG}\\b"])
}

const RISES = new RegExp(withMasks(`@coin.{0,60}?(?:${language.up.join("|")})(.*)$`))
const FALLS = new RegExp(withMasks(`@coin.{0,60}?(?:${language.down.join("|")})(.*)$`))
const CONNECTIVE =
  /\b(?:as|after|on|following|amid|upon|over|when|once|in wake of|in the wake of|with|in response to)\b(.*)$/

/** The reason that a headline gives for a move in this direction, "X falls as …"; `null` for none. */
export const saidReason = (title: string, sign: number): string | null => {
  const told = sign > 0 ? wording.coinUp(title) : wording.coinDown(title)
  if (!told || wording.despite(title)) return null
  const rest = (sign > 0 ? RISES : FALLS).exec(title)?.at(-1) ?? ""
  return CONNECTIVE.exec(rest)?.[1] ?? null
}

/** A noun that only follows the name of a coin or chain, at the start of the text. */
export const coinNoun = new RegExp(`^(?:'s)?\\s+(?:${language.coinNoun})\\b`)

/** A noun that only stands before the name of a project: "the lending protocol X". */
export const TRADE_NOUN_BEFORE =
  /\b(?:platform|protocol|lender|dex|blockchain|marketplace|memecoin|rollup|layer[- ]?[12]|l[12]|aggregator|sidechain|launchpad)\s$/i

/** Words after a name that only describes another project: "X rival Y", "X-like". */
export const ONLY_DESCRIBES =
  /^(?:'s)?[\s-]+(?:rivals?|competitors?|killers?|challengers?|clones?|copycats?|alternatives?|look-?alikes?|offshoots?|spin-?offs?|forks?|alum\w*|veterans?|style|like|esque)\b/

/** Words between another coin's name and the project that it only describes: "Ethereum layer 2 Arbitrum". */
export const MODIFIER =
  /^(?:'s)?(?:[\s-]+(?:layer|l2|l1|\d|scaling|based|rollup|sidechain|rival|killer|network|blockchain|chain|defi|dex|lending|liquid|staking|restaking|protocol|exchange|platform|memecoin|meme|token|coin|oracle|bridge|game|gaming|decentralized|nft|perp\w*|aggregator|native|backed|solution|project|ecosystem|money|market|yield|wallet|privacy|fork|largest|biggest|top|smart|contract))*[\s-]*(?:\(\w+\)\s*)?$/

/** Tests of what gives each kind of junk away. */
export const junkTests = {
  spam_prediction: matcher(junk.spam_prediction),
  technical_analysis: matcher(junk.technical_analysis),
  listicle: matcher(junk.listicle),
  promo: matcher(junk.promo),
  price_report: matcher(junk.price_report)
}

/** Tests of what happens every week. */
export const routineTests = { title: matcher(routine.title), summary: matcher(routine.summary) }

const sectorTests: ReadonlyMap<string, Test> = new Map(
  Object.entries(sectors.sectors).map(([id, patterns]) => [id, matcher(patterns)])
)

/** Whether a text is about the coins of a category. */
export const isAboutSector = (category: string, text: string): boolean => sectorTests.get(category)?.(text) ?? false
