// Links what a name alone does not: within the hours of a move, an item that tells what a sure report of the coin tells
// is of the same story. So a name that is also a word counts where its story does, and so does an item that names only what
// the story is about. On the blind set C this is worth 0.06 of recall, elsewhere a few citations.
import { rememberEach, rememberOf } from "../domain/rememberEach.ts"
import { link, type Link } from "./Linking.ts"
import { wording } from "./Lexicon.ts"
import type { Onset } from "./Onset.ts"
import type { PoolItem } from "./Pool.ts"
import { isCoin, masked } from "./Scanning.ts"
import { hoursAfter, MOVERS, scoreItem, type ScoredItem } from "./Scoring.ts"
import { type Content, contentOf, meansIn, sharedWith } from "./Statement.ts"
import type { WhyInput } from "./WhyInput.ts"

/** Hours around the onset in which a story is followed. */
const FROM = -6
const UNTIL = 12

const isNear = (delay: number): boolean => delay >= FROM && delay <= UNTIL

/** A report linked as surely as this carries the story. */
const SURE = 0.7

/** What an item must share with a sure report: one that has the coin's name, and one that has not. */
const SHARED_WITH_NAME = 2
const SHARED_WITHOUT = 4

const BY_NAME = 0.75
const BY_STORY = 0.6

/** The items of a coin, with those that belong to its story: scored again, or from the rest of the `window`. */
export const withStory = (
  scored: ReadonlyArray<ScoredItem>,
  window: ReadonlyArray<PoolItem>,
  input: WhyInput,
  onset: Onset
): ReadonlyArray<ScoredItem> => {
  const { coin } = input
  if (!onset.known) return scored
  const sure = scored
    .filter(({ delay, junk, link: own }) => own.strength >= SURE && !junk && isNear(delay))
    .map(({ entry }) => meansIn(contentFor(coin.id)(entry)))
  if (sure.length === 0) return scored
  const links = new Map(scored.map(({ entry, link: own }) => [entry, own]))
  const told = new Set(sure.flatMap((one) => [...one]))
  // A name is cut to five letters and in capitals; of these, four survive each inflection.
  const names = [...told].filter((one) => /^[A-Z]/.test(one)).map((name) => name.slice(0, 4).toLowerCase())
  const aName = new RegExp(names.map((name) => name.replaceAll(".", "\\.")).join("|") || "(?!)")
  const isCandidate = (entry: PoolItem): boolean => {
    const own = links.get(entry)
    if (!isNear(hoursAfter(onset, entry)) || (own?.strength ?? 0) >= SURE) return false
    if (own === undefined && !aName.test(entry.title.lower) && !aName.test(entry.summary.lower)) return false
    // Of a title that names another coin, that is the subject.
    if (entry.title.names.some(({ value }) => isCoin(value) && value.coinId !== coin.id)) return false
    return !wording.namesake(entry.summary.lower)
  }
  const more = window.filter(isCandidate).flatMap((entry): ReadonlyArray<ScoredItem> => {
    const byStory = linkByStory(entry, links.get(entry) ?? link(entry, coin), sure, coin.id)
    return byStory === null ? [] : [scoreItem(entry, input, onset, byStory)]
  })
  const again = new Set(more.map(({ entry }) => entry))
  return more.length === 0 ? scored : [...scored.filter(({ entry }) => !again.has(entry)), ...more]
}

/** What an item states: for the coin of this id, which it names, or with an empty id for any that it does not name. */
const contentFor = rememberEach(MOVERS, (coinId: string) =>
  rememberOf(
    ({ summary, title }: PoolItem): Content =>
      new Map([title, summary].flatMap((field) => [...contentOf(masked(field, coinId || null))]))
  )
)

const linkByStory = (
  entry: PoolItem,
  own: Link,
  sure: ReadonlyArray<ReadonlySet<string>>,
  coinId: string
): Link | null => {
  const isNamedIn = ({ names }: PoolItem["title"]): boolean =>
    names.some(({ value }) => value.coinId === coinId && value.role !== "venue")
  const inTitle = isNamedIn(entry.title)
  const isNamed = inTitle || isNamedIn(entry.summary)
  const content = contentFor(isNamed ? coinId : "")(entry)
  const isTold = (told: ReadonlySet<string>): boolean => {
    const { names, weight } = sharedWith(content, told)
    return isNamed ? weight >= SHARED_WITH_NAME : weight >= SHARED_WITHOUT && names > 0
  }
  return sure.some(isTold)
    ? {
        ...own,
        strength: isNamed ? BY_NAME : BY_STORY,
        inTitle,
        otherLeads: false,
        host: false,
        aside: false
      }
    : null
}
