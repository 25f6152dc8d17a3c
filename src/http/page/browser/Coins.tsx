// The table of coins, which users can sort and search, with prices in any of the quoted fiats.
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { useAnswer } from "./Answer.ts"
import type { Coin, Figure, Prices, Search } from "./Answers.ts"
import { STALE_AFTER } from "./Clock.ts"
import { useCoins, useRested } from "./Assets.ts"
import { money, nameOf, numberOf, shortDollars } from "./Figures.ts"
import { fiatsFor, foundIn } from "./Found.ts"
import { Panel } from "./Panel.tsx"
import { Change, CoinLink, FiatSelect, Num, Sparkline, Unseen } from "./Pieces.tsx"
import { api, coinPath, conversionPath } from "./Route.ts"

/** Rows at first. Each press of "Show more" adds twice as many. */
const ROWS = 20

interface RowOptions {
  readonly coin: Coin
  /** In the list, from 1: ranks are of several sources, and two coins may have the same. */
  readonly place: number
  readonly price: Figure | null | undefined
  readonly fiat: string
}

/** The sortable columns, by the member of a coin. `first`: the direction of the first click, 1 for ascending. */
const columns = {
  rank: { head: "#", first: 1, cell: ({ place }) => place },
  name: { head: "Coin", first: 1, cell: ({ coin }) => <CoinLink coin={coin} /> },
  price: { head: "Price", first: -1, cell: ({ fiat, price }) => <Num of={price} format={money(fiat)} /> },
  change_1h: { head: "1 h", first: -1, cell: ({ coin }) => <Change of={coin.change_1h} /> },
  change_24h: { head: "24 h", first: -1, cell: ({ coin }) => <Change of={coin.change_24h} /> },
  change_7d: { head: "7 d", first: -1, cell: ({ coin }) => <Change of={coin.change_7d} /> },
  market_cap: { head: "Market cap", first: -1, cell: ({ coin }) => <Num of={coin.market_cap} format={shortDollars} /> }
} as const satisfies Partial<
  Record<keyof Coin, { head: string; first: 1 | -1; cell: (row: RowOptions) => ComponentChildren }>
>

type Key = keyof typeof columns

const keys = Object.keys(columns).filter((key): key is Key => key in columns)

interface Order {
  readonly key: Key
  /** 1: ascending. */
  readonly way: 1 | -1
}

/** Unknown figures are last in both directions. */
const compared =
  ({ key, way }: Order, placeOf: (coin: Coin) => number) =>
  (one: Coin, other: Coin): number => {
    if (key === "rank") return way * (placeOf(one) - placeOf(other))
    if (key === "name") return way * one.name.localeCompare(other.name, "en")
    const [a, b] = [one[key], other[key]]
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return way * (Number(a) - Number(b))
  }

/** The recorded daily closes of a week, by coin. */
type Weeks = Readonly<Record<string, ReadonlyArray<Figure | null>>>

interface HeadOptions {
  readonly order: Order
  readonly setOrder: (order: Order) => void
}

const Head = ({ order, setOrder }: HeadOptions) => (
  <thead>
    <tr>
      {keys.map((key) => {
        const { first, head } = columns[key]
        const isChosen = order.key === key
        const way = isChosen && order.way === first ? (first === 1 ? -1 : 1) : first
        const sort = order.way === 1 ? "ascending" : "descending"
        return (
          <th scope="col" key={key} class={key} aria-sort={isChosen ? sort : undefined}>
            <button type="button" onClick={() => setOrder({ key, way })}>
              {head}
            </button>
          </th>
        )
      })}
      <th scope="col" class="line">
        7 days
      </th>
    </tr>
  </thead>
)

/** The coins of the whole registry that the API finds for a word; `undefined` before it answers. */
const useResults = (word: string): Search["coins"] | undefined => {
  const rested = useRested(word, 350)
  const isAsked = rested === word && word.length > 1 && word.length <= 100
  return useAnswer<Search>(isAsked ? api.search(word) : null, 3600).data?.coins
}

