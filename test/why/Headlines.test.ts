// What a headline is taken for: invented ones of each kind, and some that tell of no event. Each is scored as a report
// of a first-tier publisher, on time, for a coin that moved the way such news pushes.
import { assert, describe, it } from "@effect/vitest"
import * as sanitize from "../../src/sources/news/sanitize.ts"
import { isInjection } from "../../src/why/Junk.ts"
import { DRIVER_THRESHOLD } from "../../src/why/Scoring.ts"
import { events, misses, orders, plain } from "./cases/secondHeadlines.ts"
import { headlineScore, item } from "./support.ts"

type Row = readonly [title: string, direction: 1 | -1, coin?: string]

const kinds: Readonly<Record<string, ReadonlyArray<Row>>> = {
  exploit: [
    ["Kadena bridge emptied of $40 million by unknown attacker", -1],
    ["Attackers make off with $55M after Kadena private keys leak", -1],
    ["Kadena lending pool hit by flash loan attack", -1],
    ["Kadena DeFi vaults looted, team pauses contracts", -1],
    ["Kadena protocol suffers $80 million loss after oracle was manipulated", -1]
  ],
  outage: [
    ["Kadena mainnet grinds to a halt as validators lose consensus", -1],
    ["Kadena goes offline for four hours", -1],
    ["No blocks on Kadena since early morning, explorers show", -1]
  ],
  insolvency: [
    ["Kadena's largest market maker files for Chapter 11", -1],
    ["Kadena backer suspends redemptions and hires restructuring advisers", -1]
  ],
  depeg: [
    ["Kadena's native stablecoin falls to 91 cents", -1],
    ["Stablecoin on Kadena loses its peg after redemptions", -1]
  ],
  delisting: [
    ["Binance to Remove Kadena and Four Other Tokens", -1],
    ["Upbit ends trading support for Kadena (KDA)", -1],
    ["Bybit will delist KDA next Friday", -1],
    ["Robinhood to end support for Cardano, Polygon and Kadena", -1]
  ],
  listing: [
    ["Binance Will List Kadena (KDA) with Seed Tag Applied", 1],
    ["Coinbase adds Kadena to listing roadmap", 1],
    ["Kadena wins Robinhood listing", 1],
    ["Upbit to open won trading for Kadena", 1],
    ["Spot trading for Kadena (KDA) opens on Kraken", 1]
  ],
  regulatory: [
    ["SEC sues Kadena developer over unregistered offering", -1],
    ["Judge throws out class action against Kadena founders", 1],
    ["Kadena co-founder indicted on fraud charges", -1],
    ["Kadena foundation settles with CFTC, avoids fine", 1],
    ["Dubai regulator grants Kadena a virtual asset licence", 1],
    ["Treasury Department sanctions Kadena mixer", -1]
  ],
  etf: [
    ["VanEck files for spot Kadena ETF", 1],
    ["SEC approves first Kadena exchange-traded fund", 1],
    ["SEC rejects Kadena ETF application", -1],
    ["Kadena ETF sees record inflows on debut", 1]
  ],
  treasury: [
    ["Nasdaq-listed miner adds $200M of Kadena to its balance sheet", 1],
    ["Biotech firm to become Kadena treasury company with $150M raise", 1],
    ["Public company buys 90 million KDA for corporate treasury", 1]
  ],
  funding: [
    ["Kadena raises $120 million in round led by Paradigm", 1],
    ["a16z invests $70M in Kadena token sale", 1]
  ],
  partnership: [
    ["Mastercard picks Kadena for cross-border settlement", 1],
    ["Kadena teams up with Deutsche Bank on tokenized bonds", 1],
    ["Kadena integrated by PayPal for stablecoin payments", 1],
    ["Central bank selects Kadena for digital currency pilot", 1]
  ],
  upgrade: [
    ["Kadena activates hard fork that doubles throughput", 1],
    ["Kadena launches EVM-compatible mainnet", 1],
    ["Kadena's v3 goes live after two years of work", 1],
    ["Kadena delays mainnet after bug is found", -1]
  ],
  migration: [
    ["Kadena to rebrand as Argent Chain and swap tokens one to one", 1],
    ["Kadena and Nervos agree to merge their tokens", 1]
  ],
  tokenomics: [
    ["Kadena votes to burn half of its supply", 1],
    ["Kadena DAO approves $50M buyback", 1],
    ["Kadena cuts emissions by 40% in governance overhaul", 1],
    ["Kadena turns on fee switch for stakers", 1],
    ["Kadena to mint 200 million new tokens", -1]
  ],
  token_unlock: [
    ["Kadena faces $90M token unlock for early investors", -1],
    ["Kadena investors agree to extend lock-up by two years", 1],
    ["Insider tokens worth $80M unlocked at Kadena", -1]
  ],
  airdrop: [
    ["Kadena announces airdrop for stakers", 1],
    ["Kadena airdrop recipients dump tokens as claims open", -1]
  ],
  whale: [
    ["Dormant whale sends $60M of Kadena to Binance", -1],
    ["Kadena foundation wallet sells 40 million KDA", -1],
    ["Whale withdraws 80 million KDA from Coinbase", 1]
  ],
  liquidations: [
    ["Kadena short squeeze liquidates $50M of positions", 1],
    ["Kadena plunges as $80M of longs are liquidated", -1]
  ],
  social: [
    ["Elon Musk posts Kadena meme on X", 1],
    ["Trump endorses Kadena on Truth Social", 1],
    ["Kadena goes viral on TikTok after celebrity shout-out", 1]
  ],
  leadership: [
    ["Kadena CEO steps down after board dispute", -1],
    ["Kadena founder returns as chief executive", 1],
    ["Kadena core team resigns en masse", -1]
  ]
}

