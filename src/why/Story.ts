// Links what a name alone does not: within the hours of a move, an item that tells what a sure report of the coin tells
// is of the same story. So a name that is also a word counts where its story does, and so does an item that names only what
// the story is about. On the blind set C this is worth 0.06 of recall, elsewhere a few citations.
import type { Link } from "./Linking.ts"
import type { Onset } from "./Onset.ts"
import type { PoolItem } from "./Pool.ts"
import { isCoin, masked } from "./Scanning.ts"
import { scoreItem, type ScoredItem } from "./Scoring.ts"
import { type Content, contentOf, sharedNames, sharedWeight } from "./Statement.ts"
import type { WhyInput } from "./WhyInput.ts"

/** Hours around the onset in which a story is followed. */
const FROM = -6
const UNTIL = 12

/** A report linked as surely as this carries the story. */
const SURE = 0.7

/** What an item must share with a sure report: one that has the coin's name, and one that has not. */
const SHARED_WITH_NAME = 2
const SHARED_WITHOUT = 4

const BY_NAME = 0.75
const BY_STORY = 0.6

/** The items, those scored again that belong to the story of the coin. */
export const withStory = (
  scored: ReadonlyArray<ScoredItem>,
  input: WhyInput,
  onset: Onset
): ReadonlyArray<ScoredItem> => {
  const { coin } = input
  if (!onset.known) return scored
  const isNear = ({ delay }: ScoredItem): boolean => delay >= FROM && delay <= UNTIL
  const sure = scored
    .filter((one) => isNear(one) && one.link.strength >= SURE && !one.junk)
    .map(({ entry }) => contentIn(entry, coin.id))
  if (sure.length === 0) return scored
  return scored.map((one) => {
    if (!isNear(one) || one.link.strength >= SURE) return one
    const link = linkByStory(one, sure, coin.id)
    return link === null ? one : scoreItem(one.entry, input, onset, link)
  })
}

const contentIn = ({ scanned: { summary, title } }: PoolItem, coinId: string): Content =>
  new Map([...contentOf(masked(title, coinId)), ...contentOf(masked(summary, coinId))])

const linkByStory = (one: ScoredItem, sure: ReadonlyArray<Content>, coinId: string): Link | null => {
  const { summary, title } = one.entry.scanned
  // Another coin is its subject.
  if (title.names.some(({ value }) => isCoin(value) && value.coinId !== coinId)) return null
  const isNamedIn = ({ names }: typeof title): boolean =>
    names.some(({ value }) => value.coinId === coinId && value.role !== "venue")
  const inTitle = isNamedIn(title)
  const isNamed = inTitle || isNamedIn(summary)
  const content = isNamed ? contentIn(one.entry, coinId) : one.entry.content()
  const isTold = sure.some((other) =>
    isNamed
      ? sharedWeight(content, other) >= SHARED_WITH_NAME
      : sharedWeight(content, other) >= SHARED_WITHOUT && sharedNames(content, other) > 0
  )
  return isTold
    ? {
        ...one.link,
        strength: isNamed ? BY_NAME : BY_STORY,
        inTitle,
        otherLeads: false,
        host: false,
        aside: false,
        homonym: () => false
      }
    : null
}
