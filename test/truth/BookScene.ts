// The scene of a P2P market: the true street rate, the books of its venues, and the rate that may be served.
import { changing, type Course, DAY, HOUR, MINUTE, product, SECOND, wandering } from "./Course.ts"
import { type Draw, drawOf } from "./Draw.ts"
import { bookDriven, type BookVenue } from "./driveBooks.ts"
import * as faults from "./faults.ts"
import { bearable, type Fault, type Process, type Row, type Source } from "./Process.ts"
import type { SceneOf } from "./Scene.ts"
import { ofService, scheduled, startOf } from "./serviceProcesses.ts"

/** Markets of one to five venues: P2P venues and order books. */
const markets = [
  ["Bybit"],
  ["Bybit", "Bitget"],
  ["Bybit", "Bitget", "Binance"],
  ["Bybit", "Bitget", "Quidax", "Luno"],
  ["Bybit", "Bitget", "Binance", "VALR", "Luno"]
] as const

const orderBooks: ReadonlySet<string> = new Set(["Quidax", "Luno", "VALR"])

const FIAT = "NGN"

/** How often a venue is asked. */
const EVERY = MINUTE

/** The maximum age of a book. */
const OLDEST = 15 * MINUTE + 30 * SECOND

const adsOf = (draw: Draw, truth: Course): ((t: number) => ReadonlyArray<Row>) => {
  const [halfSpread, depth] = [draw.between(0.0005, 0.004), draw.between(0.002, 0.006)]
  const bias = wandering(draw, 1, [3 * HOUR, 0.0015])
  const ads = (["ask", "bid"] as const).flatMap((side) =>
    Array.from({ length: draw.whole(6, 20) }, (_, n) => ({
      name: `${side} ${n}`,
      behind: (side === "ask" ? 1 : -1) * (halfSpread + depth * draw.share()),
      own: wandering(draw, 1, [40 * MINUTE, 0.0004])
    }))
  )
  return (at) =>
    ads.map(({ behind, name, own }) => ({
      name,
      of: FIAT,
      at,
      figures: { price: truth(at) * bias(at) * (1 + behind) * own(at) },
      payment: "bank_transfer"
    }))
}

const topOf = (draw: Draw, truth: Course): ((t: number) => ReadonlyArray<Row>) => {
  const [bias, spread] = [wandering(draw, 1, [3 * HOUR, 0.0015]), draw.between(0.001, 0.006)]
  return (at) => {
    const mid = truth(at) * bias(at)
    return [{ name: "top", of: FIAT, at, figures: { bid: mid * (1 - spread / 2), ask: mid * (1 + spread / 2) } }]
  }
}

const venueSource = (draw: Draw, { isOrderBook, name }: BookVenue, truth: Course): Source => {
  const rowsAt = isOrderBook ? topOf(draw, truth) : adsOf(draw, truth)
  return { name, every: EVERY, memory: EVERY, tells: (t) => ({ at: t - 2 * SECOND, rows: rowsAt(t - 2 * SECOND) }) }
}

/** Nobody knows how the ads are paid, and many are cash at another price. */
const withUnknownPayments: Fault = (tells) => (t) => {
  const answer = tells(t)
  if (answer === undefined) return undefined
  const unknown = ({ at, figures, name, of }: Row): Row => ({ at, figures, name, of })
  const inCash = (row: Row) => ({
    ...unknown(row),
    name: `${row.name} cash`,
    figures: { price: (row.figures["price"] ?? 0) * 0.92 }
  })
  const cash = answer.rows.map(inCash)
  return { ...answer, rows: [...answer.rows.map(unknown), ...cash] }
}

/** The sides of a book swapped. */
const withSwappedSides: Fault = (tells) => (t) => {
  const answer = tells(t)
  const swap = (name: string) => (name.startsWith("ask") ? name.replace("ask", "bid") : name.replace("bid", "ask"))
  return answer && { ...answer, rows: answer.rows.map((row) => ({ ...row, name: swap(row.name) })) }
}

interface Wrong {
  readonly name: string
  readonly fault: Fault
  /** Whether its mid is gross enough to be seen, all the time. */
  readonly isGross?: true
}

const wrong = (draw: Draw, { isOrderBook, name }: BookVenue, isAnySizeBearable: boolean): Wrong => {
  const size = draw.one(1.07, 1.15, 1.3, 1.5, 3, 6, 1000, ...(isAnySizeBearable ? [1.03] : []))
  const factor = draw.isOneIn(2) ? size : 1 / size
  const scaled = faults.scaled(factor)
  const label = `prices × ${factor.toPrecision(3)}`
  const kinds: ReadonlyArray<() => Wrong> = [
    () => ({ name: label, fault: scaled, ...(size > 1.05 && size < 2 && { isGross: true }) }),
    () => ({ name: `${label}, nulls between`, fault: faults.alternating(EVERY, scaled, faults.without) }),
    () => ({ name: "frozen", fault: faults.frozen(false) }),
    () => ({ name: "silent", fault: faults.silent }),
    () => ({ name: "nulls", fault: faults.without }),
    () => ({ name: "sides swapped", fault: isOrderBook ? faults.swapped("bid", "ask") : withSwappedSides }),
    ...(isOrderBook ? [] : [() => ({ name: "payments unknown, cash among them", fault: withUnknownPayments })]),
    ...(isAnySizeBearable
      ? [
          () => ({
            name: "prices that drift",
            fault: draw.isOneIn(2) ? faults.drifting(0.004, 2) : faults.drifting(-0.004, 0.5)
          }),
          () => ({ name: "a frozen book, dated anew", fault: faults.frozen(true) })
        ]
      : [])
  ]
  const { name: what, ...rest } = draw.one(
    kinds[0] ?? (() => ({ name: "", fault: faults.silent })),
    ...kinds.slice(1)
  )()
  return { ...rest, name: `${name}: ${what}` }
}

