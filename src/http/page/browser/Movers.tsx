// What moved and why: the market in a line, and the movers as cards.
import { useAnswer } from "./Answer.ts"
import type { Why } from "./Answers.ts"
import { STALE_AFTER } from "./Clock.ts"
import { Drivers, Explanation, SourceList } from "./Explanation.tsx"
import { minus, whole } from "./Figures.ts"
import { Panel } from "./Panel.tsx"
import { Change, CoinLink, Num } from "./Pieces.tsx"
import { api } from "./Route.ts"

const Market = ({ market }: { readonly market: Why["market"] }) => (
  <div class="market">
    <p>
      {/* The summary's trailing `[1]` refer to the list in the fold. */}
      <bdi>{minus(market.summary.replace(/(\s*\[\d+\])+$/, ""))}</bdi> Of the 100 largest coins{" "}
      <Num of={market.top100_up_pct} format={whole} />% rose; the median change is{" "}
      <Change of={market.top100_median_change_24h} />.
    </p>
    <details>
      <summary>Reports about the market</summary>
      <Drivers drivers={market.drivers} citations={market.citations} />
      <SourceList citations={market.citations} />
    </details>
  </div>
)

export const Movers = () => {
  const answer = useAnswer<Why>(api.movers, 300)
  return (
    <Panel id="why" title="What moved, and why" answer={answer} staleAfter={STALE_AFTER}>
      {(data) => (
        <>
          <Market market={data.market} />
          {data.movers.length === 0 && (
            <p class="reason">
              No coin is listed: none moved far enough, or the service has just started and still lacks the hourly
              prices.
            </p>
          )}
          <ul class="cards">
            {data.movers.map((mover) => (
              <li key={mover.id}>
                <CoinLink coin={mover} />
                <Explanation mover={mover} />
              </li>
            ))}
          </ul>
          <p class="soft">{data.disclaimer}</p>
        </>
      )}
    </Panel>
  )
}
