// The feeds that are read unless the operator names others (NEWS_FEEDS), with their terms: only feeds whose terms let
// any server read them. Who their publishers are stands in `domain/Publishers`.
import type { SourceTerms } from "../catalog/SourceTerms.ts"

/** A feed and its terms. */
export interface DefaultFeed {
  readonly url: string
  readonly terms: SourceTerms
}

/** The feeds in the order in which they are read. */
export const defaultFeeds: ReadonlyArray<DefaultFeed> = [
  {
    url: "https://www.theblock.co/rss.xml",
    terms: {
      id: "THE_BLOCK",
      name: "The Block",
      baseUrl: "https://www.theblock.co",
      attribution: "Headlines by The Block",
      link: "https://www.theblock.co",
      licence: "robots.txt allows search and AI input; headline, short excerpt and link only",
      redistribution: "unclear"
    }
  },
  {
    url: "https://www.chainalysis.com/feed/",
    terms: {
      id: "CHAINALYSIS",
      name: "Chainalysis",
      baseUrl: "https://www.chainalysis.com",
      attribution: "Headlines by Chainalysis",
      link: "https://www.chainalysis.com/blog/",
      licence: "no site terms found, robots.txt allows; headline, short excerpt and link only",
      redistribution: "unclear"
    }
  },
  {
    url: "https://bitcoinops.org/feed.xml",
    terms: {
      id: "BITCOIN_OPTECH",
      name: "Bitcoin Optech",
      baseUrl: "https://bitcoinops.org",
      attribution: "Newsletter by Bitcoin Optech",
      link: "https://bitcoinops.org",
      licence: "MIT",
      redistribution: "yes"
    }
  },
  {
    url: "https://www.sec.gov/news/pressreleases.rss",
    terms: {
      id: "SEC",
      name: "SEC",
      baseUrl: "https://www.sec.gov",
      attribution: "Press releases by the US Securities and Exchange Commission",
      link: "https://www.sec.gov/news/pressreleases",
      licence: "US public domain",
      redistribution: "yes"
    }
  },
  {
    url: "https://www.federalreserve.gov/feeds/press_all.xml",
    terms: {
      id: "FEDERAL_RESERVE",
      name: "Federal Reserve",
      baseUrl: "https://www.federalreserve.gov",
      attribution: "Press releases by the Federal Reserve Board",
      link: "https://www.federalreserve.gov/newsevents/pressreleases.htm",
      licence: "US public domain",
      redistribution: "yes"
    }
  }
]