export const bookScene: SceneOf<ReturnType<typeof bookDriven>["start"]> = (seed, days, isKept = () => true) => {
  const draw = drawOf(seed, "books")
  const from = startOf(draw)
  const until = from + days * DAY
  const names = draw.one<ReadonlyArray<string>>(...markets)
  const venues = names.map((name): BookVenue => ({ name, isOrderBook: orderBooks.has(name) }))
  const most = venues.length < 3 ? venues.length - 1 : Math.floor((venues.length - 1) / 2)
  const gross = new Set<string>()

  const faulty = (draw: Draw, at: number): Process => {
    const [venue] = draw.shuffled(venues)
    if (venue === undefined) throw new Error("A market without venues")
    const sources = [venue.name]
    // Nobody else can say that a single venue is wrong: it is found out if it ends before the second newer observation. Another lie
    // soon after it would be that observation, and two newer observations confirm a jump.
    if (venues.length === 1) {
      const fault = faults.alternating(EVERY, faults.scaled(draw.one(6, 1 / 6)), faults.without)
      return {
        name: `${venue.name}: prices × 6, nulls between, three times`,
        from: at,
        until: at + 2.5 * EVERY,
        faults: { sources, fault },
        aloneUntil: at + 2.5 * EVERY
      }
    }
    const { fault, isGross, name } = wrong(draw, venue, venues.length > 2)
    if (isGross) gross.add(name)
    const until = at + draw.ofAnySize(2 * MINUTE, 12 * HOUR)
    return { name, from: at, until, faults: { sources, fault }, mayBeFirst: venues.length > 2 }
  }
  const outage = (draw: Draw, at: number): Process => {
    const sources = draw.shuffled(names).slice(0, draw.whole(1, names.length))
    const until = at + draw.ofAnySize(MINUTE, 3 * HOUR)
    return {
      name: `${sources.join(", ")}: silent`,
      from: at,
      until,
      faults: { sources, fault: faults.silent },
      aloneUntil: until
    }
  }
  const moved = (draw: Draw, at: number): Process => {
    const [factor, until] = [draw.one(1.08, 1.3, 0.9, 1.6), at + draw.ofAnySize(5 * MINUTE, 2 * HOUR)]
    const bends = { of: [FIAT], by: changing(factor, at, until) }
    return {
      name: `the street truly × ${factor}`,
      from: at,
      until,
      bends,
      ...(venues.length < 3 && { aloneUntil: until + 20 * MINUTE })
    }
  }
  const drawn = scheduled(draw, from, until, [
    [4 * days, faulty],
    [0.7 * days, outage],
    [0.5 * days, moved],
    [1.5 * days, ofService]
  ])
  const processes = bearable(
    drawn,
    [{ of: [FIAT], sources: new Set(names), most: Math.max(most, 1) }],
    16 * MINUTE
  ).filter(isKept)
  const bends = processes.flatMap((one) => (one.bends === undefined ? [] : [one.bends.by]))
  const usual = wandering(drawOf(seed, "street"), draw.between(1200, 1700), [7 * HOUR, 0.004], [3 * DAY, 0.02])
  const truth = product([usual, ...bends])
  const isFaulty = (name: string, t: number) =>
    processes.some((one) => one.faults?.sources.includes(name) === true && one.from <= t && t < one.until + EVERY)
  /** Whether a venue lies grossly, and is not silent or empty for another reason. */
  const isGrosslyWrong = (venue: string, t: number): boolean => {
    const own = processes.filter(
      (one) => one.faults?.sources.includes(venue) === true && one.from <= t && t < one.until
    )
    return own.length > 0 && own.every(({ from, name }) => gross.has(name) && from + EVERY <= t)
  }
  return {
    name: `P2P market of ${names.length} venues`,
    from,
    until,
    steps: { near: EVERY, after: 8 * MINUTE, between: 10 * MINUTE },
    grace: 3 * MINUTE,
    processes,
    sources: venues.map((venue) => venueSource(drawOf(seed, venue.name), venue, truth)),
    driven: bookDriven(venues, EVERY),
    figures: [FIAT],
    expected: (_, t) => ({
      truth,
      times: (observedAt) => [Math.min(observedAt, t) - 5 * SECOND, t],
      tolerance: 0.01,
      // Two venues that differ are told apart by the last mid, if they differ by enough.
      isSupported:
        names.length === 2
          ? names.every((name) => !isFaulty(name, t) || isGrosslyWrong(name, t))
          : names.some((name) => !isFaulty(name, t)),
      oldest: t - OLDEST,
      isDoubtful: names.some((name) => isGrosslyWrong(name, t))
    })
  }
}
