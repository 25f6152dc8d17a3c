// What moves the biggest movers, explained ahead of every request. A request reads what the scheduler shows; it never
// waits for a feed, and only in the first seconds after a start for a first run.
import { Clock, Config, Context, DateTime, Effect, Layer, Option } from "effect"
import * as Snapshot from "../../domain/Snapshot.ts"
import { figurePages } from "../../sources/catalog/SourceCatalog.ts"
import { CoinGecko } from "../../sources/market/CoinGecko.ts"
import type { Market } from "../../domain/Explanation.ts"
import { type NotAMover, notAMoverOf } from "../../why/NotAMover.ts"
import type { RunFacts } from "../../why/RunFacts.ts"
import { lastExplanationOf, type MoverView, type WhyRun } from "../../why/RunState.ts"
import { CoinCandles } from "../CoinCandles.ts"
import { Coins, type UnknownCoin } from "../Coins.ts"
import { EvidencePool } from "../EvidencePool.ts"
import { GlobalMarkets } from "../GlobalMarkets.ts"
import { accounted, read } from "../refresh/Dependencies.ts"
import { hourlyRows } from "../refresh/Rows.ts"
import { maxAges } from "../refresh/MaxAges.ts"
import * as Patience from "../refresh/Patience.ts"
import * as Rules from "../judge/Rules.ts"
import * as Refresher from "../refresh/Refresher.ts"
import { Unavailable } from "../refresh/Unavailable.ts"
import * as VolumeRatios from "./VolumeRatios.ts"
import * as WhyScheduler from "./WhyScheduler.ts"

/** The port that this process listens on. */
export const OwnPort = Context.Reference<number>("crypto-data-api/services/why/OwnPort", { defaultValue: () => 3000 })

/** A coin that is a mover, or why it is not. */
export interface WhyAnswer {
  readonly market: Market
  readonly view: MoverView
  readonly notAMover: NotAMover | null
  /** The last explanation of a coin that left the list within six hours. */
  readonly last: MoverView | null
}

/** How long the first run waits for totals and for hourly prices. Without hourly prices it finds fewer movers. */
const FIRST_WAIT = Patience.OPTIONAL_PART

/** The biggest movers and their explanations. */
export class Why extends Context.Service<
  Why,
  {
    /** The current movers. Stamped with the time of the run, or of its figures if those are over 30 minutes old. */
    readonly movers: Effect.Effect<Snapshot.Snapshot<WhyRun>, Unavailable>
    /** One coin by its id in lower case. */
    readonly mover: (id: string) => Effect.Effect<Snapshot.Snapshot<WhyAnswer>, UnknownCoin | Unavailable>
  }
>()("crypto-data-api/services/why/Why") {
  static readonly layerNoDeps: Layer.Layer<
    Why,
    Config.ConfigError,
    Coins | CoinCandles | GlobalMarkets | CoinGecko | EvidencePool
  > = Layer.effect(
    Why,
    Effect.gen(function* () {
      const coins = yield* Coins
      const scheduler = yield* WhyScheduler.make({
        maxAge: yield* maxAges.coins,
        facts: yield* makeFacts,
        volumeRatios: yield* VolumeRatios.make
      })

      const current = Effect.gen(function* () {
        if (scheduler.shown.value === undefined) {
          yield* scheduler.ask
          // Without a list of coins there is no run to wait for.
          const list = yield* Effect.option(coins.list)
          if (Option.isSome(list)) yield* Patience.waitFor(scheduler.first)
        }
        const shown = yield* read(scheduler.shown)
        const now = yield* Clock.currentTimeMillis
        return shown === undefined || now > scheduler.shown.goodUntil
          ? yield* new Unavailable({ question: "explanations", retryAfter: 5 })
          : shown
      }).pipe(Patience.shared)

      /** Puts the currently served price of a coin into a view, so that all answers agree. Other figures are the run's. */
      const priced = Effect.map(Effect.option(coins.list), (list) => (view: MoverView): MoverView => {
        const price = Option.getOrUndefined(list)?.value.byId.get(view.id)?.price
        return { ...view, price_usd: price ?? view.price_usd }
      })

      const movers = Effect.gen(function* () {
        const [{ run }, atServedPrice] = [yield* current, yield* priced]
        return Snapshot.map(run, (value) => ({ ...value, movers: value.movers.map(atServedPrice) }))
      })

      const mover = Effect.fn("Why.mover")(function* (id: string) {
        const { facts, run } = yield* current
        const { market, movers } = run.value
        const atServedPrice = yield* priced
        const view = movers.find((one) => one.id === id)
        if (view !== undefined)
          return Snapshot.map(run, () => ({ market, view: atServedPrice(view), notAMover: null, last: null }))
        // The coin as the run saw it, so that its page agrees with the list.
        const coin = facts.market.coins.byId.get(id) ?? (yield* accounted(coins.coin(id))).value
        const { explanation, notAMover } = notAMoverOf(coin, facts, movers)
        const last = lastExplanationOf(yield* scheduler.state, id, facts.asOf)
        const dates = { first_explained_at: facts.asOf, revised_at: facts.asOf }
        return Snapshot.map(run, () => ({
          market,
          view: atServedPrice({ ...explanation, ...dates }),
          notAMover,
          last
        }))
      }, Patience.shared)

      return Why.of({ movers, mover })
    })
  )

  static readonly layer: Layer.Layer<Why, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide([Coins.layer, CoinCandles.layer, GlobalMarkets.layer, CoinGecko.layer, EvidencePool.layer])
  )

  static readonly layerTest = (service: Why["Service"]) => Layer.succeed(Why, service)
}

/** The public URL of this service, without a trailing slash: its own citations begin with it. */
const publicAddress = Effect.gen(function* () {
  const url = yield* Config.option(Config.URL("PUBLIC_URL"))
  return Option.isSome(url) ? url.value.href.replace(/\/+$/, "") : `http://localhost:${yield* OwnPort}`
})

/** Makes the function that gathers the facts of a run. */
const makeFacts = Effect.gen(function* () {
  const coins = yield* Coins
  const globalMarkets = yield* GlobalMarkets
  const pool = yield* EvidencePool
  const gecko = yield* CoinGecko
  const publicUrl = yield* publicAddress
  const history = yield* Refresher.make({
    name: "hourly prices",
    sources: [gecko.hourlyPrices],
    maxAge: "6 hours",
    rows: hourlyRows,
    rules: Rules.hourly,
    startAfter: gecko.lessUrgentAfter
  })

  return Effect.fnUntraced(function* (isFirst: boolean) {
    const list = yield* coins.list
    // Prices of exchanges alone have no changes over 24 hours.
    if (list.value.coins.every(({ change_24h }) => change_24h === null))
      return yield* new Unavailable({ question: "explanations", retryAfter: 5 })
    // Only the first run waits: later ones follow soon after it and see what has arrived meanwhile.
    if (isFirst) {
      yield* Effect.all([Effect.ignore(globalMarkets.current), history.decided], { concurrency: 2 }).pipe(
        Effect.timeoutOption(FIRST_WAIT)
      )
    }
    const global = yield* globalMarkets.known
    const hourly = yield* history.last
    const gathered = yield* pool.gathered
    return {
      asOf: yield* DateTime.now,
      market: {
        coins: list.value,
        disputed: yield* coins.disputed,
        global: Option.getOrNull(global)?.value ?? null,
        history: new Map(Option.toArray(hourly).flatMap(({ value }) => value.map((row) => [row.id, row] as const)))
      },
      source: list.source,
      observedAt: list.observedAt,
      figurePages,
      gathered,
      publicUrl
    } satisfies RunFacts
  })
})
