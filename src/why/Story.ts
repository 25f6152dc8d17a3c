// Links what a name alone does not: within the hours of a move, an item that tells what a sure report of the coin tells
// is of the same story. So a name that is also a word counts where its story does, and an item counts that names only who
// acts for the coin, or only what the story is about.
import { aliasesIn, withAliases } from "./Aliases.ts"
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

/** An item linked as surely as this may name who acts for the coin. */
const NAMES_OTHERS = 0.5

/** A report linked as surely as this carries the story. */
const SURE = 0.7

/** What an item must share with a sure report: one that has the coin's name, and one that has not. */
const SHARED_WITH_NAME = 2
const SHARED_WITHOUT = 4

const BY_NAME = 0.75
const BY_STORY = 0.6

/** The items, those scored again that belong to the story of the coin. */
export const withStory = (
  first: ReadonlyArray<ScoredItem>,
  input: WhyInput,
  onset: Onset
): ReadonlyArray<ScoredItem> => {
  const { coin } = input
  const isSure = ({ junk, link }: ScoredItem, least: number): boolean => link.strength >= least && !junk
  const aliases = aliasesIn(
    first.filter((one) => isSure(one, NAMES_OTHERS)).map(({ entry }) => entry),
    coin.id
  )
  const scored =
    aliases.length === 0
      ? first
      : first.map((one) => {
          const scanned = withAliases(one.entry.scanned, aliases, coin.id)
          return scanned === one.entry.scanned ? one : scoreItem({ ...one.entry, scanned }, input, onset)
        })
  if (!onset.known) return scored
  const isNear = ({ delay }: ScoredItem): boolean => delay >= FROM && delay <= UNTIL
  const sure = scored.filter((one) => isNear(one) && isSure(one, SURE)).map(({ entry }) => contentIn(entry, coin.id))
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