interface OthersOptions {
  readonly word: string
  readonly others: Search["coins"]
  /** Whether the table and the registry have no coin for the word. */
  readonly isNone: boolean
}

/** What a word finds beside the rows of the table. */
const Others = ({ isNone, others, word }: OthersOptions) => {
  const fiats = fiatsFor(word)
  return (
    <>
      {isNone && <p>No coin has this name, ticker or contract address.</p>}
      {others.length > 0 && (
        <p class="others">
          Other coins:{" "}
          {others.map(({ id, name, symbol }) => (
            <a key={id} href={coinPath(id)}>
              <bdi>{name}</bdi> ({symbol})
            </a>
          ))}
        </p>
      )}
      {fiats.length > 0 && (
        <p class="others">
          Currencies are in the converter:{" "}
          {fiats.map((code) => (
            <a key={code} href={conversionPath("tether", code)}>
              {nameOf(code)} ({code})
            </a>
          ))}
        </p>
      )}
    </>
  )
}

interface TableOptions {
  readonly coins: ReadonlyArray<Coin>
  readonly word: string
  readonly fiat: string
}

const CoinTable = ({ coins, fiat, word }: TableOptions) => {
  const [order, setOrder] = useState<Order>({ key: "rank", way: 1 })
  const [rows, setRows] = useState(ROWS)
  const placeOf = (coin: Coin) => coins.indexOf(coin) + 1
  const results = useResults(word)
  const { others, rows: unsorted } = foundIn(coins, word, results)
  const found = unsorted.toSorted(compared(order, placeOf))
  const shown = found.slice(0, rows)
  // All of them: another order or more rows ask for nothing.
  const asked = coins.map(({ id }) => id).join(",")
  const { data: prices } = useAnswer<Prices>(
    fiat === "USD" ? null : `v1/prices?${new URLSearchParams({ ids: asked, fiats: fiat.toLowerCase() })}`,
    90
  )
  const priceOf = new Map(prices?.prices.map(({ id, price }) => [id, price[fiat] ?? null]))
  const { data: weeks } = useAnswer<Weeks>(api.weeks, 3600)
  return (
    <>
      <table class="coins">
        <caption class="unseen">Coins, prices in {fiat}, market caps in USD</caption>
        <Head order={order} setOrder={setOrder} />
        <tbody>
          {shown.map((coin) => {
            const row = { coin, fiat, place: placeOf(coin), price: fiat === "USD" ? coin.price : priceOf.get(coin.id) }
            return (
              <tr key={coin.id} title={`Price by ${coin.source}`}>
                {keys.map((key) => {
                  const cell = columns[key].cell(row)
                  return key === "name" ? (
                    <th scope="row">{cell}</th>
                  ) : (
                    <td class={key} data-head={columns[key].head}>
                      {cell}
                    </td>
                  )
                })}
                <td class="line">
                  <Sparkline values={weeks?.[coin.id]?.map(numberOf) ?? []} label={`7 days of ${coin.name}`} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {found.length > rows && (
        <p class="more">
          <button type="button" onClick={() => setRows(rows + 2 * ROWS)}>
            Show more
          </button>{" "}
          <span class="soft">
            {shown.length} of {found.length}
          </span>
        </p>
      )}
      <Others word={word} others={others} isNone={results?.length === 0 && found.length === 0} />
    </>
  )
}

export const CoinsPanel = () => {
  const answer = useCoins()
  const [typed, setTyped] = useState("")
  const [fiat, setFiat] = useState("USD")
  return (
    <Panel
      id="coins"
      title="Coins"
      answer={answer}
      staleAfter={STALE_AFTER}
      aside={
        <>
          <label class="inline">
            <Unseen>Search coins</Unseen>
            <input
              type="search"
              placeholder="Name, ticker, address"
              autocomplete="off"
              value={typed}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </label>
          <FiatSelect label="Currency of the prices" fiat={fiat} setFiat={setFiat} />
        </>
      }
    >
      {(data) => <CoinTable coins={data.coins} word={typed.trim()} fiat={fiat} />}
    </Panel>
  )
}
