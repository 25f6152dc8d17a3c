// What happens to coins: true moves, faults of exchanges and of aggregators, a ticker that changes hands.
import { changing, type Course, DAY, HOUR, MINUTE, SECOND } from "./Course.ts"
import type { Draw } from "./Draw.ts"
import { aggregators, type Exchange, hasDollars, hasUsdc } from "./exchanges.ts"
import * as faults from "./faults.ts"
import { type Bearable, bearable, type Fault, type Process } from "./Process.ts"
import { ofService, scheduled } from "./serviceProcesses.ts"

type Drawn = (draw: Draw, from: number) => Process

const traded = ["bitcoin", "ethereum", "solana", "old-coin"] as const

/** A fault by the words that name it. A lie says something untrue; the others say nothing, or how old it is. */
interface Named {
  readonly name: string
  readonly fault: Fault
  readonly isLie?: true
}

const lie = (name: string, fault: Fault): Named => ({ name, fault, isLie: true })

const wrongFactor = (draw: Draw): number => {
  const factor = draw.one(1000, 10, 6, 1.5, 1.2, 1.03, draw.ofAnySize(1.02, 100))
  return draw.isOneIn(2) ? factor : 1 / factor
}

const lieOf = (draw: Draw): Named => {
  const factor = wrongFactor(draw)
  const scaled = faults.scaled(factor)
  return draw.one<() => Named>(
    () => lie(`prices × ${factor.toPrecision(3)}`, scaled),
    () => lie("prices upside down", faults.upsideDown),
    () => lie("an old answer, dated anew", faults.lagging(draw.ofAnySize(3 * MINUTE, 5 * HOUR), true)),
    () => lie("a frozen answer, dated anew", faults.frozen(true)),
    () =>
      lie(`prices × ${factor.toPrecision(3)}, nulls between`, faults.alternating(20 * SECOND, scaled, faults.without)),
    () => lie("prices that drift", draw.isOneIn(2) ? faults.drifting(0.01, 3) : faults.drifting(-0.005, 0.3))
  )()
}

const exchangeFault = (draw: Draw): Named =>
  draw.one<() => Named>(
    () => lieOf(draw),
    () => lieOf(draw),
    () => {
      const { fault, name } = lieOf(draw)
      return lie(`${name}, turnover made up`, faults.all(fault, faults.traded(draw.ofAnySize(100, 1e7))))
    },
    () => lie("turnover made up", faults.traded(draw.ofAnySize(1e-6, 1e6))),
    () => lie("bid and ask swapped", faults.swapped("bid", "ask")),
    () => lie("dated a little ahead, prices off", faults.all(faults.misdated(30 * SECOND), faults.scaled(1.3))),
    () => ({ name: "dated late", fault: faults.misdated(-draw.between(10, 200) * SECOND) }),
    () => ({ name: "frozen", fault: faults.frozen(false) }),
    () => ({ name: "silent", fault: faults.silent }),
    () => ({ name: "nulls", fault: faults.without })
  )()

const someOf = (draw: Draw, all: ReadonlyArray<string>): ReadonlySet<string> | undefined =>
  draw.isOneIn(2) ? undefined : new Set(draw.shuffled(all).slice(0, draw.whole(1, 2)))

const named = (sources: ReadonlyArray<string>, what: string, of: ReadonlySet<string> | undefined): string =>
  `${sources.join(", ")}: ${what}${of === undefined ? "" : ` (${[...of].join(", ")})`}`

/** A fault of one exchange, or of some that tell the same lie, in all that they say or in what they say of one or two of these. */
export const ofExchange =
  (exchanges: ReadonlyArray<Exchange>, ofWhat: ReadonlyArray<string>): Drawn =>
  (draw, from) => {
    // Some tell the same lie.
    const count = draw.isOneIn(3) ? draw.whole(2, 3) : 1
    const sources = draw.shuffled(exchanges.map(({ name }) => name)).slice(0, count)
    const [{ fault, isLie, name }, of] = [exchangeFault(draw), someOf(draw, ofWhat)]
    const until = from + draw.ofAnySize(MINUTE, 8 * HOUR)
    return {
      name: named(sources, name, of),
      from,
      until,
      faults: { sources, fault, ...(of && { of }) },
      mayBeFirst: isLie === true
    }
  }

