// The first panel: a tab for each market, and the rate of the chosen one, which is polled.
import { useState } from "preact/hooks"
import { type Answer, useAnswer } from "./Answer.ts"
import type { Figure, Market, MarketHistory, Markets } from "./Answers.ts"
import { change, money, nameOf, percent, whole, words } from "./Figures.ts"
import { Panel, Waiting } from "./Panel.tsx"
import { Age, Change, Items, Num, Table } from "./Pieces.tsx"
import { PAST_EVERY } from "./Past.ts"
import { api, marketPath, USUAL } from "./Route.ts"

export type Row = Markets["markets"][number]

/** Seconds. The service polls most markets every 5 minutes only, so they become stale later. */
export const staleAfter = (fiat: string): number => (fiat === USUAL ? 300 : 720)

export const useMarkets = (): Answer<Markets> => useAnswer<Markets>(api.markets, 45)

const Tabs = ({ fiat, markets }: { readonly markets: ReadonlyArray<Row>; readonly fiat: string }) => (
  <nav class="tabs" aria-label="Markets">
    {markets.map((row) => (
      <a
        key={row.fiat}
        href={marketPath(row.fiat)}
        aria-current={row.fiat === fiat ? "page" : undefined}
        title={`${row.pair}, ${nameOf(row.fiat)}`}
      >
        {row.fiat}
      </a>
    ))}
  </nav>
)

/** The newest point with a mid. Its kind is that of the mid now: a P2P mid is not compared with an order book's. */
const newestOf = (past: MarketHistory) => past.points.findLast(({ mid }) => mid !== null)

/** The change in percent from the close of the last complete day. */
const sinceYesterday = (mid: Figure | null, past: MarketHistory | undefined): Figure | null => {
  const before = past?.points.findLast(({ final, mid: close }) => final && close !== null)
  if (past === undefined || mid === null || before === undefined || before.mid === null) return null
  if (newestOf(past)?.kind !== before.kind) return null
  return `${(Number(mid) / Number(before.mid) - 1) * 100}`
}

const rejectedAds = (reasons: Readonly<Record<string, Figure>>): string =>
  Object.entries(reasons)
    .map(([reason, count]) => `${count} ${words(reason)}`)
    .join(", ") || "none"

const VenueRows = ({ data, fiat }: { readonly data: Market; readonly fiat: string }) => {
  const format = money(fiat)
  return (
    <Table
      caption={`Venues of USDT/${fiat}`}
      heads={["Venue", "Buy", "Sell", "Ads used", "Observed", "Ads left out"]}
      rows={data.venues.map((venue) => [
        <>
          {venue.venue}
          <small>
            {venue.kind === "p2p" ? "P2P" : "order book"}
            {venue.reason !== null && ` · ${words(venue.reason)}`}
          </small>
        </>,
        <Num of={venue.buy} format={format} />,
        <Num of={venue.sell} format={format} />,
        venue.kind === "order_book" ? "no ads" : <Num of={venue.ads_used} format={whole} />,
        <Age at={venue.updated} />,
        venue.kind === "order_book" ? "" : rejectedAds(venue.ads_rejected)
      ])}
    />
  )
}

/** Loads the venues of a market when they are unfolded. */
const Venues = ({ fiat }: { readonly fiat: string }) => {
  const [isOpen, setOpen] = useState(false)
  const { data, problem } = useAnswer<Market>(isOpen ? api.market(fiat) : null, 60)
  return (
    <details class="venues" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Venues, and where the official rate is from</summary>
      {data === undefined && (problem === undefined ? <Waiting /> : <p class="soft">{problem.detail}</p>)}
      {data !== undefined && (
        <>
          <VenueRows data={data} fiat={fiat} />
          <p class="soft">
            {data.official_source === null
              ? "No official rate is known."
              : `Official rate: ${data.official_source}, for ${data.official_date}.`}
          </p>
        </>
      )}
    </details>
  )
}

/** The street rate beside the official one, in words. */
const premiumOf = (premium: Figure | null): string | null => {
  if (premium === null) return null
  return Number(premium) < 0 ? "a dollar is cheaper than officially" : "a dollar costs more than officially"
}

const sure: Readonly<Record<Row["confidence"], string>> = {
  high: "the venues agree",
  medium: "few venues, or they differ a little",
  low: "too little is known to rely on it"
}

const Now = ({ past, row }: { readonly row: Row; readonly past: MarketHistory | undefined }) => {
  const format = money(row.fiat)
  const moved = sinceYesterday(row.mid, past)
  return (
    <>
      <p class="big">
        <Num of={row.mid} format={format} />
        {moved !== null && (
          <small>
            <Change of={moved} /> since yesterday
          </small>
        )}
      </p>
      <p class="soft">
        for 1 USDT on P2P markets, mid-market · updated <Age at={row.updated} staleAfter={staleAfter(row.fiat)} />
      </p>
      {row.reason !== null && <p class="reason">Not complete: {words(row.reason)}</p>}
      <Items
        items={[
          { term: "Buy", value: <Num of={row.buy} format={format} />, remark: "what 1 USDT costs" },
          { term: "Sell", value: <Num of={row.sell} format={format} />, remark: "what 1 USDT brings" },
          { term: "Official", value: <Num of={row.official} format={format} />, remark: "for 1 USD" },
          { term: "Premium", value: <Num of={row.premium} format={change} />, remark: premiumOf(row.premium) },
          { term: "Spread", value: <Num of={row.spread} format={percent} />, remark: "between buy and sell" },
          { term: "Confidence", value: row.confidence, remark: sure[row.confidence] }
        ]}
      />
    </>
  )
}

/** The answer with the sources of one market; without a stamp if they are unknown. */
const ofMarket = ({ meta, ...answer }: Answer<Markets>, row: Row | undefined): Answer<Markets> =>
  meta === undefined || !row?.source ? answer : { ...answer, meta: { ...meta, source: row.source } }

export const Rate = ({ fiat }: { readonly fiat: string }) => {
  const answer = useMarkets()
  const { data: past } = useAnswer<MarketHistory>(api.marketPast(fiat), PAST_EVERY)
  const rows = answer.data?.markets ?? []
  const row = rows.find((each) => each.fiat === fiat)
  return (
    <Panel
      id="rate"
      title={`USDT/${fiat}`}
      answer={ofMarket(answer, row)}
      controls={rows.length > 1 && <Tabs markets={rows} fiat={fiat} />}
    >
      {() =>
        row === undefined ? (
          <p class="reason">This server follows no P2P market of {fiat}.</p>
        ) : (
          <>
            <Now row={row} past={past} />
            <Venues key={fiat} fiat={fiat} />
          </>
        )
      }
    </Panel>
  )
}