const nothing: ReadonlyArray<Row> = [
  // Denials, questions, delays, rumours.
  ["Kadena denies hack, says funds are safe", -1],
  ["Was Kadena hacked?", -1],
  ["Kadena team dismisses insolvency rumours", -1],
  ["Kadena delays mainnet launch to next year", 1],
  ["Rumour: Kadena in talks with Apple", 1],
  ["Binance will not list Kadena, spokesperson says", 1],
  ["Could Kadena be the next big listing?", 1],
  // Routine.
  ["Kadena hosts hackathon in Lisbon", 1],
  ["Kadena wallet adds dark mode", 1],
  ["Kadena releases version 2.4.1 of its node software", 1],
  ["Kadena named among fastest-growing blockchains", 1],
  ["Neighbourhood coffee shop accepts Kadena", 1],
  ["Kadena testnet maintenance scheduled for Tuesday", -1],
  ["Binance adds KDA to Simple Earn", 1],
  ["Binance Will Support the Kadena (KDA) Network Upgrade & Hard Fork", 1],
  ["Kadena monthly development report", 1],
  ["Kadena appoints new head of marketing", 1],
  // Noise.
  ["Kadena price prediction: can KDA hit $5?", 1],
  ["Analyst sees Kadena rallying 200% on breakout", 1],
  ["Kadena eyes $2 as RSI leaves oversold zone", 1],
  ["Top 5 coins to watch: Kadena, Radix and more", 1],
  ["Forget Kadena: this new token could 100x", 1],
  ["How to buy Kadena in three steps", 1],
  // Price only.
  ["Kadena jumps 20% in a day", 1],
  ["Why is Kadena down today?", -1],
  ["Kadena drops to lowest level since March", -1],
  ["Kadena falls as investors rotate into bitcoin", -1],
  ["Kadena slides with altcoins as bitcoin dips", -1],
  ["Kadena soars as trading volume hits $500 million", 1],
  ["Kadena team member breaks silence on upcoming upgrade", 1],
  ["Kadena whale buys 20,000 KDA", 1],
  ["Kadena explorer outage confuses users", -1],
  // Other coins, and old stories.
  ["Nervos bridge hacked for $30 million, Kadena holders unaffected", -1],
  ["Radix and Nervos lead losses while Kadena holds steady", -1],
  ["A year after the Kadena bridge hack, victims still wait", -1],
  ["How the 2022 Kadena exploit happened", -1],
  // The wrong way.
  ["Kadena partners with Google Cloud", -1],
  ["Kadena bridge drained of $40 million", 1]
]

describe("headlines", () => {
  for (const [kind, rows] of Object.entries(kinds))
    for (const [title, sign] of rows)
      it(`${kind}: ${title}`, () => {
        const best = headlineScore(title, sign)
        assert.isAtLeast(best.score, DRIVER_THRESHOLD, JSON.stringify(best))
        assert.strictEqual(best.kind, kind, JSON.stringify(best))
      })
  for (const [title, sign] of nothing)
    it(`nothing: ${title}`, () => {
      const best = headlineScore(title, sign)
      assert.isBelow(best.score, DRIVER_THRESHOLD, JSON.stringify(best))
    })
})

// Blind, before the rules were changed for them: events 63 of 101, then 42 of 48; misses taken for causes 5 of 59, then
// 7 of 55; orders recognised 9 of 22.
describe("a second engineer's headlines", () => {
  it("are read as what happened", () => {
    const missed = events.filter(([kind, sign, title]) => {
      const read = headlineScore(title, sign)
      return read.kind !== kind || read.score < DRIVER_THRESHOLD
    })
    assert.isAtMost(missed.length, 3, missed.map(([, , title]) => title).join(" | "))
  })

  it("are no cause where they tell of no event", () => {
    const taken = misses.flatMap(([sign, title]) => {
      const { kind, score } = headlineScore(title, sign)
      return score >= DRIVER_THRESHOLD ? [{ kind, title }] : []
    })
    // A newsroom of the first rank is believed also in words of no kind: that lets some through.
    const [other, known] = [true, false].map((isOther) => taken.filter(({ kind }) => (kind === "other") === isOther))
    assert.isAtMost(known?.length ?? 0, 1, JSON.stringify(known))
    assert.isAtMost(other?.length ?? 0, 6, JSON.stringify(other))
  })

  it("give no orders to a machine, however they are marked up", () => {
    const isOrder = (summary: string): boolean => {
      const text = sanitize.text({ title: "KDA gains", summary })
      return text === null ? assert.fail("nothing is left of the title") : isInjection(item(text))
    }
    for (const summary of orders) assert.isTrue(isOrder(summary), summary)
    for (const summary of plain) assert.isFalse(isOrder(summary), summary)
  })
})