/** Coins with a consensus: an aggregator's lie about the others cannot be told from the truth. */
const checked: ReadonlySet<string> = new Set(["bitcoin", "ethereum", "tether", "usd-coin", "solana", "old-coin"])

/** `isOldListedTwice`: whether a second aggregator can contradict what the first one says of the old coin. */
const ofAggregator =
  (isOldListedTwice: boolean): Drawn =>
  (draw, from) => {
    const source = draw.one("CoinGecko", "CoinPaprika")
    const until = from + draw.ofAnySize(MINUTE, 8 * HOUR)
    // What one aggregator alone lists, only the exchanges can contradict, and only once their pairs are known.
    const known = new Set([...checked].filter((id) => isOldListedTwice || id !== "old-coin"))
    const many = faults.scaled(draw.one(1000, 1e-3, 7, 0.1))
    const { fault, isLie, name, of } = draw.one<() => Named & { readonly of?: ReadonlySet<string> }>(
      () => ({ ...lieOf(draw), of: someOf(draw, [...known]) ?? known }),
      () => ({ ...lieOf(draw), of: known }),
      // Of a coin that has no consensus, a first answer is all that is known.
      () => ({ name: "prices × many", fault: many, of: new Set([...known, "rare-coin"]) }),
      () => ({
        ...lie(
          "coins under each other's id",
          faults.mistaken(isOldListedTwice ? "old-coin" : "solana", isOldListedTwice ? "new-coin" : "ethereum")
        )
      }),
      () => ({ ...lie("coins under each other's id", faults.mistaken("bitcoin", "ethereum")) }),
      () => ({ name: "frozen", fault: faults.frozen(false) }),
      () => ({ name: "silent", fault: faults.silent })
    )()
    return {
      name: named([source], name, of),
      from,
      until,
      faults: { sources: [source], fault, ...(of && { of }) },
      mayBeFirst: isLie === true,
      borneBy: "state"
    }
  }

/** Many sources say nothing at once, but none lies. */
const outage =
  (exchanges: ReadonlyArray<Exchange>): Drawn =>
  (draw, from) => {
    const until = from + draw.ofAnySize(MINUTE, 3 * HOUR)
    const isOfExchanges = draw.isOneIn(2)
    const of = isOfExchanges ? exchanges : aggregators
    const sources = draw.shuffled(of.map(({ name }) => name)).slice(0, draw.whole(1, of.length))
    // Without aggregators the coin of a pair has to be known.
    const borneBy = isOfExchanges ? undefined : "state"
    const [what, fault, memory] = draw.one<readonly [string, Fault, Process["borneBy"]]>(
      ["silent", faults.silent, borneBy],
      ["frozen", faults.frozen(false), borneBy],
      // The answers of an exchange repeat themselves, so their dates do not count.
      ...(isOfExchanges ? [["frozen, dated anew", faults.frozen(true), "answers"] as const] : [])
    )
    const name = named(sources, what, undefined)
    return { name, from, until, faults: { sources, fault }, aloneUntil: until, borneBy: memory }
  }

const truly: Drawn = (draw, from) => {
  const of = draw.one("bitcoin", "ethereum", "solana", "old-coin")
  const factor = draw.one(1.08, 0.92, 0.5, 2, 0.3)
  const until = from + draw.ofAnySize(1.5 * MINUTE, 30 * MINUTE)
  const isBig = Math.abs(Math.log(factor)) > 0.1
  return {
    name: `${of} truly × ${factor}`,
    from,
    until,
    bends: { of: [of], by: changing(factor, from, until) },
    ...(isBig && { aloneUntil: until + 40 * MINUTE })
  }
}

const depegged: Drawn = (draw, from) => {
  const [of, factor] = [draw.one("tether", "usd-coin"), draw.one(0.985, 0.96, 0.9)]
  const until = from + draw.ofAnySize(2 * MINUTE, 30 * MINUTE)
  const by = changing(factor, from, until)
  return { name: `${of} truly × ${factor}`, from, until, bends: { of: [of], by }, aloneUntil: until + 40 * MINUTE }
}

