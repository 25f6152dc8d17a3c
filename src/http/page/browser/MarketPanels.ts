// The total market, and the list of coins with its pages.
import type { Coins, Global } from "./Answers.ts"
import { age } from "./Clock.ts"
import { button, changed, type Content, figure, find, h, quoted, small, unseen } from "./Elements.ts"
import type { ShowHistory } from "./HistoryPanel.ts"
import { dollars, percent, shortDollars, whole } from "./Figures.ts"
import { makePanel } from "./Panel.ts"
import { items, table } from "./Tables.ts"

type Coin = Coins["coins"][number]

const STALE_AFTER = 900
const ROWS = 15

export const startGlobal = (): void => {
  const show = (data: Global): Content =>
    items([
      ["Market cap", figure(data.market_cap, shortDollars), [changed(data.market_cap_change_24h), " in 24 hours"]],
      ["Volume, 24 hours", figure(data.volume_24h, shortDollars)],
      ["Bitcoin dominance", figure(data.btc_dominance, percent)],
      ["Ethereum dominance", figure(data.eth_dominance, percent)],
      ["Coins", figure(data.active_coins, whole)]
    ])
  void makePanel<Global>({ id: "global", staleAfter: STALE_AFTER, show }).load()
}

const row = (coin: Coin, showHistory: ShowHistory): ReadonlyArray<Content> => [
  [
    button(() => showHistory(coin.id), quoted(coin.name), unseen(" history")),
    small(`${coin.rank ?? "no rank"} · ${coin.symbol} · `, h("code", coin.id))
  ],
  figure(coin.price, dollars),
  changed(coin.change_24h),
  changed(coin.change_1h),
  changed(coin.change_7d),
  figure(coin.market_cap, shortDollars),
  figure(coin.volume_24h, shortDollars),
  age(coin.updated)
]

/** Offers the coins wherever one can be typed. */
const offer = (coins: ReadonlyArray<Coin>) => {
  for (const id of ["assets", "coin-ids"]) {
    const list = find(HTMLDataListElement, `#${id}`)
    const offered = new Set([...list.options].map(({ value }) => value))
    const others = coins.filter((coin) => !offered.has(coin.id))
    list.append(...others.map((coin) => h("option", { value: coin.id }, `${coin.name} (${coin.symbol})`)))
  }
}

export const startCoins = (showHistory: ShowHistory): void => {
  const turn = (page: number, text: string) =>
    button(async () => {
      await panel.go(`/v1/coins?limit=${ROWS}&page=${page}`, () => `Coins, page ${page}`)
      find(HTMLElement, "#coins h2").scrollIntoView()
      // The button that was pressed is gone: the focus stays in the list.
      find(HTMLElement, "#coins .wide, #coins .pages button").focus({ preventScroll: true })
    }, text)

  const show = (data: Coins): Content => {
    const page = Number(data.page)
    offer(data.coins)
    return [
      data.coins.length === 0
        ? h("p", "The list ends before this page.")
        : table({
            caption: `Coins, page ${page}`,
            heads: ["Coin", "Price", "24 hours", "1 hour", "7 days", "Market cap", "Volume, 24 h", "Age"],
            rows: data.coins.map((coin) => row(coin, showHistory))
          }),
      h(
        "div",
        { class: "pages" },
        page > 1 ? turn(page - 1, `Previous ${ROWS}`) : null,
        h("span", { class: "soft" }, `Page ${page}`),
        data.coins.length === ROWS ? turn(page + 1, `Next ${ROWS}`) : null
      )
    ]
  }

  const panel = makePanel<Coins>({ id: "coins", staleAfter: STALE_AFTER, show })
  void panel.load()
}
