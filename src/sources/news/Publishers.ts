// Who publishes what, by registrable domain: the name to cite, how carefully it is edited, and the terms of the feeds that are
// read by default. A publisher that is not listed is cited by its feed's own title, as second tier.
import { getDomain } from "tldts"
import type { EvidenceTier, EvidenceType } from "../../domain/Evidence.ts"
import type { SourceTerms } from "../catalog/SourceTerms.ts"

/** A publisher. */
export interface Publisher {
  readonly name: string
  readonly tier: EvidenceTier
  readonly type: EvidenceType
}

type Row = readonly [domain: string, name: string]

const listed = (tier: EvidenceTier, type: EvidenceType, rows: ReadonlyArray<Row>): ReadonlyArray<[string, Publisher]> =>
  rows.map(([domain, name]) => [domain, { name, tier, type }])

const publishers: ReadonlyMap<string, Publisher> = new Map([
  ...listed("primary", "regulator", [
    ["sec.gov", "SEC"],
    ["federalreserve.gov", "Federal Reserve"],
    ["cftc.gov", "CFTC"],
    ["treasury.gov", "US Treasury"],
    ["justice.gov", "US Department of Justice"],
    ["europa.eu", "European Union"],
    ["fca.org.uk", "FCA"],
    ["bankofengland.co.uk", "Bank of England"],
    ["cbn.gov.ng", "CBN"],
    ["sec.gov.ng", "SEC Nigeria"]
  ]),
  ...listed("primary", "project_blog", [
    ["bitcoinops.org", "Bitcoin Optech"],
    ["bitcoincore.org", "Bitcoin Core"],
    ["ethereum.org", "Ethereum Foundation"],
    ["solana.com", "Solana"],
    ["github.com", "GitHub"]
  ]),
  ...listed("primary", "exchange_announcement", [
    ["kraken.com", "Kraken"],
    ["coinbase.com", "Coinbase"],
    ["binance.com", "Binance"]
  ]),
  ...listed("tier1", "news", [
    ["theblock.co", "The Block"],
    ["chainalysis.com", "Chainalysis"],
    ["coindesk.com", "CoinDesk"],
    ["cointelegraph.com", "Cointelegraph"],
    ["decrypt.co", "Decrypt"],
    ["blockworks.co", "Blockworks"],
    ["blockworks.com", "Blockworks"],
    ["thedefiant.io", "The Defiant"],
    ["dlnews.com", "DL News"],
    ["cryptoslate.com", "CryptoSlate"]
  ]),
  ...listed("tier2", "news", [
    ["crypto.news", "crypto.news"],
    ["beincrypto.com", "BeInCrypto"],
    ["protos.com", "Protos"],
    ["bitcoinmagazine.com", "Bitcoin Magazine"],
    ["u.today", "U.Today"],
    ["bitcoin.com", "Bitcoin.com News"],
    ["cryptobriefing.com", "Crypto Briefing"],
    ["newsbtc.com", "NewsBTC"],
    ["cryptopotato.com", "CryptoPotato"],
    ["ambcrypto.com", "AMBCrypto"],
    ["coingape.com", "CoinGape"],
    ["bitcoinist.com", "Bitcoinist"]
  ])
])

/** The registrable domain of an address; `null` for one that has none, such as an IP address. */
export const domainOf = (url: string): string | null => getDomain(url)

/** Who publishes at an address, where we know. */
export const publisherAt = (url: string): Publisher | undefined => {
  const domain = domainOf(url)
  return domain === null ? undefined : publishers.get(domain)
}

/** A feed that is read unless the operator names others. */
export interface DefaultFeed {
  readonly url: string
  readonly terms: SourceTerms
}

/** The feeds read by default: those whose terms let a stranger's server read them. */
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