/** A coin stops trading at many exchanges, with or without its last turnover, and falls. */
const halted =
  (exchanges: ReadonlyArray<Exchange>): Drawn =>
  (draw, from) => {
    const names = exchanges.map(({ name }) => name)
    const datingPairs = new Set(exchanges.flatMap(({ isDatingPairs, name }) => (isDatingPairs ? [name] : [])))
    const sources = draw.shuffled(names).slice(0, draw.whole(1, names.length - 1))
    const [isFalling, over] = [draw.isOneIn(2), draw.ofAnySize(5 * MINUTE, 40 * MINUTE)]
    const until = from + draw.ofAnySize(HOUR, 8 * HOUR)
    const by = changing(draw.one(0.1, 0.5, 0.9), from + 3 * MINUTE, from + 3 * MINUTE + over)
    const of = new Set(["solana"])
    return {
      name: named(sources, `halted${isFalling ? ", turnover leaves" : ""}, while it falls`, of),
      from,
      until,
      faults: { sources, of, fault: faults.halted(isFalling, datingPairs) },
      bends: { of: [...of], by },
      aloneUntil: until
    }
  }

/** The ticker of the old coin becomes that of the new one, at all exchanges. */
const relisted =
  (exchanges: ReadonlyArray<Exchange>, truth: (id: string) => Course, end: number): Drawn =>
  (_, from) => {
    const fault: Fault = (tells) => (t) => {
      const [answer, factor] = [tells(t), truth("new-coin")(t) / truth("old-coin")(t)]
      const old = answer && { ...answer, rows: answer.rows.filter((row) => row.of === "old-coin") }
      const traded = faults.scaled(factor)(() => old, from, "")(t)
      return traded && { ...traded, rows: traded.rows.map((row) => ({ ...row, of: "new-coin" })) }
    }
    const of = new Set(["old-coin", "new-coin"])
    const sources = exchanges.map(({ name }) => name)
    return {
      name: "QCK becomes the ticker of new-coin everywhere",
      from,
      until: end,
      bends: { of: [...of, "relisted"], by: () => 1 },
      faults: { sources, of, fault },
      aloneUntil: from + HOUR
    }
  }

export const minority = (count: number): number => Math.floor((count - 1) / 2)

/** A minority of a coin's exchanges, of those in dollars for what dollars are made of, and one aggregator. */
export const limitsOf = (exchanges: ReadonlyArray<Exchange>, ids: ReadonlyArray<string>): ReadonlyArray<Bearable> => {
  const namesOf = (some: ReadonlyArray<{ readonly name: string }>) => new Set(some.map(({ name }) => name))
  const each = (of: ReadonlyArray<string>, some: ReadonlyArray<Exchange>): ReadonlyArray<Bearable> => [
    { of, sources: namesOf(some), most: minority(some.length) },
    // Where a silent exchange leaves two of three, the aggregators are needed.
    ...(some.length === 3 ? [{ of, sources: namesOf([...some, ...aggregators]), most: 1 }] : [])
  ]
  return [
    ...ids.flatMap((id) => each([id], exchanges)),
    ...each(["tether", "usd-coin", "bitcoin", "ethereum"], exchanges),
    ...each(["usd-coin", "bitcoin", "ethereum"], exchanges.filter(hasUsdc)),
    ...each(["bitcoin", "ethereum"], exchanges.filter(hasDollars)),
    { of: [...ids, "tether", "usd-coin", "new-coin", "rare-coin"], sources: namesOf(aggregators), most: 1 }
  ]
}

/** The processes of a scene of coins. */
export const coinProcesses = ({
  draw,
  exchanges,
  from,
  isOldListedTwice,
  truth,
  until
}: {
  readonly draw: Draw
  readonly exchanges: ReadonlyArray<Exchange>
  readonly truth: (id: string) => Course
  readonly isOldListedTwice: boolean
  readonly from: number
  readonly until: number
}): ReadonlyArray<Process> => {
  const days = (until - from) / DAY
  const drawn = scheduled(draw, from, until, [
    [3 * days, ofExchange(exchanges, ["tether", "usd-coin", ...traded])],
    [2 * days, ofAggregator(isOldListedTwice)],
    [1 * days, outage(exchanges)],
    [1.5 * days, truly],
    [0.3 * days, depegged],
    [0.5 * days, halted(exchanges)],
    [0.4, relisted(exchanges, truth, until)],
    [2 * days, ofService]
  ])
  return bearable(drawn, limitsOf(exchanges, traded), 11 * MINUTE)
}
