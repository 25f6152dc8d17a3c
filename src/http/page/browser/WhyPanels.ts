// Why coins moved: the biggest movers with the market behind them, and one coin that the user names.
import { suggestCoins } from "./CoinSuggestions.ts"
import type { Why, WhyOne } from "./Answers.ts"
import { age } from "./Clock.ts"
import { changed, type Content, figure, fillIn, h, quoted, startForm, typedId } from "./Elements.ts"
import { driverList, explanation, sourceList } from "./Explanation.ts"
import { percent, whole } from "./Figures.ts"
import { makePanel } from "./Panel.ts"

const STALE_AFTER = 900

const marketView = (market: Why["market"]): HTMLElement =>
  h(
    "div",
    { class: "market" },
    h(
      "p",
      // The summary's trailing `[1]` refer to the list below.
      quoted(market.summary.replace(/(\s*\[\d+\])+$/, "")),
      [" Of the 100 largest coins ", figure(market.top100_up_pct, whole), "% rose;"],
      [" the median change is ", changed(market.top100_median_change_24h), "."]
    ),
    driverList(market.drivers, market.citations),
    sourceList(market.citations)
  )

const disclaimer = (text: string) => h("p", { class: "lead" }, text)

export const startWhy = (): void => {
  const show = (data: Why): Content => [
    marketView(data.market),
    data.movers.length === 0
      ? h(
          "p",
          { class: "reason" },
          "No coin is listed: none moved far enough, or the service has just started and still lacks the hourly prices."
        )
      : data.movers.map((mover, place) => explanation(mover, place === 0)),
    disclaimer(data.disclaimer)
  ]
  void makePanel<Why>({ id: "why", staleAfter: STALE_AFTER, show }).load()
}

const reasonText = ({ reason, sigma, threshold_pct }: NonNullable<WhyOne["not_a_mover"]>): string => {
  const usual = sigma === null ? "" : `; its usual daily change is ${percent(sigma)}`
  const texts: Readonly<Record<typeof reason, string>> = {
    below_threshold: `A change of at least ${percent(threshold_pct)} would be listed${usual}.`,
    below_liquidity_floor: "Too little of it is traded for its price to mean much.",
    below_rank_floor: "Only the largest coins are watched, and it is not among them.",
    excluded_category: "Stablecoins and receipts for other coins are not listed.",
    unreliable_price: "Its price is not reliable."
  }
  return texts[reason]
}

const notAMover = (data: NonNullable<WhyOne["not_a_mover"]>): Content => [
  h("p", { class: "sum" }, "Not a mover"),
  h("p", { class: "lead" }, reasonText(data))
]

/** Asks only when the user does: the page's first view spends no request on it. */
export const startCoin = (): void => {
  const show = (data: WhyOne): Content => [
    data.not_a_mover === null ? null : notAMover(data.not_a_mover),
    explanation(data, true),
    data.last_explanation === null
      ? null
      : [
          h("p", { class: "lead" }, "Its last explanation, ", age(data.last_explanation.revised_at), ":"),
          explanation(data.last_explanation, false)
        ],
    disclaimer(data.disclaimer)
  ]

  const choose = (id: string): Promise<void> => {
    fillIn("id", id)
    return askWhy()
  }

  const panel = makePanel<WhyOne>({ id: "coin", staleAfter: STALE_AFTER, show, choose })

  const askWhy = (): Promise<void> => panel.go(`/v1/why/${typedId("id")}`, ({ headline }) => headline)

  startForm("#asker", askWhy)
  suggestCoins("id", "coin-ids")
}
