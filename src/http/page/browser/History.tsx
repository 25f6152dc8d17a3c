// The past of a market or of a coin, over a day to all that is recorded.
import { useMemo, useState } from "preact/hooks"
import { useAnswer } from "./Answer.ts"
import type { MarketHistory, PriceHistory } from "./Answers.ts"
import { Chart } from "./Chart.tsx"
import { dayOf, HOUR, serverNow } from "./Clock.ts"
import { fiats } from "./Fiats.ts"
import { nameOf } from "./Figures.ts"
import { Panel } from "./Panel.tsx"
import { Unseen } from "./Pieces.tsx"
import { month, pastOfMarket, pastOfPrice, queryOf, type Span, spans } from "./Past.ts"
import { api } from "./Route.ts"

const STALE_AFTER = 4 * 86_400

interface SpansOptions {
  readonly chosen: Span
  readonly choose: (span: Span) => void
}

const Spans = ({ choose, chosen }: SpansOptions) => (
  <p class="spans" role="group" aria-label="Span">
    {spans.map((span) => (
      <button type="button" key={span.name} aria-pressed={span === chosen} onClick={() => choose(span)}>
        {span.name}
      </button>
    ))}
  </p>
)

const csvOf = (path: string): string => `${path}${path.includes("?") ? "&" : "?"}format=csv`

const Drawn = ({ data, span }: { readonly data: MarketHistory | PriceHistory; readonly span: Span }) => {
  const past = useMemo(() => {
    const now = serverNow()
    return "pair" in data ? pastOfMarket(data, span, now) : pastOfPrice(data, span, now)
  }, [data, span])
  if (past.lines.length === 0) {
    return <p class="reason">Nothing was observed in this span{past.recordedSince === null ? " yet" : ""}.</p>
  }
  return (
    <>
      <Chart past={past} />
      <p class="soft">
        {past.recordedSince !== null && `Recorded since ${dayOf(past.recordedSince)}. `}
        Each value is the last of its {past.step === HOUR ? "hour" : "day"}, UTC. Point at the chart, or use the slider.
      </p>
    </>
  )
}

interface HistoryOptions {
  /** Of a market, or of a coin in a fiat. */
  readonly market?: string
  readonly coin?: string
}

export const History = ({ coin, market = "" }: HistoryOptions) => {
  const [span, setSpan] = useState(month)
  const [fiat, setFiat] = useState("USD")
  const query = queryOf(span, serverNow())
  const path = coin === undefined ? api.marketPast(market, query) : api.coinPast(coin, fiat, query)
  const answer = useAnswer<MarketHistory | PriceHistory>(path, 300)
  return (
    <Panel
      id="history"
      title="History"
      answer={answer}
      staleAfter={STALE_AFTER}
      aside={
        <>
          {coin !== undefined && (
            <label class="inline">
              <Unseen>Currency of the history</Unseen>
              <select value={fiat} onChange={({ currentTarget }) => setFiat(currentTarget.value)}>
                {[...fiats].map((code) => (
                  <option key={code} value={code} title={nameOf(code)}>
                    {code}
                  </option>
                ))}
              </select>
            </label>
          )}
          <a href={csvOf(path)} download="">
            CSV<Unseen> of the history</Unseen>
          </a>
        </>
      }
      controls={<Spans chosen={span} choose={setSpan} />}
    >
      {(data) => <Drawn data={data} span={span} />}
    </Panel>
  )
}
