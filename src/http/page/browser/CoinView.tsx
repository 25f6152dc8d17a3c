// One coin: its price, the exchanges that agree on it and how far they are apart, and why it moved.
import { useAnswer } from "./Answer.ts"
import type { CoinDetail, WhyOne } from "./Answers.ts"
import { dayOf, STALE_AFTER } from "./Clock.ts"
import { Explanation, notAMover } from "./Explanation.tsx"
import { change, dollars, percent, shortDollars, whole } from "./Figures.ts"
import { Panel } from "./Panel.tsx"
import { Age, Change, Items, Logo, Num, Table } from "./Pieces.tsx"
import { go } from "./Navigation.ts"
import { api, coinPath } from "./Route.ts"

export const useCoin = (id: string | null) => useAnswer<CoinDetail>(id === null ? null : api.coin(id), 30)

const Quotes = ({ coin }: { readonly coin: CoinDetail }) => {
  const { confidence, dispersion, high, low, price, quotes, source, venues } = coin
  return (
    <>
      <p>
        {venues === null || dispersion === null ? (
          `Too few exchanges agree on a price: it is from ${source}.`
        ) : (
          <>
            {venues.length} exchanges make the price. On average they are <Num of={dispersion} format={percent} /> away
            from it. Most of their trade is between <Num of={low} format={dollars} /> and{" "}
            <Num of={high} format={dollars} />
            {confidence === "high" ? "." : ", which is a wide band."}
          </>
        )}
      </p>
      <Table
        caption={`What each source says of ${coin.name}`}
        heads={["Source", "Price", "From the price", "Observed"]}
        rows={quotes.map((quote) => [
          <>
            {quote.source} <small>{quote.kind}</small>
          </>,
          <Num of={quote.price} format={dollars} />,
          quote.price === null || price === null ? "" : change((Number(quote.price) / Number(price) - 1) * 100),
          <Age at={quote.updated} />
        ])}
      />
    </>
  )
}

export const Venues = ({ id }: { readonly id: string }) => (
  <Panel id="venues" title="Venues" answer={useCoin(id)} staleAfter={STALE_AFTER}>
    {(coin) => <Quotes coin={coin} />}
  </Panel>
)

/** The explanation of the coin's move, or why it is not listed. */
export const Why = ({ id }: { readonly id: string }) => (
  <Panel id="why-one" title="Why it moved" answer={useAnswer<WhyOne>(api.why(id), 300)} staleAfter={STALE_AFTER}>
    {(data) => (
      <>
        {data.not_a_mover !== null && <p>It is not among the movers. {notAMover(data.not_a_mover)}</p>}
        <Explanation mover={data} />
        {data.last_explanation !== null && (
          <>
            <p class="soft">
              Its last explanation, <Age at={data.last_explanation.revised_at} />:
            </p>
            <Explanation mover={data.last_explanation} />
          </>
        )}
        <p class="soft">{data.disclaimer}</p>
      </>
    )}
  </Panel>
)

const Now = ({ coin }: { readonly coin: CoinDetail }) => (
  <>
    <p class="big">
      <Num of={coin.price} format={dollars} />
      <small>
        <Change of={coin.change_24h} /> in 24 hours
      </small>
    </p>
    <p class="soft">
      for 1 {coin.symbol} · updated <Age at={coin.updated} staleAfter={STALE_AFTER} />
    </p>
    <Items
      items={[
        { term: "1 hour", value: <Change of={coin.change_1h} /> },
        { term: "7 days", value: <Change of={coin.change_7d} /> },
        { term: "Rank", value: coin.rank ?? "unknown", remark: "by market cap" },
        { term: "Low, 24 h", value: <Num of={coin.low_24h} format={dollars} /> },
        { term: "High, 24 h", value: <Num of={coin.high_24h} format={dollars} /> },
        {
          term: "All-time high",
          value: <Num of={coin.ath} format={dollars} />,
          remark: coin.ath_date === null ? null : dayOf(coin.ath_date)
        },
        { term: "Market cap", value: <Num of={coin.market_cap} format={shortDollars} /> },
        { term: "Volume, 24 h", value: <Num of={coin.volume_24h} format={shortDollars} /> },
        { term: "In circulation", value: <Num of={coin.circulating_supply} format={whole} />, remark: coin.symbol }
      ]}
    />
  </>
)

export const CoinView = ({ id }: { readonly id: string }) => {
  const answer = useCoin(id)
  const { data } = answer
  return (
    <Panel
      id="coin"
      title={data === undefined ? id : `${data.name} (${data.symbol})`}
      answer={answer}
      choose={(other) => go(coinPath(other))}
      aside={
        <>
          <a href="./">All rates</a>
          {data !== undefined && <Logo id={data.id} symbol={data.symbol} size={36} />}
        </>
      }
    >
      {(coin) => <Now coin={coin} />}
    </Panel>
  )
}
