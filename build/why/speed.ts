// `node build/why/speed.ts [ITEMS] [ONE_IN]`: the main thread's processor time of five movers over a pool of so many items (10,000), of
// which one in so many (10: each mover in 2 %) names a mover, with the service's options of the engine. The items are cleaned and ranked before, as a source does when they arrive; what that takes is printed beside it.
// A benchmark, not a test.
import { Console, DateTime, Effect } from "effect"
import Process from "node:process"
import { knownCoins } from "../../src/domain/CoinRegistry.ts"
import type { EvidenceItem } from "../../src/domain/Evidence.ts"
import { publisherAt } from "../../src/domain/Publishers.ts"
import * as sanitize from "../../src/sources/news/sanitize.ts"
import { explain } from "../../src/why/Explain.ts"
import { apply } from "../../src/node/engineOptions.ts"
import { readPool } from "../../src/why/Pool.ts"
import { at, inputFor, item, jump } from "../../test/why/support.ts"

apply()

const MOVERS = 5
const [ITEMS = 10_000, ONE_IN = 10] = Process.argv.slice(2).map(Number)
const RUNS = 30

const events = [
  "bridge emptied of $40 million by unknown attacker",
  "mainnet grinds to a halt as validators lose consensus",
  "wins Robinhood listing after months of talks",
  "raises $120 million in round led by Paradigm",
  "slides as token unlock nears",
  "price prediction: what the charts say",
  "teams up with Deutsche Bank on tokenized bonds",
  "developers publish monthly report"
]

const coins = knownCoins.filter(({ peg }) => peg === null)

/** What a feed lists. */
const rows = Array.from({ length: ITEMS }, (_, i) => {
  const coin = coins[i % ONE_IN === 0 ? 100 + ((i / ONE_IN) % MOVERS) : (i * 7) % coins.length]
  return {
    title: `${coin?.name ?? "Bitcoin"} ${events[i % events.length] ?? ""}`,
    summary:
      `Report number ${i}: the ${coin?.symbol.toUpperCase() ?? "BTC"} token traded actively while analysts at several firms weighed what the event means for holders, validators and exchanges over the coming weeks.`.repeat(
        2
      ),
    link: `https://www.site${i % 40}.com/${i}`
  }
})

/** Its items as a source makes them. */
const arrived = (): ReadonlyArray<EvidenceItem> =>
  rows.flatMap((row, i) => {
    const text = sanitize.text(row)
    const url = sanitize.link(row.link)
    const time = at((i % 48) / 2)
    if (text === null || url === null) return []
    const tier = publisherAt(url)?.tier ?? "tier1"
    return [item({ id: `i${i}`, ...text, url, tier, publishedAt: time, firstSeenAt: time })]
  })

const moversOf = (evidence: ReadonlyArray<EvidenceItem>) =>
  Array.from({ length: MOVERS }, (_, i) => {
    const known = coins[100 + i]
    const change = i % 2 === 0 ? -18 : 18
    const base = inputFor({ change, evidence })
    return {
      ...base,
      coin: {
        ...base.coin,
        id: known?.id ?? "",
        symbol: (known?.symbol ?? "").toUpperCase(),
        name: known?.name ?? ""
      },
      move: { ...base.move, hourly: jump(change) },
      asOf: DateTime.makeUnsafe(DateTime.toEpochMillis(base.asOf))
    }
  })

/** Processor time of this thread, which answers requests. No busy neighbour lengthens it. */
const processorMillis = (): number => {
  const { system, user } = Process.threadCpuUsage()
  return (user + system) / 1000
}

const run = Effect.gen(function* () {
  const began = processorMillis()
  const evidence = arrived()
  const arrival = processorMillis() - began
  const movers = moversOf(evidence)
  const times: Array<number> = []
  for (let i = 0; i < RUNS; i++) {
    const from = processorMillis()
    const pool = readPool(
      evidence,
      movers.map(({ coin }) => coin)
    )
    for (const input of movers) explain(input, pool)
    times.push(processorMillis() - from)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const show = (value: number | undefined): string => `${(value ?? 0).toFixed(1)} ms`
  yield* Console.log(
    `${MOVERS} movers, ${ITEMS} items, main thread: first ${show(times[0])}, median ${show(sorted[RUNS >> 1])}, slowest ${show(sorted.at(-1))}; cleaning the items as they arrived, before: ${show(arrival)}`
  )
})

Effect.runSync(run)
