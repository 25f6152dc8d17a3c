// The table of publishers: names, kinds and tiers. A publisher is identified by the registrable domain of a URL, never by the
// name in its feed. Unlisted publishers count as second tier.
import { getDomain } from "tldts"
import type { EvidenceTier, EvidenceType } from "./Evidence.ts"
import { rememberEach } from "./rememberEach.ts"
import table from "./publishers.json" with { type: "json" }

export interface Publisher {
  /** The name in citations. */
  readonly name: string
  readonly tier: EvidenceTier
  readonly type: EvidenceType
  /** Publishes about crypto only. */
  readonly isCryptoPress: boolean
}

type Names = Readonly<Record<string, string>>

const listed = (names: Names, publisher: Omit<Publisher, "name">): ReadonlyArray<readonly [string, Publisher]> =>
  Object.entries(names).map(([domain, name]) => [domain, { name, ...publisher }])

const newsrooms = (tier: EvidenceTier, { crypto, general }: { readonly crypto: Names; readonly general: Names }) => [
  ...listed(crypto, { tier, type: "news", isCryptoPress: true }),
  ...listed(general, { tier, type: "news", isCryptoPress: false })
]

const publishers: ReadonlyMap<string, Publisher> = new Map([
  ...listed(table.regulators, { tier: "primary", type: "regulator", isCryptoPress: false }),
  ...listed(table.projects, { tier: "primary", type: "project_blog", isCryptoPress: false }),
  ...listed(table.exchanges, { tier: "primary", type: "exchange_announcement", isCryptoPress: true }),
  ...newsrooms("tier1", table.tier1),
  ...newsrooms("tier2", table.tier2),
  ...newsrooms("tier3", table.tier3)
])

const ORIGIN = /^https?:\/\/[^/?#]+/

const domainOfOrigin = rememberEach(1000, (origin: string) => getDomain(origin))

/**
 * The registrable domain of a URL; `null` if it has none, such as for an IP address. Cached by origin, because the same origins
 * recur.
 */
export const domainOf = (url: string): string | null => domainOfOrigin(ORIGIN.exec(url)?.[0] ?? url)

export const publisherAt = (url: string): Publisher | undefined => {
  const domain = domainOf(url)
  return domain === null ? undefined : publishers.get(domain)
}
