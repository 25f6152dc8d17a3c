// The events of the simulated world: coins that move for a published reason, coins that move without one, and now and
// then a fall of the whole market. The script repeats every 72 hours from its start (default 1970-01-01), so that tests
// know what is true at any time:
//
//   hour  0       the market falls by a tenth within two hours and recovers over the rest of the cycle
//   hours 3, 27, 51   an exchange announces that it delists a coin: the coin falls by a third within the hour
//   hours 15, 39, 63  an exchange announces that it lists a coin: the coin rises by 40 %
//   hour  33      a coin's bridge is exploited: the coin falls by a third
//   hours 8, 32, 56   a coin rises by a third without news
//   hours 20, 44, 68  a coin falls by a quarter without news
//
// So the last 24 hours always contain at least one announced mover and one without news. During the first day of a
// cycle they also contain the market's fall.
import { Struct } from "effect"
import { byId, type KnownCoin } from "../domain/CoinRegistry.ts"
import { rememberEach } from "../domain/rememberEach.ts"
import { hourMs, minuteMs } from "./Calendar.ts"
import { keyOf, pick } from "./Noise.ts"

export type ScriptKind = "delisting" | "listing" | "exploit" | "silent_rise" | "silent_fall" | "market_fall"

export interface ScriptEvent {
  readonly kind: ScriptKind
  /** `null` for the whole market. */
  readonly coin: KnownCoin | null
  /** Epoch milliseconds of its first minute. */
  readonly at: number
  /** Counts the events of its kind. */
  readonly index: number
}

export type Script = ReturnType<typeof make>

export interface ScriptOptions {
  /** Epoch milliseconds at which a cycle begins. Default 0. */
  readonly start?: number
  /** Whether there are no events at all. */
  readonly isCalm?: boolean
}

const cycleHours = 72

const coinsOf = (ids: string): ReadonlyArray<KnownCoin> => ids.split(" ").flatMap((id) => byId(id) ?? [])

// Mid-sized coins whose names mean nothing else. No news is ever published about the quiet ones.
const newsworthy = coinsOf(
  "algorand filecoin vechain arbitrum kaspa tezos decred injective-protocol aave hedera-hashgraph ethena morpho aptos pancakeswap-token lido-dao layerzero ondo-finance worldcoin-wld curve-dao-token gnosis"
)
const quiet = coinsOf(
  "bittensor internet-computer cosmos chiliz kaia dexe virtual-protocol polkadot litecoin uniswap mantle quant-network ethereum-classic"
)

interface Kind {
  /** When it begins, hours of the cycle. */
  readonly hours: ReadonlyArray<number>
  /** The logarithm of the price factor. */
  readonly size: number
  /** The coins that take turns; `null` for the whole market. */
  readonly cast: ReadonlyArray<KnownCoin> | null
}

const kinds: Readonly<Record<ScriptKind, Kind>> = {
  market_fall: { hours: [0], size: -0.1, cast: null },
  delisting: { hours: [3, 27, 51], size: -0.4, cast: newsworthy },
  silent_rise: { hours: [8, 32, 56], size: 0.29, cast: quiet },
  listing: { hours: [15, 39, 63], size: 0.34, cast: newsworthy },
  silent_fall: { hours: [20, 44, 68], size: -0.3, cast: quiet },
  exploit: { hours: [33], size: -0.42, cast: newsworthy }
}

const cycle = Struct.keys(kinds)
  .flatMap((kind) => kinds[kind].hours.map((hour, ofKind) => ({ hour, kind, ofKind, ...kinds[kind] })))
  .toSorted((a, b) => a.hour - b.hour)

/** Every event of the cycle, with its place among the events of the same cast, and their number. */
const places = cycle.map((place) => {
  const ofCast = cycle.filter(({ cast }) => cast === place.cast)
  return { ...place, turn: ofCast.indexOf(place), turns: ofCast.length }
})

