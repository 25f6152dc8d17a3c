// The history of a market or of a coin, from 24 hours to all recorded days.
import { useMemo, useState } from "preact/hooks"
import { useAnswer } from "./Answer.ts"
import type { MarketHistory, PriceHistory } from "./Answers.ts"
import { Chart } from "./Chart.tsx"
import { dayOf, FIAT_STALE_AFTER, HOUR, serverNow, WEEK } from "./Clock.ts"
import { Panel } from "./Panel.tsx"
import { FiatSelect, Unseen } from "./Pieces.tsx"
import { month, PAST_EVERY, pastOf, queryOf, type Span, spans } from "./Past.ts"
import { api } from "./Route.ts"

const csvOf = (path: string): string => `${path}${path.includes("?") ? "&" : "?"}format=csv`

const Drawn = ({ data, span }: { readonly data: MarketHistory | PriceHistory; readonly span: Span }) => {
  const past = useMemo(() => pastOf(data, span, serverNow()), [data, span])
  if (past.lines.length === 0) {
    return <p class="reason">Nothing was observed in this span{past.recordedSince === null ? " yet" : ""}.</p>
  }
  if (past.times.length < 2) {
    return (
      <p class="reason">
        {past.remarks[0]}. The record of this server begins here: the line begins with the next{" "}
        {past.step === HOUR ? "hour" : "day"}.
      </p>
    )
  }
  return (
    <>
      <Chart past={past} />
      <p class="soft">
        {past.recordedSince !== null && `Known since ${dayOf(past.recordedSince)}. `}
        Each value is the last of its {past.step === HOUR ? "hour" : past.step === WEEK ? "week" : "day"}, UTC. Point at
        the chart, or use the arrow keys.
      </p>
    </>
  )
}

interface HistoryOptions {
  /** The fiat of a market; instead of `coin`. */
  readonly market?: string
  readonly coin?: string
}

export const History = ({ coin, market = "" }: HistoryOptions) => {
  const [span, setSpan] = useState(month)
  const [fiat, setFiat] = useState("USD")
  const query = queryOf(span, serverNow())
  const path = coin === undefined ? api.marketPast(market, query) : api.coinPast(coin, fiat, query)
  const answer = useAnswer<MarketHistory | PriceHistory>(path, PAST_EVERY)
  return (
    <Panel
      id="history"
      title="History"
      answer={answer}
      staleAfter={FIAT_STALE_AFTER}
      aside={
        <>
          {coin !== undefined && <FiatSelect label="Currency of the history" fiat={fiat} setFiat={setFiat} />}
          <a href={csvOf(path)} download="">
            CSV<Unseen> of the history</Unseen>
          </a>
        </>
      }
      controls={
        <p class="spans" role="group" aria-label="Span">
          {spans.map((each) => (
            <button type="button" key={each.name} aria-pressed={each === span} onClick={() => setSpan(each)}>
              {each.name}
            </button>
          ))}
        </p>
      }
    >
      {(data) => <Drawn data={data} span={span} />}
    </Panel>
  )
}
