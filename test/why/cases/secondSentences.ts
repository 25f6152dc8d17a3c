// Sentences a model might write about the second engineer's cases; a citation is named by the first words of its title.
export type Sentence = readonly [
  expect: "accept" | "reject",
  reason: string,
  caseId: string,
  text: string,
  ...citations: ReadonlyArray<string>
]

export const sentences: ReadonlyArray<Sentence> = [
  [
    "accept",
    "paraphrase",
    "s-oracle",
    "Mango was drained through an oracle price manipulation, and deposits are disabled.",
    "We are currently"
  ],
  [
    "accept",
    "scale words",
    "s-oracle",
    "Mango lost more than $100 million in a price manipulation attack.",
    "Solana DeFi Platform"
  ],
  [
    "reject",
    "scale",
    "s-oracle",
    "Mango lost more than $100 billion in a price manipulation attack.",
    "Solana DeFi Platform"
  ],
  [
    "reject",
    "number",
    "s-oracle",
    "Mango lost more than $114 million in a price manipulation attack.",
    "Solana DeFi Platform"
  ],
  [
    "reject",
    "hidden name",
    "s-oracle",
    "Avraham Eisenberg drained Mango through an oracle price manipulation.",
    "We are currently"
  ],
  [
    "accept",
    "attribution",
    "s-private-key",
    "Cointelegraph reported that an attacker minted 5 billion GALA worth $200 million.",
    "Gala Games attacker"
  ],
  [
    "accept",
    "paraphrase",
    "s-private-key",
    "An attacker minted 5bn GALA worth about $200 million at Gala Games.",
    "Gala Games attacker"
  ],
  [
    "reject",
    "swapped number",
    "s-private-key",
    "An attacker minted 200 million GALA worth $5 billion.",
    "Gala Games attacker"
  ],
  [
    "accept",
    "person",
    "s-private-key",
    "Eric Schiermeyer said that internal controls had failed and that the wallet was frozen.",
    "Unauthorised Minting"
  ],
  [
    "reject",
    "person not cited",
    "s-private-key",
    "Eric Schiermeyer said that internal controls had failed.",
    "Gala Games attacker"
  ],
  [
    "accept",
    "market",
    "s-private-key",
    "GALA fell 12% in 24 hours while bitcoin rose 6%.",
    "market:coin",
    "market:btc"
  ],
  [
    "reject",
    "direction of bitcoin",
    "s-private-key",
    "GALA fell 12% in 24 hours while bitcoin fell 6%.",
    "market:coin",
    "market:btc"
  ],
  [
    "reject",
    "direction",
    "s-private-key",
    "GALA rose after an attacker minted 5 billion tokens.",
    "Gala Games attacker"
  ],
  [
    "reject",
    "banned cause",
    "s-private-key",
    "GALA fell because an attacker minted 5 billion GALA.",
    "Gala Games attacker"
  ],
  [
    "reject",
    "advice",
    "s-private-key",
    "Holders should sell GALA after the attacker minted 5 billion tokens.",
    "Gala Games attacker"
  ],
  ["reject", "no citation", "s-private-key", "An attacker minted 5 billion GALA."],
  ["reject", "unknown citation", "s-private-key", "An attacker minted 5 billion GALA.", "e77"],
  ["reject", "ambiguous source", "s-private-key", "The annual gala raised $26 million.", "Stars gather"],
  [
    "reject",
    "quote",
    "s-exit",
    "The project said the drop came from “careless forced liquidations”.",
    "“Reckless forced"
  ],
  [
    "accept",
    "quote",
    "s-exit",
    "Mantra blames “reckless liquidations by exchanges”, The Block reports.",
    "Mantra’s OM craters"
  ],
  ["reject", "hedge removed", "s-exit", "The Mantra team rug pulled OM.", "Users claim Mantra"],
  ["reject", "negation removed", "s-exit", "The project had sold.", "“Reckless forced"],
  ["accept", "denial kept", "s-exit", "The project denied having sold.", "“Reckless forced"],
  [
    "accept",
    "paraphrase",
    "s-exit",
    "Mantra co-founder John Patrick Mullin said positions were force-closed during low-liquidity hours.",
    "Mantra’s OM craters"
  ],
  [
    "reject",
    "institution",
    "s-exit",
    "Mullin said that Binance force-closed positions during low-liquidity hours.",
    "Mantra’s OM craters"
  ],
  [
    "accept",
    "paraphrase",
    "s-sec-suit",
    "The SEC filed 13 charges against Binance entities and Changpeng Zhao.",
    "SEC Files 13"
  ],
  [
    "accept",
    "number word",
    "s-sec-suit",
    "The SEC filed thirteen charges against Binance entities and Changpeng Zhao.",
    "SEC Files 13"
  ],
  ["reject", "swapped roles", "s-sec-suit", "Binance sues the SEC.", "SEC Sues Binance"],
  [
    "reject",
    "charge invented",
    "s-sec-suit",
    "The SEC filed 13 criminal convictions against Changpeng Zhao and sentenced the founder to prison.",
    "SEC Files 13"
  ],
  [
    "accept",
    "date",
    "s-delist-innov",
    "Binance will cease trading of WAVES spot pairs on 17 June 2024.",
    "Notice of Removal"
  ],
  [
    "reject",
    "date",
    "s-delist-innov",
    "Binance will cease trading of WAVES spot pairs on 27 June 2024.",
    "Notice of Removal"
  ],
  ["reject", "name", "s-delist-innov", "Binance and OKX will remove WAVES spot pairs.", "Notice of Removal"],
  [
    "accept",
    "support",
    "s-depeg",
    "UST fell below 70 cents, and the peg broke for a second time in three days.",
    "UST Stablecoin Falls"
  ],
  ["reject", "percent for cents", "s-depeg", "UST fell below 70% of its reserves.", "UST Stablecoin Falls"],
  [
    "accept",
    "number",
    "s-depeg",
    "Luna Foundation Guard lends $1.5 billion in bitcoin and UST to defend the peg.",
    "Luna Foundation Guard"
  ],
  [
    "reject",
    "scale",
    "s-depeg",
    "Luna Foundation Guard lends $1.5 million in bitcoin and UST to defend the peg.",
    "Luna Foundation Guard"
  ],
  [
    "accept",
    "paraphrase",
    "s-funding",
    "Berachain raised $120 million in a Series C round led by Paradigm.",
    "Berachain lands"
  ],
  ["reject", "roles", "s-funding", "Paradigm raised $120 million in a Series C led by Berachain.", "Berachain lands"],
  ["reject", "outside", "s-funding", "Brevan Howard and Polychain led the $120 million Series C.", "Berachain lands"],
  ["accept", "none", "s-none-fil", "No clear catalyst was found in the sources checked.", "coverage"],
  ["reject", "memory", "s-none-gmx", "GMX fell after $42 million was stolen from its V1 GLP pool.", "GMX sheds"],
  [
    "reject",
    "memory, figures",
    "s-none-gmx",
    "GMX fell 24% after a reentrancy exploit of its GLP pool.",
    "market:coin"
  ],
  ["reject", "injection", "s-none-inject", "Binance will list RVN against the dollar.", "Ravencoin gains"],
  [
    "reject",
    "markup",
    "s-funding",
    "Berachain raised $120 million, see https://example.com/berachain.",
    "Berachain lands"
  ],
  ["accept", "unlock", "s-unlock", "About 24.8 million APT, or 9% of supply, went to backers and staff.", "Some $170M"],
  ["reject", "unit", "s-unlock", "About $24.8 million of APT went to backers and staff.", "Some $170M"],
  ["accept", "volume", "s-unlock", "APT’s volume was 4 times its weekly average.", "market:coin"],
  ["reject", "volume", "s-unlock", "APT’s volume was 9 times its weekly average.", "market:coin"],
  ["reject", "second round", "f-kwon", "Avery Ching is out as CEO of Aptos Labs.", "Mo Shaikh is out"],
  ["accept", "second round", "f-xlm", "The foundation burned 55 billion of 105 billion lumens.", "SDF’s next"],
  ["reject", "second round", "f-xlm", "The foundation burned 55 million lumens.", "SDF’s next"],
  [
    "accept",
    "second round",
    "f-xlm",
    "The Stellar foundation burned more than half of its lumens, 55bn out of 105bn.",
    "SDF’s next"
  ],
  [
    "accept",
    "second round",
    "f-tornado",
    "A US appeals court said the Treasury overstepped with its sanctions on a crypto mixer.",
    "US appeals court"
  ],
  ["reject", "second round", "f-tornado", "The Supreme Court struck down the sanctions.", "US appeals court"],
  [
    "accept",
    "second round",
    "f-trx",
    "Nasdaq-listed SRM Entertainment will buy and hold TRX, the Financial Times reports.",
    "Justin Sun’s Tron"
  ],
  ["reject", "second round", "f-trx", "SRM Entertainment has bought $210 million of TRX.", "Justin Sun’s Tron"],
  ["reject", "second round", "f-trx", "SRM Entertainment has bought TRX.", "Justin Sun’s Tron"],
  [
    "accept",
    "second round",
    "f-buy-hype",
    "Eyenovia announced a $50 million private placement to set up a HYPE reserve.",
    "Eyenovia announces"
  ],
  [
    "reject",
    "second round",
    "f-buy-hype",
    "Eyenovia announced a 50% private placement to set up a HYPE reserve.",
    "Eyenovia announces"
  ],
  [
    "reject",
    "second round",
    "f-buy-hype",
    "Hyperliquid announced a $50 million private placement to establish an Eyenovia reserve and guaranteed returns.",
    "Eyenovia announces"
  ],
  [
    "accept",
    "second round",
    "f-flow-bad",
    "Attackers took about $3.9 million off the Flow network.",
    "Flow Foundation"
  ],
  ["reject", "second round", "f-flow-bad", "Flow has confirmed a security incident.", "Flow Foundation"],
  [
    "accept",
    "second round",
    "f-flow-bad",
    "The Flow Foundation is looking into a possible security incident.",
    "Flow Foundation"
  ],
  [
    "accept",
    "second round",
    "f-binance-tag",
    "Binance will extend its monitoring tag to REQ on 6 March 2025.",
    "Binance Will"
  ],
  ["reject", "second round", "f-binance-tag", "Binance will delist REQ on 2025-03-06.", "Binance Will"],
  ["accept", "second round", "f-bridge", "The Wormhole bridge lost 120,000 ether.", "Crypto Bridge"],
  [
    "reject",
    "second round",
    "f-bridge",
    "The thief returned the $320 million in exchange for a bounty.",
    "Crypto Bridge"
  ],
  ["accept", "second round", "f-bridge", "Wormhole asked the thief to return $320 million.", "Crypto Bridge"],
  ["accept", "second round", "f-bridge", "SOL fell 11.5% over 24 hours; bitcoin fell 2%.", "market:coin", "market:btc"],
  ["reject", "second round", "f-bridge", "SOL fell 11.5% over 24 hours and will likely recover.", "market:coin"],
  [
    "accept",
    "second round",
    "f-steem",
    "Tron Foundation is acquiring Steemit, and STEEM holders will be offered tokens on Tron.",
    "Tron Foundation"
  ],
  ["reject", "second round", "f-steem", "Steemit acquired the Tron Foundation.", "Tron Foundation"],
  [
    "accept",
    "second round",
    "f-wide-fed",
    "The Fed trimmed rates but pencilled in fewer reductions for 2025.",
    "Fed trims"
  ],
  ["reject", "second round", "f-wide-fed", "The Fed raised rates by 25 basis points.", "Fed trims"],
  [
    "accept",
    "second round",
    "g-own-godaddy",
    "GoDaddy customers can tie web domains to ENS wallets for free.",
    "GoDaddy lets"
  ],
  ["reject", "second round", "g-own-godaddy", "GoDaddy acquired Ethereum Name Service.", "GoDaddy lets"],
  [
    "accept",
    "second round",
    "g-own-hack-twitter",
    "IOTA’s foundation said funds were stolen from about ten accounts and turned off the Coordinator.",
    "Trinity wallet"
  ],
  ["reject", "second round", "g-own-hack-twitter", "Funds were stolen from about fifty accounts.", "Trinity wallet"],
  ["accept", "second round", "g-own-court", "A judge found that LBRY sold unregistered securities.", "Judge hands"],
  [
    "reject",
    "second round",
    "g-own-court",
    "A judge found that LBRY did not sell unregistered securities.",
    "Judge hands"
  ]
]
