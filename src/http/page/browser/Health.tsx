// The panels for the state of each source and for the total market.
import { useAnswer } from "./Answer.ts"
import type { Global, Sources } from "./Answers.ts"
import { STALE_AFTER } from "./Clock.ts"
import { percent, shortDollars, whole, words } from "./Figures.ts"
import { Panel } from "./Panel.tsx"
import { Change, Items, Num } from "./Pieces.tsx"
import { api } from "./Route.ts"

type Source = Sources["sources"][number]

/** `idle` and `disabled` are not faults. */
const isFaulty = ({ state }: Source): boolean => state === "failing" || state === "resting"

/** What it is for, once: a source may have a data set for each market. */
const dataOf = ({ data_sets }: Source): string => [...new Set(data_sets.map(({ name }) => words(name)))].join(", ")

/** Sources of one name for the same are one: a host may have several feeds. */
const Strip = ({ sources }: { readonly sources: ReadonlyArray<Source> }) => {
  const labels = new Map(sources.map((source) => [`${source.name} ${dataOf(source)} ${source.state}`, source]))
  return (
    <ul class="strip">
      {[...labels].map(([label, source]) => (
        <li key={label} class={source.state}>
          {source.name.replace(" (sandbox)", "")}
          <small>
            {" "}
            {dataOf(source)}
            {source.state !== "ok" && `, ${words(source.state)}`}
          </small>
        </li>
      ))}
    </ul>
  )
}

export const Health = () => {
  const answer = useAnswer<Sources>(api.sources, 300)
  return (
    <Panel id="sources" title="Sources" answer={answer} staleAfter={STALE_AFTER}>
      {({ sources }) => {
        const used = sources.filter(({ state }) => state !== "disabled")
        const faulty = used.filter(isFaulty)
        return (
          <>
            <p>
              {faulty.length === 0
                ? `All ${used.length} sources are working.`
                : `${used.length - faulty.length} of ${used.length} sources are working. What the others said last is shown with its time, until it is too old.`}
            </p>
            {faulty.length > 0 && <Strip sources={faulty} />}
            <details>
              <summary>All sources, with what they are for</summary>
              <Strip sources={used} />
            </details>
          </>
        )
      }}
    </Panel>
  )
}

export const Totals = () => {
  const answer = useAnswer<Global>(api.global, 300)
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
            { term: "Bitcoin’s share", value: <Num of={data.btc_dominance} format={percent} /> },
            { term: "Ether’s share", value: <Num of={data.eth_dominance} format={percent} /> },
            { term: "Coins", value: <Num of={data.active_coins} format={whole} /> }
          ]}
        />
      )}
    </Panel>
  )
}
