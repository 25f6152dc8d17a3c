// One coin: its price, the exchanges that agree on it and how far they are apart, their pairs, and why it moved.
import { useState } from "preact/hooks"
import { useAnswer } from "./Answer.ts"
import type { CoinDetail, Figure, Tickers, WhyOne } from "./Answers.ts"
import { dayOf, STALE_AFTER } from "./Clock.ts"
import { Explanation, notAMover } from "./Explanation.tsx"
import { change, dollars, exact, percent, shortDollars, whole } from "./Figures.ts"
import { Panel, ProblemView, Waiting } from "./Panel.tsx"
import { Age, Change, Items, Logo, Num, Table } from "./Pieces.tsx"
import { go } from "./Navigation.ts"
import { api, coinPath } from "./Route.ts"

export const useCoin = (id: string | null) => useAnswer<CoinDetail>(id === null ? null : api.coin(id), 45)

/** A distance in percent for reading: hundredths, rounded up. */
const within = (dispersion: Figure): string =>
  `${Math.max(0.01, Math.ceil(Number(dispersion) * 100) / 100).toFixed(2)}%`

const Quotes = ({ coin }: { readonly coin: CoinDetail }) => {
  const { confidence, dispersion, high, low, price, quotes, source, venues } = coin
  return (
    <>
      <p>
        {venues === null || dispersion === null ? (
          `Too few exchanges agree on a price: it is from ${source}.`
        ) : (
          <>
            {venues.length} exchanges make the price, on average within {within(dispersion)} of it. Most of their trade
            is between <Num of={low} format={dollars} /> and <Num of={high} format={dollars} />
            {confidence === "high" ? "." : ", which is a wide band."}
          </>
        )}
      </p>
      <Table
        caption={`What each source says of ${coin.name}`}
        heads={["Source", "Price", "Difference", "Observed"]}
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

const reasons: Readonly<Record<NonNullable<Tickers["tickers"][number]["reason"]>, string>> = {
  stale: "too old",
  no_price: "no price: few trades, or bid and ask far apart",
  no_dollar_rate: "its currency has no price in dollars now",
  low_turnover: "too little traded",
  prices_fiat: "says what the fiat costs",
  too_few_exchanges: "too few exchanges agree"
}

/** The coin's pairs on exchanges, each with its part in the price, or why it has none. */
const Pairs = ({ id }: { readonly id: string }) => {
  const answer = useAnswer<Tickers>(api.tickers(id), 90)
  const { data, problem } = answer
  if (data === undefined) return problem === undefined ? <Waiting /> : <ProblemView answer={answer} />
  if (data.tickers.length === 0) return <p>No exchange that is read here lists this coin.</p>
  return (
    <Table
      caption="Pairs on exchanges"
      heads={["Pair", "Last", "Price", "Traded in 24 h", "Weight", "Observed"]}
      rows={data.tickers.map(({ exchange, last, pair, price, quote, reason, turnover_usd, updated, weight }) => [
        <>
          {pair} <small>{exchange}</small>
        </>,
        last === null ? <Num of={null} format={dollars} /> : `${exact(last)} ${quote}`,
        <Num of={price} format={dollars} />,
        <Num of={turnover_usd} format={shortDollars} />,
        reason !== null ? reasons[reason] : weight === null ? "used" : <Num of={weight} format={percent} />,
        <Age at={updated} />
      ])}
    />
  )
}

export const Venues = ({ id }: { readonly id: string }) => {
  const [hasPairs, showPairs] = useState(false)
  return (
    <Panel
      id="venues"
      title="Venues"
      answer={useCoin(id)}
      staleAfter={STALE_AFTER}
      controls={
        <p class="spans" role="group" aria-label="Venues">
          <button type="button" aria-pressed={!hasPairs} onClick={() => showPairs(false)}>
            Sources
          </button>
          <button type="button" aria-pressed={hasPairs} onClick={() => showPairs(true)}>
            Pairs
          </button>
        </p>
      }
    >
      {(coin) => (hasPairs ? <Pairs id={id} /> : <Quotes coin={coin} />)}
    </Panel>
  )
}

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
          {data !== undefined && <Logo symbol={data.symbol} size={36} />}
        </>
      }
    >
      {(coin) => <Now coin={coin} />}
    </Panel>
  )
}