const scripted: ReadonlySet<string> = new Set([...newsworthy, ...quiet].map(({ id }) => id))

/** A coin's move comes within the hour, stays for two days, and fades over three weeks. */
const coinShape = (hours: number): number => Math.min(1, hours) * Math.min(1, Math.max(0, 1 - (hours - 48) / 480))

/** After so many hours an event has no effect. */
const longestHours = 48 + 480

/** The market's move comes within two hours and fades until the next cycle. */
const marketShape = (hours: number): number =>
  hours >= cycleHours ? 0 : Math.min(1, hours / 2) * (1 - Math.max(0, hours - 2) / (cycleHours - 2))

export const make = (seed: number, options?: ScriptOptions) => {
  const start = options?.start ?? 0
  const offset = pick(keyOf(seed, "script"), 0, 1000)

  const eventAt = (round: number, place: (typeof places)[number]): ScriptEvent => {
    const { cast, hour, hours, kind, ofKind } = place
    const at = start + (round * cycleHours + hour) * hourMs
    const index = round * hours.length + ofKind
    if (cast === null) return { kind, coin: null, at, index }
    const turn = round * place.turns + place.turn + offset
    return { kind, coin: cast.at(turn % cast.length) ?? null, at, index }
  }

  // Cached: fourteen years of candles read all their rounds.
  const eventsOf = rememberEach(2048, (round: number) => places.map((place) => eventAt(round, place)))
  const byCoin = rememberEach(2048, (round: number) => Map.groupBy(eventsOf(round), ({ coin }) => coin?.id))

  /** The events that began in the `hours` up to a time, oldest first; `of` has the events of a round. */
  const begun = (at: number, hours: number, of: (round: number) => ReadonlyArray<ScriptEvent>) => {
    if (options?.isCalm === true) return []
    const from = at - hours * hourMs
    const roundOf = (time: number) => Math.floor((time - start) / (cycleHours * hourMs))
    const found: Array<ScriptEvent> = []
    for (let round = roundOf(from); round <= roundOf(at); round++) {
      for (const event of of(round)) {
        if (event.at > from && event.at <= at) found.push(event)
      }
    }
    return found
  }

  /** The same for one coin, or for the whole market (`undefined`). */
  const begunOn = (id: string | undefined, at: number, hours: number) =>
    begun(at, hours, (round) => byCoin(round).get(id) ?? [])

  const has = (id: string): boolean => options?.isCalm !== true && scripted.has(id)

  return {
    /** The events that began in the `hours` up to a time, oldest first. */
    events: (at: number, hours: number): ReadonlyArray<ScriptEvent> => begun(at, hours, eventsOf),
    /** The logarithm of the factor on every free coin at one minute. */
    market: (minute: number): number => {
      const at = minute * minuteMs
      return begunOn(undefined, at, cycleHours).reduce(
        (sum, { at: began, kind }) => sum + kinds[kind].size * marketShape((at - began) / hourMs),
        0
      )
    },
    /**
     * The script's effect on a coin at one minute: the logarithm of the factor on its price, and the extra volume of a
     * day, as a share of its market cap.
     */
    coin: (id: string, minute: number) => {
      const at = minute * minuteMs
      let [move, turnover] = [0, 0]
      for (const { at: began, kind } of has(id) ? begunOn(id, at, longestHours) : []) {
        const hours = (at - began) / hourMs
        move += kinds[kind].size * coinShape(hours)
        turnover += hours > 96 ? 0 : 0.1 * Math.min(1, hours) * Math.exp(-hours / 24)
      }
      return { move, turnover }
    },
    /** Whether a coin moves by the script and has no random jumps. */
    has,
    /**
     * Whether a day must have no random jumps, so that the market's fall is visible. A jump begins before 20:00, takes
     * 90 minutes, and is in the 24 h change for a day.
     */
    isReserved: (day: number) => begunOn(undefined, (day * 24 + 45) * hourMs, 69).length > 0
  }
}
