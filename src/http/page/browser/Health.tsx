// The panels for the state of each source and for the total market.
import { useAnswer } from "./Answer.ts"
import type { Global, Sources } from "./Answers.ts"
import { STALE_AFTER } from "./Clock.ts"
import { percent, shortDollars, whole, words } from "./Figures.ts"
import { Panel } from "./Panel.tsx"
import { Change, Items, Num } from "./Pieces.tsx"

type Source = Sources["sources"][number]

/** `idle` and `disabled` are not faults. */
const isFaulty = ({ state }: Source): boolean => state === "failing" || state === "resting"

export const Health = () => {
  const answer = useAnswer<Sources>("v1/sources", 120)
  return (
    <Panel id="sources" title="Sources" answer={answer} staleAfter={STALE_AFTER}>
      {({ sources }) => {
        const faulty = sources.filter(isFaulty).length
        const used = sources.filter(({ state }) => state !== "disabled").length
        return (
          <>
            <p>
              {faulty === 0
                ? `All ${used} sources in use are working.`
                : `${faulty} of ${used} sources fail or rest; what they said last is served with its true time.`}
            </p>
            <ul class="strip">
              {sources.map((source) => (
                <li key={source.id} class={source.state} title={`${source.name}: ${words(source.state)}`}>
                  {source.name.replace(" (sandbox)", "")}
                  <small> {source.state}</small>
                </li>
              ))}
            </ul>
          </>
        )
      }}
    </Panel>
  )
}

export const Totals = () => {
  const answer = useAnswer<Global>("v1/global", 120)
  return (
    <Panel id="global" title="Total market" answer={answer} staleAfter={STALE_AFTER}>
      {(data) => (
        <Items
          items={[
            {
              term: "Market cap",
              value: <Num of={data.market_cap} format={shortDollars} />,
              remark: (
                <>
                  <Change of={data.market_cap_change_24h} /> in 24 hours
                </>
              )
            },
            { term: "Volume, 24 h", value: <Num of={data.volume_24h} format={shortDollars} /> },
            { term: "Bitcoin dominance", value: <Num of={data.btc_dominance} format={percent} /> },
            { term: "Ethereum dominance", value: <Num of={data.eth_dominance} format={percent} /> },
            { term: "Coins", value: <Num of={data.active_coins} format={whole} /> }
          ]}
        />
      )}
    </Panel>
  )
}
