// Sources of evidence: announcements of exchanges, news feeds, incidents.
import { listed, perMinute } from "./SourceRecord.ts"

const announcements = {
  licence: "documented public API; title and link only",
  redistribution: "unclear",
  allowances: perMinute(20, { onDemand: 0 }),
  dataSets: ["announcements"]
} as const

const headlines = { allowances: perMinute(20, { onDemand: 0 }), dataSets: ["news"] } as const

/** In order of fallback. */
export const newsSources = listed({
  OKX: {
    name: "OKX",
    baseUrl: "https://www.okx.com",
    attribution: "Announcements by OKX",
    link: "https://www.okx.com/help/section/announcements-latest-announcements",
    ...announcements
  },
  KUCOIN: {
    name: "KuCoin",
    baseUrl: "https://api.kucoin.com",
    attribution: "Announcements by KuCoin",
    link: "https://www.kucoin.com/announcement",
    ...announcements
  },
  BITGET: {
    name: "Bitget",
    baseUrl: "https://api.bitget.com",
    attribution: "Announcements by Bitget",
    link: "https://www.bitget.com/support/sections/5955813039257",
    ...announcements
  },
  BYBIT: {
    name: "Bybit",
    baseUrl: "https://api.bybit.com",
    attribution: "Announcements by Bybit",
    link: "https://announcements.bybit.com",
    ...announcements,
    licence: "documented public API; title, excerpt and link only"
  },
  THE_BLOCK: {
    name: "The Block",
    baseUrl: "https://www.theblock.co",
    attribution: "Headlines by The Block",
    link: "https://www.theblock.co",
    licence: "robots.txt allows search and AI input; headline, short excerpt and link only",
    redistribution: "unclear",
    ...headlines,
    feedUrl: "https://www.theblock.co/rss.xml"
  },
  CHAINALYSIS: {
    name: "Chainalysis",
    baseUrl: "https://www.chainalysis.com",
    attribution: "Headlines by Chainalysis",
    link: "https://www.chainalysis.com/blog/",
    licence: "no site terms found, robots.txt allows; headline, short excerpt and link only",
    redistribution: "unclear",
    ...headlines,
    feedUrl: "https://www.chainalysis.com/feed/"
  },
  BITCOIN_OPTECH: {
    name: "Bitcoin Optech",
    baseUrl: "https://bitcoinops.org",
    attribution: "Newsletter by Bitcoin Optech",
    link: "https://bitcoinops.org",
    licence: "MIT",
    redistribution: "yes",
    ...headlines,
    feedUrl: "https://bitcoinops.org/feed.xml"
  },
  BITCOIN_CORE: {
    name: "Bitcoin Core",
    baseUrl: "https://bitcoincore.org",
    attribution: "Announcements by Bitcoin Core",
    link: "https://bitcoincore.org",
    licence: "MIT",
    redistribution: "yes",
    ...headlines,
    feedUrl: "https://bitcoincore.org/en/rss.xml"
  },
  MONERO: {
    name: "Monero",
    baseUrl: "https://www.getmonero.org",
    attribution: "Announcements by the Monero Project",
    link: "https://www.getmonero.org/blog/",
    licence: "BSD-3-Clause",
    redistribution: "yes",
    ...headlines,
    feedUrl: "https://www.getmonero.org/feed.xml"
  },
  WEB3_IS_GOING_GREAT: {
    name: "Web3 is Going Just Great",
    baseUrl: "https://www.web3isgoinggreat.com",
    attribution: "Headlines by Molly White, Web3 is Going Just Great, CC BY 3.0",
    link: "https://www.web3isgoinggreat.com",
    licence: "CC BY 3.0",
    redistribution: "attribution",
    ...headlines,
    feedUrl: "https://www.web3isgoinggreat.com/feed.xml"
  },
  SEC: {
    name: "SEC",
    baseUrl: "https://www.sec.gov",
    attribution: "Press releases by the US Securities and Exchange Commission",
    link: "https://www.sec.gov/news/pressreleases",
    licence: "US public domain",
    redistribution: "yes",
    ...headlines,
    feedUrl: "https://www.sec.gov/news/pressreleases.rss"
  },
  CFTC: {
    name: "CFTC",
    baseUrl: "https://www.cftc.gov",
    attribution: "Press releases by the US Commodity Futures Trading Commission",
    link: "https://www.cftc.gov/PressRoom/PressReleases",
    licence: "US public domain",
    redistribution: "yes",
    ...headlines,
    feedUrl: "https://www.cftc.gov/RSS/RSSGP/rssgp.xml"
  },
  FEDERAL_RESERVE: {
    name: "Federal Reserve",
    baseUrl: "https://www.federalreserve.gov",
    attribution: "Press releases by the Federal Reserve Board",
    link: "https://www.federalreserve.gov/newsevents/pressreleases.htm",
    licence: "US public domain",
    redistribution: "yes",
    ...headlines,
    feedUrl: "https://www.federalreserve.gov/feeds/press_all.xml"
  },
  DEFILLAMA: {
    name: "DefiLlama",
    baseUrl: "https://api.llama.fi",
    attribution: "Incidents recorded by DefiLlama",
    link: "https://defillama.com/hacks",
    licence: "terms unverified; said to be for personal, non-commercial use",
    redistribution: "unclear",
    allowances: perMinute(5, { onDemand: 0 }),
    dataSets: ["hacks"]
  }
})
