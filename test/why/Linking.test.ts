// Whether a headline is about a coin: names that are ordinary words, names inside names, and the subject of a headline.
import { assert, describe, it } from "@effect/vitest"
import { byId } from "../../src/domain/CoinRegistry.ts"
import { linkStrength } from "../../src/why/Linking.ts"
import { readPool } from "../../src/why/Pool.ts"
import { domainOfPublisher } from "./publisherDomains.ts"
import { item, kadena } from "./support.ts"

const coinOf = (id: string): typeof kadena => {
  const known = byId(id)
  return { ...kadena, id, symbol: (known?.symbol ?? id).toUpperCase(), name: known?.name ?? id }
}

/** How the first of these items is linked to the coin. */
const linkTo = (id: string, fields: Parameters<typeof item>[0]): number => {
  const coin = coinOf(id)
  const { publisher = "The Block" } = fields
  const [entry] = readPool(
    [item({ url: `https://www.${domainOfPublisher(publisher)}/story`, ...fields })],
    [coin]
  ).items
  return entry === undefined ? assert.fail("an item was not read") : linkStrength(entry, coin)
}

const strength = (id: string, title: string, publisher = "The Block"): number => linkTo(id, { title, publisher })

const about: ReadonlyArray<readonly [id: string, title: string, publisher?: string]> = [
  ["near", "NEAR Foundation names new chief executive"],
  ["near", "Traders pile into $NEAR after AI launch"],
  ["chainlink", "Chainlink teams up with Swift", "Reuters"],
  ["chainlink", "Grayscale files for spot fund on LINK token"],
  ["optimism", "Optimism Foundation sells 19 million OP tokens"],
  ["stellar", "Stellar Development Foundation burns half of its lumens"],
  ["flow", "Flow blockchain halts after exploit"],
  ["bitcoin-cash", "Bitcoin Cash jumps as new exchange lists four coins", "Reuters"],
  ["ripple", "Ripple wins appeal in court", "Reuters"],
  ["the-open-network", "Telegram founder Pavel Durov leaves France", "Reuters"],
  ["official-trump", "TRUMP token holders invited to dinner", "CNBC"],
  ["compound-governance-token", "Compound Labs founder raises fund for tokenized bonds"],
  ["gala", "Gala Games confirms security incident"],
  ["sui", "Sui validators halt the chain"],
  // Capitals that an everyday word would not have.
  ["gala", "Five billion minted overnight as GALA changes hands"],
  // An owner may end in a bare apostrophe, a ticker may be written like a name.
  ["blockstack", "Stacks' new release goes live on Tuesday", "Blockworks"],
  ["jasmycoin", "Osaka broker opens accounts for Jasmy", "CoinDesk"],
  ["ocean-protocol", "Ocean Protocol leaves alliance", "Reuters"],
  ["rocket-pool", "Rocket Pool lowers its bond", "Reuters"]
]

const notAbout: ReadonlyArray<readonly [id: string, title: string, publisher?: string]> = [
  ["near", "Bitcoin holds near $60,000 ahead of Fed"],
  ["jasmycoin", "Jasmy Okafor wins mayoral race", "Reuters"],
  ["compound-governance-token", "Chemist Sells New Compound's Rights to Stablecoin Issuer", "Reuters"],
  ["near", "Gold Trades Near Record High as Dollar Slips", "Reuters"],
  ["chainlink", "Study finds link between coffee and longevity", "BBC News"],
  ["optimism", "Optimism Over Rate Cuts Lifts Stocks", "Bloomberg"],
  ["optimism", "OP-ED: why banks should fear stablecoins"],
  ["story-2", "Disney's IP Story Takes Another Turn", "Reuters"],
  ["stellar", "Nvidia posts stellar results", "CNBC"],
  ["flow", "Apple's free cash flow tops forecasts", "MarketWatch"],
  ["flow", "ETF flows turn positive for first time in a month"],
  ["bitcoin", "Bitcoin Cash completes its halving"],
  ["ethereum", "Ethereum Classic miners gather in Texas"],
  ["the-graph", "The graph shows a falling birth rate", "BBC News"],
  ["official-trump", "Trump signs order on drug prices", "Reuters"],
  ["official-trump", "TRUMP SIGNS ORDER ON DRUG PRICES AND SCHOOLS", "Associated Press"],
  ["compound-governance-token", "The power of compound interest", "CNBC"],
  ["gala", "Met Gala raises record sum", "Vogue"],
  ["the-open-network", "Copper climbs above $9,000 a ton", "Reuters"],
  ["sun-token", "The sun sets on coal in Britain", "BBC News"],
  ["cosmos", "New telescope maps the cosmos", "Nature"],
  ["tether", "Together, banks plan a new payment rail", "Reuters"],
  ["story-2", "Writers sell a Story of one city", "Reuters"]
]

describe("link", () => {
  for (const [id, title, publisher] of about)
    it(`${id}: ${title}`, () => assert.isAtLeast(strength(id, title, publisher), 0.6))
  for (const [id, title, publisher] of notAbout)
    it(`not ${id}: ${title}`, () => assert.strictEqual(strength(id, title, publisher), 0))

  it("takes an exchange's name for its coin where no other coin is named", () => {
    assert.strictEqual(strength("bitget-token", "Bitget halts withdrawals"), 0.8)
    assert.strictEqual(strength("bitget-token", "Bitget to delist Solana"), 0)
  })

  it("takes every symbol in an exchange's announcement at its word", () => {
    for (const [id, symbol] of [
      ["icon", "ICX"],
      ["gas", "GAS"],
      ["mantra-dao", "OM"]
    ] as const) {
      const title = `OKX to delist DORA, ${symbol}, STORJ, ZEUS and ELF spot trading pairs`
      const notice = linkTo(id, { title, publisher: "OKX", type: "exchange_announcement" })
      assert.isAtLeast(notice, 0.75, symbol)
    }
  })

  it("is none where the item says that it is about another of that name", () => {
    const title = "Kadena schedules its fourth hard fork"
    assert.isAbove(linkTo("kadena", { title, summary: "The chain will activate the change in May." }), 0.9)
    const summary = "The orchard, which is unrelated to the chain of that name, will graft in May."
    assert.strictEqual(linkTo("kadena", { title, summary }), 0)
  })

  it("takes a ticker that is written like a name for the coin where it owns something", () => {
    const summary = "The THORChain token gained."
    assert.isAbove(linkTo("thorchain", { title: "Rune's mainnet nears", summary }), 0.85)
    assert.strictEqual(linkTo("thorchain", { title: "Rune stones found in Norway" }), 0)
  })
})
