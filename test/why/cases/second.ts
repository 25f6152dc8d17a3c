// Cases by a second engineer, written before the rules were read: coins moved by events of their own. Events are historical,
// wording, sizes and paths are not.
import type { CaseSpec } from "./caseBuilder.ts"

const own = ["coin_specific"]

export const second: ReadonlyArray<CaseSpec> = [
  {
    id: "s-upbit-list",
    coin: ["blur", "BLUR", "Blur", "nft", "blur.io"],
    asOf: "2024-11-18T09:00:00Z",
    price: 0.34,
    change: 24.2,
    btc: 0.6,
    onset: 3,
    verdicts: own,
    kinds: ["listing"],
    lines: [
      [
        "driver",
        "Upbit",
        0.1,
        "Market Support for BLUR (KRW, BTC, USDT Market)",
        "Trading support for Blur (BLUR) begins at 17:00 KST. Deposits open within two hours.",
        "exchange_announcement"
      ],
      [
        "driver",
        "CoinDesk",
        0.6,
        "NFT Marketplace Token Leaps on Korean Exchange Debut",
        "BLUR climbed by a fifth once Upbit, South Korea’s biggest venue, said that it would open a won pair."
      ],
      [
        "driver_dup",
        "The Block",
        1.1,
        "Upbit adds Blur, token up 20%",
        "The exchange will open trading against won, bitcoin and USDT."
      ],
      [
        "ambiguous",
        "The Verge",
        -2,
        "Pixel update fixes camera blur in low light",
        "The blur appeared when subjects moved."
      ],
      ["stale", "Decrypt", -240, "Blur Season 4 points go live", "Bidders earn points across collections."],
      [
        "wrong_direction",
        "Cointelegraph",
        -5,
        "Blur loses top spot to Magic Eden in weekly NFT volume",
        "Its share slid to 22%."
      ],
      [
        "immaterial",
        "crypto.news",
        0.5,
        "Blur adds dark mode toggle to portfolio page",
        "BLUR traders can switch themes."
      ]
    ]
  },
  {
    id: "s-coinbase-roadmap",
    coin: ["ondo-finance", "ONDO", "Ondo", "real-world-assets-rwa", "ondo.finance"],
    asOf: "2024-01-19T02:00:00Z",
    price: 0.23,
    change: 31.5,
    btc: -2.4,
    median: -2.1,
    onset: 7,
    verdicts: own,
    kinds: ["listing"],
    lines: [
      [
        "driver",
        "Coinbase Assets",
        0,
        "Asset added to the roadmap today: Ondo (ONDO)",
        "We are announcing ahead of time which assets we have decided to list.",
        "exchange_announcement"
      ],
      [
        "driver",
        "The Block",
        0.7,
        "ONDO placed on Coinbase’s listing roadmap a day after launch",
        "The RWA protocol’s token went live for transfers on Thursday."
      ],
      [
        "other_coin",
        "Decrypt",
        1,
        "Jupiter airdrop date confirmed as Solana traders circle",
        "JUP will be claimable on January 31."
      ],
      [
        "stale",
        "CoinDesk",
        -300,
        "Ondo Brings Tokenized Treasuries to Mantle",
        "The product pays the yield of short-term US debt."
      ],
      [
        "rumour",
        "Watcher Guru",
        -2,
        "Rumor: BlackRock could be about to buy a stake in Ondo, users claim",
        "None of this is confirmed."
      ],
      [
        "immaterial",
        "Coinpedia",
        1,
        "Ondo opens official Telegram group in Turkish",
        "ONDO holders can join moderated chats."
      ]
    ]
  },
  {
    id: "s-robinhood",
    coin: ["pepe", "PEPE", "Pepe", "meme-token", "pepe.vip"],
    asOf: "2024-11-14T01:00:00Z",
    price: 0.0000212,
    change: 62,
    btc: 1.9,
    median: 0.5,
    sector: 6,
    onset: 8,
    verdicts: own,
    kinds: ["listing"],
    lines: [
      [
        "driver",
        "CoinDesk",
        0.4,
        "Frog-Themed Memecoin Rockets as Coinbase and Robinhood Open Trading",
        "Both U.S. platforms said on Wednesday that customers may now buy and sell PEPE."
      ],
      [
        "driver_dup",
        "Decrypt",
        1.4,
        "Pepe soars to record after double dose of US listings",
        "PEPE-USD went live at Coinbase hours after Robinhood."
      ],
      [
        "wrong_direction",
        "U.Today",
        -1,
        "PEPE whale offloads 300 billion tokens at a loss",
        "The wallet had been asleep since May."
      ],
      [
        "ambiguous",
        "BBC News",
        1,
        "Dembele and Pepe return to squad for friendly",
        "Pepe trained with the group on Wednesday."
      ],
      ["other_coin", "The Block", 2, "Dogwifhat added to Robinhood EU", "WIF becomes available to European clients."],
      [
        "stale",
        "Cointelegraph",
        -700,
        "Pepe team changes multisig after insiders sell",
        "A statement blamed three former members."
      ]
    ]
  },
  {
    id: "s-delist-innov",
    coin: ["waves", "WAVES", "Waves", "layer-1", "waves.tech"],
    asOf: "2024-06-03T13:00:00Z",
    price: 1.7,
    change: -31,
    btc: 1.1,
    median: 0.8,
    onset: 9,
    verdicts: own,
    kinds: ["delisting"],
    lines: [
      [
        "driver",
        "Binance",
        0,
        "Notice of Removal of OMG, WAVES, WNXM, XEM (2024-06-17)",
        "Trading of all spot pairs for the above tokens will cease. Withdrawals are supported until September.",
        "exchange_announcement"
      ],
      [
        "driver",
        "Decrypt",
        1,
        "Binance gives four veteran altcoins the boot; WAVES sheds a quarter of its value",
        "OMG and XEM retreated as well."
      ],
      [
        "driver_dup",
        "Cointelegraph",
        2,
        "WAVES, OMG, XEM and WNXM to be dropped from Binance",
        "The exchange cited its periodic review."
      ],
      [
        "wrong_direction",
        "crypto.news",
        -4,
        "Waves unveils Units Network with fast finality",
        "The project wants to attract Ethereum developers."
      ],
      [
        "ambiguous",
        "Sky News",
        1,
        "Heat waves to sweep southern Europe, forecasters warn",
        "Temperatures may top 40C."
      ],
      ["ambiguous", "CoinDesk", 0, "Memecoin launches make waves on Base", "Traders rushed in over the weekend."],
      ["stale", "The Block", -900, "Waves’ USDN stablecoin slips under peg again", "It traded at 92 cents."]
    ]
  },
  {
    id: "s-oracle",
    coin: ["mango-markets", "MNGO", "Mango", "decentralized-finance-defi", "mango.markets"],
    asOf: "2022-10-12T10:00:00Z",
    price: 0.024,
    change: -42,
    btc: 0.2,
    onset: 11,
    verdicts: own,
    kinds: ["exploit"],
    lines: [
      [
        "driver",
        "CoinDesk",
        0.5,
        "Solana DeFi Platform Mango Loses More Than $100M in Price Manipulation Attack",
        "The trader inflated collateral with two accounts, then borrowed everything against it."
      ],
      [
        "driver",
        "Mango",
        0.2,
        "We are currently investigating an incident",
        "A hacker was able to drain funds from Mango via an oracle price manipulation. Deposits are disabled.",
        "project_blog"
      ],
      [
        "driver_dup",
        "The Block",
        1,
        "Mango Markets drained of over $100 million",
        "Auditor OtterSec described the steps."
      ],
      ["ambiguous", "Bloomberg", -3, "Mango exporters in Peru brace for El Niño", "The fruit ripens earlier."],
      ["ambiguous", "Vogue", 2, "Mango opens flagship on Fifth Avenue", "The Spanish retailer expands."],
      ["wrong_direction", "Decrypt", -8, "Mango v4 adds new markets ahead of launch", "Perpetuals get lower fees."],
      ["stale", "Cointelegraph", -400, "Mango DAO votes to rescue Solend whale", "The plan passed."]
    ]
  },
  {
    id: "s-private-key",
    coin: ["gala", "GALA", "GALA", "gaming", "gala.com"],
    asOf: "2024-05-21T02:00:00Z",
    price: 0.042,
    change: -12,
    btc: 6,
    median: 4.5,
    onset: 5,
    verdicts: own,
    kinds: ["exploit"],
    lines: [
      [
        "driver",
        "Cointelegraph",
        0.4,
        "Gala Games attacker mints 5 billion GALA worth $200M",
        "An address with minter rights created the tokens and swapped part of them for ether."
      ],
      [
        "driver",
        "CoinDesk",
        1.2,
        "Unauthorised Minting Hits Gala; Token Dives",
        "Chief executive Eric Schiermeyer said internal controls had failed and the wallet was frozen."
      ],
      ["driver_dup", "Decrypt", 2, "$200 million in GALA minted without permission after admin wallet compromised", ""],
      ["ambiguous", "Variety", -1, "Stars gather for Met gala in New York", "The annual gala raised $26 million."],
      [
        "wrong_direction",
        "U.Today",
        -3,
        "Gala Film signs Hollywood studio for series",
        "GALA will be used for rewards."
      ],
      ["stale", "The Block", -1200, "Gala co-founders sue each other", "Each accuses the other of misuse."]
    ]
  },
  {
    id: "s-exit",
    coin: ["mantra-dao", "OM", "MANTRA", "real-world-assets-rwa", "mantrachain.io"],
    asOf: "2025-04-14T00:00:00Z",
    price: 0.62,
    change: -89.5,
    btc: -0.9,
    median: -1.2,
    onset: 5,
    verdicts: own,
    kinds: ["liquidations", "whale", "exploit", "insolvency"],
    lines: [
      [
        "driver",
        "The Block",
        1,
        "Mantra’s OM craters 90% within an hour; team blames reckless liquidations by exchanges",
        "Co-founder John Patrick Mullin said positions were force-closed during low-liquidity hours."
      ],
      [
        "driver",
        "Cointelegraph",
        2,
        "“Reckless forced closures” wiped out OM, says Mantra",
        "The project denied having sold."
      ],
      [
        "rumour",
        "Watcher Guru",
        1.5,
        "Users claim Mantra team rug pulled, speculation swirls",
        "The theory is not confirmed."
      ],
      ["stale", "Decrypt", -90, "Mantra wins Dubai virtual asset licence", "VARA approved the exchange arm."],
      ["ambiguous", "Yoga Journal", -2, "Why a morning mantra may calm the mind", "Chanting om slows breathing."],
      [
        "wrong_direction",
        "crypto.news",
        -12,
        "Mantra earmarks $109M for ecosystem fund",
        "Start-ups in the field may apply."
      ]
    ]
  },
  {
    id: "s-outage",
    coin: ["solana", "SOL", "Solana", "layer-1", "solana.com"],
    asOf: "2024-02-06T12:30:00Z",
    price: 93,
    change: -5.4,
    btc: 0.9,
    median: 0.8,
    onset: 2.5,
    verdicts: own,
    kinds: ["outage"],
    lines: [
      [
        "driver",
        "Solana Status",
        0.3,
        "Mainnet Beta: major outage",
        "Block progression is currently halted. Core engineers are investigating.",
        "project_blog"
      ],
      [
        "driver",
        "CoinDesk",
        0.8,
        "Solana Stalls for First Time in a Year",
        "No transactions have been processed since 09:53 UTC, explorers show."
      ],
      [
        "driver_dup",
        "The Block",
        1.1,
        "Solana mainnet experiences performance degradation, with block production at a standstill",
        "Validators are preparing a restart."
      ],
      ["wrong_direction", "Decrypt", -5, "Solana DEX volume tops Ethereum’s for third day", "Jupiter led."],
      [
        "stale",
        "Cointelegraph",
        -8000,
        "Solana outage triggered by memory overflow, says post-mortem",
        "Durable nonces were disabled."
      ],
      ["other_coin", "Cointelegraph", 1, "Sui stakes claim to be the faster chain as rivals suffer", "SUI rose 3%."]
    ]
  },
  {
    id: "s-insolv",
    coin: ["ftx-token", "FTT", "FTX Token", "exchange-based-tokens", "ftx.com"],
    asOf: "2022-11-08T21:00:00Z",
    price: 5.2,
    change: -76,
    btc: -11,
    median: -9,
    beta: 1,
    onset: 5,
    verdicts: own,
    kinds: ["insolvency", "migration", "partnership"],
    lines: [
      [
        "driver",
        "Reuters",
        0.2,
        "Crypto exchange Binance to bail out rival FTX as liquidity crunch bites",
        "FTX has stopped processing withdrawals, blockchain data showed."
      ],
      [
        "driver",
        "CoinDesk",
        1,
        "FTX Halts Withdrawals, Seeks Rescue",
        "Bankman-Fried said there was a liquidity crunch. FTT lost three quarters of its value."
      ],
      [
        "driver_dup",
        "The Block",
        1.5,
        "FTX unable to meet customer redemptions, signs letter of intent with Binance",
        ""
      ],
      [
        "stale",
        "CoinDesk",
        -148,
        "Divisions in Sam Bankman-Fried’s Crypto Empire Blur on Alameda’s Balance Sheet",
        "Much of the assets are FTT."
      ],
      [
        "wrong_direction",
        "Bloomberg",
        -20,
        "Bankman-Fried says FTX is fine and assets are fine",
        "A competitor is trying to go after us."
      ],
      ["immaterial", "Coinpedia", 1, "FTX app adds new sticker pack for chat", "FTT holders get a badge."]
    ]
  },
  {
    id: "s-celsius",
    coin: ["celsius-degree-token", "CEL", "Celsius Network", "exchange-based-tokens", "celsius.network"],
    asOf: "2022-06-13T05:00:00Z",
    price: 0.2,
    change: -54,
    btc: -9,
    median: -11,
    onset: 3,
    verdicts: own,
    kinds: ["insolvency", "outage"],
    lines: [
      [
        "driver",
        "Celsius",
        0,
        "A memo to the Celsius community",
        "Due to extreme market conditions we are pausing all withdrawals, swap, and transfers between accounts.",
        "project_blog"
      ],
      [
        "driver",
        "Bloomberg",
        0.5,
        "Crypto Lender Celsius Freezes Withdrawals",
        "The firm says it wants to honour obligations over time."
      ],
      ["driver_dup", "Decrypt", 1, "Celsius pauses withdrawals “to stabilise liquidity”", "CEL has fallen by half."],
      [
        "ambiguous",
        "Reuters",
        -2,
        "Celsius Holdings energy drink sales beat forecasts",
        "The Florida company raised guidance."
      ],
      ["ambiguous", "BBC News", 1, "Why 40 degrees Celsius is the new normal", "Spain swelters."],
      ["wrong_direction", "CoinDesk", -30, "Celsius mining arm files for IPO", "It operates 22,000 machines."]
    ]
  },
  {
    id: "s-depeg",
    coin: ["terra-luna", "LUNA", "Terra", "layer-1", "terra.money"],
    asOf: "2022-05-10T06:00:00Z",
    price: 31,
    change: -49,
    btc: -6.5,
    median: -9,
    onset: 12,
    verdicts: own,
    kinds: ["depeg"],
    lines: [
      [
        "driver",
        "CoinDesk",
        1,
        "UST Stablecoin Falls Below 70 Cents; LUNA Halves",
        "The peg broke for a second time in three days."
      ],
      [
        "driver",
        "The Block",
        2,
        "Terra’s stablecoin loses dollar parity as Anchor deposits flee",
        "LUNA is minted as UST is redeemed."
      ],
      ["driver_dup", "Bloomberg", 4, "Terra Stablecoin Stumbles Far From $1 Peg, Shaking Crypto", ""],
      [
        "support",
        "Cointelegraph",
        3,
        "Luna Foundation Guard lends $1.5B in bitcoin and UST to defend peg",
        "The reserve will be handed to market makers."
      ],
      ["ambiguous", "Nature", 0, "Terra satellite marks two decades of data", "The NASA craft drifts."],
      ["wrong_direction", "Decrypt", -30, "LUNA staking passes Ethereum by value", "Delegators hold $30 billion."]
    ]
  },
  {
    id: "s-sec-suit",
    coin: ["binancecoin", "BNB", "BNB", "exchange-based-tokens", "binance.com"],
    asOf: "2023-06-05T21:00:00Z",
    price: 277,
    change: -9.2,
    btc: -3.2,
    median: -3.5,
    beta: 0.9,
    onset: 5,
    verdicts: own,
    kinds: ["regulatory"],
    lines: [
      [
        "driver",
        "U.S. Securities and Exchange Commission",
        0,
        "SEC Files 13 Charges Against Binance Entities and Founder Changpeng Zhao",
        "The complaint alleges unregistered offers of BNB and BUSD.",
        "regulator"
      ],
      [
        "driver",
        "Reuters",
        0.3,
        "US regulator sues Binance, CEO Zhao over ‘web of deception’",
        "The SEC said customer funds had been diverted."
      ],
      ["driver_dup", "CoinDesk", 0.5, "SEC Sues Binance; BNB Slides", "The suit calls BNB, SOL and others securities."],
      [
        "wrong_direction",
        "Cointelegraph",
        -6,
        "BNB Chain’s opBNB testnet to launch this month",
        "The layer 2 promises 4,000 transactions a second."
      ],
      ["stale", "The Block", -1600, "CFTC takes Binance to court", "The commodities regulator filed in Chicago."],
      ["immaterial", "U.Today", 1, "BNB Chain ambassador programme opens applications", "Winners get merchandise."]
    ]
  },
  {
    id: "s-ruling",
    coin: ["ripple", "XRP", "XRP", "layer-1", "ripple.com"],
    asOf: "2023-07-13T22:00:00Z",
    price: 0.81,
    change: 71,
    btc: 3,
    median: 5,
    beta: 0.9,
    onset: 6,
    verdicts: own,
    kinds: ["regulatory", "listing"],
    lines: [
      [
        "driver",
        "Reuters",
        0.1,
        "Ripple Labs notches landmark win in SEC case over XRP cryptocurrency",
        "Judge Analisa Torres held that sales on public exchanges were not offers of securities."
      ],
      [
        "driver",
        "CoinDesk",
        0.4,
        "XRP Is Not a Security When Sold on Exchanges, Court Rules",
        "The token nearly doubled."
      ],
      [
        "support",
        "Decrypt",
        2,
        "Coinbase, Kraken bring back XRP trading after ruling",
        "Several U.S. platforms relist the token."
      ],
      [
        "wrong_direction",
        "The Block",
        -3,
        "Ripple’s monthly escrow release puts 1 billion XRP back in play",
        "It unlocks on the first of the month."
      ],
      ["stale", "Cointelegraph", -400, "Hinman emails released in Ripple case", "Observers debate their meaning."],
      ["other_coin", "Cointelegraph", 1, "Stellar gains by half in the slipstream of its cousin", "XLM was up 50%."]
    ]
  },
  {
    id: "s-etf-delay",
    coin: ["dogecoin", "DOGE", "Dogecoin", "meme-token", "dogecoin.com"],
    asOf: "2025-09-12T02:00:00Z",
    price: 0.262,
    change: 9.1,
    btc: 1,
    median: 1.1,
    onset: 9,
    verdicts: own,
    kinds: ["etf"],
    lines: [
      [
        "driver",
        "CoinDesk",
        0.2,
        "First U.S. Dogecoin Fund Cleared to Trade Next Week, Analyst Says",
        "Rex-Osprey’s DOJE becomes effective, Bloomberg’s Eric Balchunas wrote."
      ],
      [
        "driver_dup",
        "Decrypt",
        1.5,
        "Memecoin fund DOJE gets green light as DOGE heads higher",
        "It is registered under the 1940 Act."
      ],
      ["ambiguous", "Politico", -1, "DOGE staffers leave Education Department", "The cost-cutting office shrinks."],
      [
        "ambiguous",
        "Reuters",
        1,
        "Judge blocks DOGE access to Treasury systems",
        "The order applies to Musk’s former team."
      ],
      ["stale", "The Block", -200, "SEC pushes back deadline on Bitwise Dogecoin ETF", "The agency wants more time."],
      ["wrong_direction", "U.Today", -3, "Dogecoin hashrate slips to monthly low", "Miners switched off."]
    ]
  },
  {
    id: "s-treasury",
    coin: ["ethena", "ENA", "Ethena", "decentralized-finance-defi", "ethena.fi"],
    asOf: "2025-07-22T02:00:00Z",
    price: 0.51,
    change: 19.4,
    btc: 0.1,
    median: 0.2,
    onset: 11,
    verdicts: own,
    kinds: ["treasury"],
    lines: [
      [
        "driver",
        "GlobeNewswire",
        0,
        "StablecoinX and TLGY to combine; new company to hold ENA on its balance sheet after $360 million raise",
        "The vehicle plans to spend the proceeds on locked ENA."
      ],
      [
        "driver",
        "The Block",
        0.6,
        "Nasdaq-bound StablecoinX to amass Ethena’s token with $360M war chest",
        "A foundation subsidiary will buy $5 million of ENA a day."
      ],
      ["driver_dup", "CoinDesk", 1, "ENA Pops as Treasury Firm Earmarks $360M for Purchases", ""],
      [
        "wrong_direction",
        "Cointelegraph",
        -5,
        "Germany’s BaFin tells Ethena unit to wind down",
        "Holders have until August."
      ],
      ["listicle", "CoinGecko", 0, "Trending today: ENA, PENGU, BONK", "The most searched tokens."],
      [
        "immaterial",
        "crypto.news",
        0.5,
        "Ethena refreshes brand guidelines and logo pack",
        "Designers can download files."
      ]
    ]
  },
  {
    id: "s-funding",
    coin: ["berachain-bera", "BERA", "Berachain", "layer-1", "berachain.com"],
    asOf: "2025-03-03T16:00:00Z",
    price: 7.6,
    change: 13,
    btc: -1.5,
    median: -2,
    onset: 4,
    verdicts: own,
    kinds: ["funding"],
    lines: [
      [
        "driver",
        "The Block",
        0.1,
        "Berachain lands $120M in Series C led by Paradigm",
        "The round values the layer 1 at $3 billion."
      ],
      [
        "driver_dup",
        "Decrypt",
        1,
        "Bear-themed blockchain bags nine-figure cheque from Paradigm and Brevan Howard",
        "Berachain will spend the money on hiring."
      ],
      [
        "wrong_direction",
        "DL News",
        -4,
        "Berachain token unlock looms for seed backers",
        "Some 15 million BERA are due in May."
      ],
      ["other_coin", "Cointelegraph", 1, "Monad raises ceiling for testnet users", "MON is not live."],
      ["immaterial", "U.Today", 0.3, "Berachain meetup planned for ETHDenver side events", "Free honey is on offer."]
    ]
  },
  {
    id: "s-partner",
    coin: ["hedera-hashgraph", "HBAR", "Hedera", "layer-1", "hedera.com"],
    asOf: "2025-05-02T00:00:00Z",
    price: 0.27,
    change: 36,
    btc: 0.5,
    median: 0.3,
    onset: 9,
    verdicts: own,
    kinds: ["partnership"],
    lines: [
      [
        "driver",
        "Hedera",
        0,
        "Hedera selected by the Commonwealth Bank to settle tokenised deposits",
        "The lender joins the governing council and will run a node.",
        "project_blog"
      ],
      [
        "driver",
        "Reuters",
        0.7,
        "Australian bank picks Hedera ledger for interbank tokens",
        "It is the first of the country’s big four lenders to do so."
      ],
      ["driver_dup", "CoinDesk", 1.2, "HBAR Jumps a Third as Bank Tie-Up Is Unveiled", ""],
      [
        "wrong_direction",
        "Cointelegraph",
        -4,
        "Hedera network activity falls for second quarter",
        "Daily accounts fell to 8,000."
      ],
      ["stale", "Decrypt", -350, "Hedera council adds university", "It has one vote."],
      ["immaterial", "Coinpedia", 1, "Hedera staff to speak at Lisbon conference", "A panel will discuss HBAR."]
    ]
  },
  {
    id: "s-upgrade",
    coin: ["litecoin", "LTC", "Litecoin", "proof-of-work", "litecoin.org"],
    asOf: "2022-05-20T12:00:00Z",
    price: 78,
    change: 12,
    btc: 0.9,
    median: 1.2,
    onset: 8,
    verdicts: own,
    kinds: ["upgrade"],
    lines: [
      [
        "driver",
        "Litecoin Foundation",
        0,
        "MWEB has activated at block 2,257,920",
        "Confidential transactions are now live for all.",
        "project_blog"
      ],
      [
        "driver",
        "CoinDesk",
        0.9,
        "Litecoin’s Long-Awaited Mimblewimble Hard Fork Goes Live",
        "LTC outpaced the largest tokens."
      ],
      ["driver_dup", "The Block", 1.6, "Privacy upgrade activates on Litecoin", "Users can opt in."],
      ["wrong_direction", "Cointelegraph", -5, "Litecoin’s transaction count slides", "It is down 10% this month."],
      ["stale", "Decrypt", -100, "Litecoin devs set lock-in date for MWEB", "It needs 75% of miners."],
      ["other_coin", "The Block", 0.5, "Ethereum testnet Ropsten to merge in June", "Developers picked June 8."]
    ]
  },
  {
    id: "s-migrate",
    coin: ["matic-network", "MATIC", "Polygon", "layer-2", "polygon.technology"],
    asOf: "2023-07-13T20:00:00Z",
    price: 0.86,
    change: 14,
    btc: 1.2,
    median: 1.9,
    onset: 6,
    verdicts: own,
    kinds: ["migration", "tokenomics", "upgrade"],
    lines: [
      [
        "driver",
        "Polygon Labs",
        0,
        "Introducing POL, the successor of MATIC",
        "Holders will be able to swap one to one through a contract.",
        "project_blog"
      ],
      [
        "driver",
        "The Block",
        0.5,
        "Polygon to replace MATIC with new POL ticker",
        "A vote of the community comes first."
      ],
      ["driver_dup", "Decrypt", 1, "Goodbye, MATIC: Polygon Proposes Token Swap", "The move belongs to Polygon 2.0."],
      ["ambiguous", "Polygon.com", -1, "Polygon’s best video games of the summer", "Our editors pick 12 titles."],
      [
        "wrong_direction",
        "CoinDesk",
        -7,
        "Robinhood Ends Support for MATIC, Customers Told to Sell",
        "Accounts were cleared last week."
      ],
      ["stale", "Cointelegraph", -500, "Polygon zkEVM turns one month old", "It has 100,000 users."]
    ]
  },
  {
    id: "s-buyback",
    coin: ["aave", "AAVE", "Aave", "decentralized-finance-defi", "aave.com"],
    asOf: "2025-03-05T02:00:00Z",
    price: 212,
    change: 18.5,
    btc: 1.8,
    median: 2.1,
    onset: 9,
    verdicts: own,
    kinds: ["tokenomics"],
    lines: [
      [
        "driver",
        "The Block",
        0.2,
        "Aave floats $1 million weekly token repurchase programme",
        "Marc Zeller’s plan would hand excess revenue to stakers."
      ],
      [
        "driver",
        "Blockworks",
        1,
        "Aavenomics overhaul: DAO weighs buybacks and end of LEND redemptions",
        "The governance post landed on Tuesday."
      ],
      ["wrong_direction", "DL News", -6, "Aave’s deposits shrink as yields fade", "TVL is 12% lower this month."],
      ["other_coin", "Cointelegraph", 1, "Compound votes on gauge for USDS", "COMP holders decide."],
      ["stale", "Decrypt", -400, "Aave turns on Umbrella testnet", "The safety module is next."],
      ["immaterial", "U.Today", 1, "Aave interface gets Spanish translation", "AAVE stakers see it first."]
    ]
  },
  {
    id: "s-unlock",
    coin: ["aptos", "APT", "Aptos", "layer-1", "aptosfoundation.org"],
    asOf: "2023-11-12T12:00:00Z",
    price: 6.4,
    change: -11.8,
    btc: 0.2,
    onset: 6,
    verdicts: own,
    kinds: ["token_unlock"],
    lines: [
      [
        "driver",
        "CoinDesk",
        -1,
        "Some $170M of Aptos Tokens Enter Circulation on Sunday",
        "The 24.8 million APT equal 9% of supply and go to backers and staff."
      ],
      [
        "driver",
        "Cointelegraph",
        1,
        "APT under pressure as cliff vesting releases 24.8M tokens",
        "Early contributors received the largest share."
      ],
      [
        "ambiguous",
        "Wall Street Journal",
        0,
        "Renters in New York pay a record for a two-bed apt",
        "Landlords still hold the cards."
      ],
      [
        "wrong_direction",
        "Decrypt",
        -7,
        "Aptos teams up with SK Telecom on wallet",
        "The Korean carrier will launch it this year."
      ],
      ["other_coin", "The Block", 1, "Sui unlock brings 1% of supply", "SUI holders shrug."],
      ["stale", "The Block", -380, "Aptos Labs names new chief marketing officer", "He joins from a bank."]
    ]
  },
  {
    id: "s-airdrop",
    coin: ["starknet", "STRK", "Starknet", "layer-2", "starknet.io"],
    asOf: "2024-02-21T02:00:00Z",
    price: 1.9,
    change: -38,
    btc: 0.5,
    onset: 13,
    verdicts: own,
    kinds: ["airdrop"],
    lines: [
      [
        "driver",
        "CoinDesk",
        0.5,
        "Starknet’s STRK Slumps as Airdrop Recipients Cash Out",
        "Some 1.3 million wallets were eligible."
      ],
      ["driver", "Decrypt", 2, "STRK airdrop claims pass 420M tokens in hours—and many are heading to exchanges", ""],
      ["wrong_direction", "The Block", 1, "OKX opens STRK/USDT pair", "Trading starts at noon."],
      [
        "stale",
        "Cointelegraph",
        -200,
        "StarkWare sets eligibility for provisions",
        "Stakers and developers are included."
      ],
      ["immaterial", "U.Today", 3, "Starknet block explorer adds labels", "STRK transfers are easier to read."]
    ]
  },
  {
    id: "s-founder",
    coin: ["sushi", "SUSHI", "Sushi", "decentralized-exchange", "sushi.com"],
    asOf: "2020-09-05T20:00:00Z",
    price: 1.6,
    change: -64,
    btc: -3,
    median: -6,
    onset: 8,
    verdicts: own,
    kinds: ["leadership", "whale", "exploit"],
    lines: [
      [
        "driver",
        "CoinDesk",
        0.5,
        "SushiSwap Creator Chef Nomi Sells His Tokens, Sparking Outcry",
        "He turned his SUSHI into 38,000 ether."
      ],
      ["driver", "The Block", 1.5, "SushiSwap founder dumps dev fund, says he will step away from price", ""],
      ["ambiguous", "New York Times", 0, "Where to order sushi during lockdown", "Takeaway has never been better."],
      ["wrong_direction", "Cointelegraph", -5, "Binance lists Sushi in innovation zone", "SUSHI trades against USDT."],
      ["wrong_direction", "Decrypt", -9, "SushiSwap value locked tops $1 billion", ""]
    ]
  },
  {
    id: "s-sector-ai",
    coin: ["fetch-ai", "FET", "Fetch.ai", "artificial-intelligence", "fetch.ai"],
    asOf: "2024-02-22T14:00:00Z",
    price: 0.98,
    change: 21,
    btc: -0.9,
    median: -0.5,
    sector: 18,
    onset: 16,
    verdicts: ["sector"],
    kinds: ["sector"],
    lines: [
      [
        "driver",
        "CoinDesk",
        1,
        "AI Tokens Surge After Nvidia Crushes Earnings Estimates",
        "Render, Fetch.ai and SingularityNET led the group."
      ],
      [
        "driver_dup",
        "Decrypt",
        3,
        "Nvidia blowout quarter lifts artificial intelligence coins",
        "AGIX, FET and RNDR all rose by double digits."
      ],
      ["driver", "Cointelegraph", 8, "AI-linked cryptocurrencies extend gains on chipmaker’s results", ""],
      ["immaterial", "crypto.news", 2, "Fetch.ai publishes monthly developer digest", "FET docs were updated."],
      ["other_coin", "The Block", 1, "Uniswap fee proposal heads to Snapshot", "UNI delegates discuss."],
      ["ambiguous", "BBC News", 0, "Dog learns to fetch the morning post", "Neighbours are delighted."]
    ]
  },
  {
    id: "s-arrest-social",
    coin: ["based-brett", "BRETT", "Brett", "meme-token", "basedbrett.com"],
    asOf: "2024-12-01T20:00:00Z",
    price: 0.2,
    change: 27,
    btc: -0.5,
    median: 0.4,
    sector: 2,
    onset: 6,
    verdicts: own,
    kinds: ["social"],
    lines: [
      [
        "driver",
        "Decrypt",
        0.3,
        "Coinbase chief’s post about blue cartoon sends BRETT flying",
        "Brian Armstrong shared a picture of the Base mascot with his followers on X."
      ],
      ["driver_dup", "Cointelegraph", 1, "Brett memecoin spikes 25% on Armstrong tweet", ""],
      ["ambiguous", "ESPN", 0, "Brett Favre testifies before Congress", "The former quarterback spoke for an hour."],
      ["wrong_direction", "BeInCrypto", -4, "BRETT whales trim holdings for a second week", ""],
      ["stale", "CoinDesk", -600, "Base memecoins hit $2B", "BRETT leads."]
    ]
  }
]
