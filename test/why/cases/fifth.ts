// The second engineer's third blind set: mostly pools without a cause.
import type { CaseSpec } from "./caseBuilder.ts"

const own = ["coin_specific"]
const none = ["unexplained"]

export const fifth: ReadonlyArray<CaseSpec> = [
  {
    id: "g-none-axs",
    coin: ["axie-infinity", "AXS", "Axie Infinity", "gaming", "axieinfinity.com"],
    asOf: "2022-03-30T02:00:00Z",
    price: 61,
    change: -14,
    btc: -0.5,
    onset: 9,
    verdicts: none,
    kinds: [],
    lines: [
      [
        "wrong_direction",
        "Decrypt",
        -2,
        "Axie Infinity: Origin trailer thrills players",
        "The free version comes in April."
      ],
      ["context_coin", "CoinDesk", -60, "Play-to-Earn Guilds Look Beyond Axie", ""],
      ["stale", "The Block", -600, "Sky Mavis raises $152M led by a16z", ""],
      ["immaterial", "U.Today", 1, "Axie card balance patch nerfs plant builds", "AXS rewards unchanged."],
      ["other_coin", "Cointelegraph", 1, "STEPN’s GMT climbs on Asian demand", ""],
      ["ambiguous", "Insurance Journal", 0, "AXS unit of reinsurer names claims head", ""]
    ]
  },
  {
    id: "g-none-op",
    coin: ["optimism", "OP", "Optimism", "layer-2", "optimism.io"],
    asOf: "2023-01-17T12:00:00Z",
    price: 2.1,
    change: 26,
    btc: 0.6,
    onset: 8,
    verdicts: none,
    kinds: [],
    lines: [
      ["ambiguous", "Reuters", 0, "Optimism over China reopening lifts luxury stocks", "LVMH gained 3%."],
      ["ambiguous", "CoinDesk", 1, "Crypto Optimism Returns as Bitcoin Holds $21K", ""],
      ["wrong_direction", "DL News", -4, "Optimism quests end, transactions slump", ""],
      ["stale", "The Block", -1500, "Optimism sets Bedrock date vote", ""],
      ["immaterial", "Optimism", 1, "RetroPGF badge holders: application guide", "", "project_blog"],
      ["other_coin", "Cointelegraph", 1, "Arbitrum’s Nova adds Reddit points", ""]
    ]
  },
  {
    id: "g-none-sand",
    coin: ["the-sandbox", "SAND", "The Sandbox", "metaverse", "sandbox.game"],
    asOf: "2024-11-24T12:00:00Z",
    price: 0.6,
    change: 41,
    btc: -1,
    median: 2,
    sector: 4,
    onset: 7,
    verdicts: none,
    kinds: [],
    lines: [
      ["ambiguous", "The Guardian", 0, "Illegal sand mining spreads in Mekong delta", ""],
      ["ambiguous", "The Register", 1, "Google’s privacy sandbox is put on ice", ""],
      ["wrong_direction", "Protos", -3, "Metaverse land prices are down 95%", "The Sandbox plots sell for $200."],
      ["immaterial", "Coinpedia", 1, "The Sandbox hosts Hello Kitty scavenger hunt", "SAND prizes total $5,000."],
      ["stale", "Decrypt", -1000, "The Sandbox lands $20 million convertible note", ""],
      ["rumour", "Watcher Guru", 0.2, "Could Meta be eyeing The Sandbox? Unconfirmed chatter grows", ""],
      ["price_report", "CryptoPotato", 3, "SAND explodes 40% as volumes go through the roof", ""]
    ]
  },
  {
    id: "g-none-ens",
    coin: ["ethereum-name-service", "ENS", "Ethereum Name Service", "identity", "ens.domains"],
    asOf: "2024-01-05T12:00:00Z",
    price: 17,
    change: 33,
    btc: 0.2,
    onset: 8,
    verdicts: none,
    kinds: [],
    lines: [
      ["other_coin", "CoinDesk", 1, "Ether Outpaces Bitcoin as ETF Verdict Nears", ""],
      ["ambiguous", "Le Monde", 0, "ENS students protest over housing", ""],
      ["wrong_direction", "The Block", -4, "ENS founder warns holders about phishing mails", ""],
      ["immaterial", "ENS", 0.4, "ENS DAO newsletter: January", "", "project_blog"],
      ["stale", "Decrypt", -300, "GoDaddy hints at ENS support", ""],
      ["promo", "Bitcoinist", 2, "ENS fans eye this domain presale", ""]
    ]
  },
  {
    id: "g-own-godaddy",
    coin: ["ethereum-name-service", "ENS", "Ethereum Name Service", "identity", "ens.domains"],
    asOf: "2024-02-05T22:00:00Z",
    price: 22,
    change: 13,
    btc: -0.3,
    onset: 5,
    verdicts: own,
    kinds: ["partnership"],
    lines: [
      [
        "driver",
        "The Block",
        0.4,
        "GoDaddy lets customers tie web domains to ENS wallets for free",
        "The registrar struck the agreement with Ethereum Name Service."
      ],
      ["driver_dup", "CoinDesk", 1.2, "ENS Gains on Tie-Up With Domain Giant GoDaddy", ""],
      ["wrong_direction", "Protos", -4, "ENS patent dispute with Unstoppable simmers", ""],
      ["stale", "Decrypt", -800, "ENS names hit 2 million", ""]
    ]
  },
  {
    id: "g-own-pump",
    coin: ["peanut-the-squirrel", "PNUT", "Peanut the Squirrel", "meme-token", "pnutsol.com"],
    asOf: "2024-11-11T14:00:00Z",
    price: 0.4,
    change: 170,
    btc: 5,
    median: 6,
    sector: 15,
    onset: 3,
    verdicts: own,
    kinds: ["listing"],
    lines: [
      [
        "driver",
        "Binance",
        0,
        "Binance Will List Act I : The AI Prophecy (ACT) and Peanut the Squirrel (PNUT) with Seed Tag Applied",
        "Trading starts at 12:00 UTC.",
        "exchange_announcement"
      ],
      ["driver", "Decrypt", 0.6, "Squirrel coin PNUT triples after surprise Binance debut", ""],
      ["ambiguous", "NY Post", -2, "Peanut the squirrel’s owner sues New York over euthanised pet", ""],
      ["wrong_direction", "U.Today", -5, "PNUT creator wallet unloads", ""]
    ]
  },
  {
    id: "g-own-hack-twitter",
    coin: ["iota", "IOTA", "IOTA", "dag", "iota.org"],
    asOf: "2020-02-13T12:00:00Z",
    price: 0.3,
    change: -12,
    btc: 0.4,
    onset: 9,
    verdicts: own,
    kinds: ["exploit", "outage"],
    lines: [
      [
        "driver",
        "IOTA Foundation",
        0,
        "Trinity wallet incident: please keep Trinity closed",
        "Funds were stolen from about ten accounts. We turned off the Coordinator.",
        "project_blog"
      ],
      ["driver", "ZDNet", 1.5, "IOTA shuts down entire network after wallet theft", ""],
      ["driver_dup", "CoinDesk", 3, "IOTA Being Shut Off Is the Latest Chapter in an Absurdist History", ""],
      ["wrong_direction", "Cointelegraph", -7, "Jaguar trial with IOTA enters next phase", ""]
    ]
  },
  {
    id: "g-own-court",
    coin: ["lbry-credits", "LBC", "LBRY Credits", "media", "lbry.com"],
    asOf: "2022-11-08T02:00:00Z",
    price: 0.013,
    change: -37,
    btc: -1.9,
    median: -3,
    onset: 9,
    verdicts: own,
    kinds: ["regulatory", "insolvency"],
    lines: [
      [
        "driver",
        "Reuters",
        0.3,
        "Judge hands SEC win, finds LBRY sold unregistered securities",
        "The firm had argued that LBC was needed to use its network."
      ],
      [
        "driver",
        "Cointelegraph",
        1,
        "‘The language used here sets an extraordinarily dangerous precedent’: LBRY loses to SEC",
        ""
      ],
      ["wrong_direction", "Decrypt", -5, "Odysee hits record viewers", "The site runs on LBRY."],
      ["other_coin", "The Block", 1, "XRP holders await summary judgment", ""]
    ]
  },
  {
    id: "g-sector-privacy",
    coin: ["dash", "DASH", "Dash", "privacy-coins", "dash.org"],
    asOf: "2025-11-04T12:00:00Z",
    price: 120,
    change: 33,
    btc: -2,
    median: -3,
    sector: 24,
    onset: 14,
    verdicts: ["sector"],
    kinds: ["sector"],
    lines: [
      ["driver", "CoinDesk", 1, "Privacy Coins Defy Market Slump, Led by Zcash", "DASH and DCR rose by more than 30%."],
      ["driver", "Decrypt", 4, "Why anonymity is back: privacy tokens surge while bitcoin sags", ""],
      ["ambiguous", "NBC News", 0, "Shoppers dash to stores before snow", ""],
      ["ambiguous", "TechCrunch", 1, "DoorDash shares sink on spending plans", ""],
      ["immaterial", "Coinpedia", 1, "Dash mobile wallet gets Hindi translation", "DASH holders can test."]
    ]
  },
  {
    id: "g-wide-rally",
    coin: ["vechain", "VET", "VeChain", "layer-1", "vechain.org"],
    asOf: "2025-05-09T02:00:00Z",
    price: 0.03,
    change: 13,
    btc: 6,
    median: 11,
    beta: 1.4,
    onset: 12,
    verdicts: ["market_wide"],
    kinds: ["macro", "market", "liquidations"],
    lines: [
      ["driver", "CNBC", 0, "Trump unveils trade pact with UK, first since ‘Liberation Day’", ""],
      ["driver", "CoinDesk", 3, "Bitcoin Retakes $100K as Trade Hopes Grow; Ether Soars 20%", ""],
      ["driver_dup", "The Block", 6, "Short sellers lose $800M as crypto market roars back", ""],
      ["ambiguous", "AP News", 0, "Small-town vet treats zoo elephant", ""],
      ["immaterial", "U.Today", 2, "VeChain names new community lead for Brazil", "VET fans cheer."]
    ]
  }
]
