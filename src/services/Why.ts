// What moves the biggest movers, worked out ahead of every request: every five minutes the movers are chosen, explained from what
// was published. A request never waits for a feed.
import { Clock, Config, Context, DateTime, Duration, Effect, Fiber, Layer, Option, Schedule, Semaphore } from "effect"
import type { Coin } from "../domain/Coin.ts"
import type { EvidenceItem } from "../domain/Evidence.ts"
import type { PriceHistory } from "../domain/PriceHistory.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { CoinGecko } from "../sources/market/CoinGecko.ts"
import { Gdelt } from "../sources/news/Gdelt.ts"
import { Coins, type UnknownCoin } from "./Coins.ts"
import { EvidencePool } from "./EvidencePool.ts"
import { GlobalMarkets } from "./GlobalMarkets.ts"
import { candidatesAt } from "./MoverCandidates.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { accounted, read } from "./refresh/Dependencies.ts"
import { Unavailable } from "./refresh/Unavailable.ts"
import { type Explaining, explainAgain, explainAll, inSlices } from "./WhyExplaining.ts"
import type { RunFacts } from "./WhyInputs.ts"
import type { MarketView } from "./WhyMarket.ts"
import type { MoverView, WhyMemory } from "./WhyMemory.ts"
import { type NotAMoverView, notAMoverOf } from "./WhyNotAMover.ts"
import * as WhyScheduler from "./WhyScheduler.ts"

export type { MoverView } from "./WhyMemory.ts"
export type { WhyRun } from "./WhyScheduler.ts"

/** The port that this process listens on. */
export const OwnPort = Context.Reference<number>("crypto-data-api/services/OwnPort", { defaultValue: () => 3000 })

/** Where this service is reached from outside, without a slash at the end: what its own citations begin with. */
const publicAddress = Effect.gen(function* () {
  const url = yield* Config.option(Config.URL("PUBLIC_URL"))
  return Option.isSome(url) ? url.value.href.replace(/\/+$/, "") : `http://localhost:${yield* OwnPort}`
})

/** One coin: a mover, or why it is none. */
export interface WhyAnswer {
  readonly market: MarketView
  readonly view: MoverView
  readonly notAMover: NotAMoverView | null
  /** What was last said of a coin that left the list lately. */
  readonly last: MoverView | null
}

/** What is known at once is shown together; whatever takes longer is shown when it is there. */
const AT_ONCE = Duration.seconds(1)

/** Searches of one run have until just before the next. */
const SEARCHED_WITHIN = Duration.minutes(4)

/** How long the very first run waits for hourly prices and totals: without the prices it would know no mover. */
const FIRST_WAIT = Duration.seconds(5)

/** The explanations. */
export class Why extends Context.Service<
  Why,
  {
    /** The current movers; stamped with the time of the run, or of its figures where those are old. */
    readonly movers: Effect.Effect<Snapshot<WhyScheduler.WhyRun>, Unavailable>
    /** One coin by its id in lower case. */
    readonly mover: (id: string) => Effect.Effect<Snapshot<WhyAnswer>, UnknownCoin | Unavailable>
  }
>()("crypto-data-api/services/Why") {
  static readonly layerNoDeps: Layer.Layer<
    Why,
    Config.ConfigError,
    Coins | GlobalMarkets | CoinGecko | EvidencePool | Gdelt
  > = Layer.effect(
    Why,
    Effect.gen(function* () {
      const coins = yield* Coins
      const globalMarkets = yield* GlobalMarkets
      const gecko = yield* CoinGecko
      const pool = yield* EvidencePool
      const gdelt = yield* Gdelt
      const publicUrl = yield* publicAddress
      // Figures older than this are no answer; the list of coins is none by then either.
      const maxAge = yield* maxAges.coins

      const history = yield* Refresher.make<ReadonlyArray<PriceHistory>>({
        name: "hourly prices",
        sources: [gecko.history],
        maxAge: "6 hours",
        grace: "6 hours",
        startAfter: gecko.lessUrgentAfter
      })
      /** What searches found about the movers, by coin. */
      const found = new Map<string, ReadonlyArray<EvidenceItem>>()
      const oneSearch = yield* Semaphore.make(1)

      const factsNow = Effect.fnUntraced(function* (isFirst: boolean) {
        const list = yield* coins.list
        const patience = isFirst ? FIRST_WAIT : Duration.zero
        const [global, hourly] = yield* Effect.all(
          [
            Effect.timeoutOption(Effect.option(globalMarkets.current), Duration.max(patience, Duration.millis(1))),
            isFirst
              ? Effect.ignore(Effect.timeoutOption(history.answer, patience)).pipe(Effect.andThen(history.last))
              : history.last
          ],
          { concurrency: 2 }
        )
        const gathered = yield* pool.gathered
        const asOf = yield* DateTime.now
        const isOld = WhyScheduler.isOldAt(asOf, list.observedAt)
        return {
          asOf,
          market: {
            coins: list.value,
            global: Option.getOrNull(Option.map(Option.flatten(global), ({ value }) => value)),
            history: new Map(
              Option.match(hourly, { onNone: () => [], onSome: ({ value }) => value }).map((row) => [row.id, row])
            )
          },
          source: list.source,
          observedAt: list.observedAt,
          // Old figures are no ground for saying what coincides with them.
          gathered: isOld ? { ...gathered, freshShare: 0 } : gathered,
          publicUrl
        } satisfies RunFacts
      })

      /** Items about a coin that no feed told of. A search that fails has measured nothing: what was found before stands. */
      const search = (coin: Coin): Effect.Effect<boolean> =>
        gdelt.search(coin.name).pipe(
          Effect.retry({ while: ({ reason }) => reason._tag === "OverBudget", times: 2, schedule: SEARCH_TURNS }),
          Effect.map(({ value }) => {
            const isNews = value.length > 0 || found.has(coin.id)
            if (isNews) found.set(coin.id, value)
            return isNews
          }),
          Effect.catch(() => Effect.succeed(false)),
          oneSearch.withPermits(1)
        )

      /** The same with a search where nothing was found. */
      const improve = Effect.fnUntraced(function* (one: Explaining, facts: RunFacts, memory: WhyMemory) {
        const isNews = one.needsSearch && (yield* search(one.coin))
        const better = isNews ? explainAgain(one, facts, found.get(one.coin.id) ?? []) : one
        return memory.dated(better.explained.explanation, facts.asOf)
      })

      const run = Effect.fn("Why.run")(function* ({ asks, isFirst, memory, show }: WhyScheduler.Round) {
        const facts = yield* factsNow(isFirst)
        const candidateOf = candidatesAt(facts.market, facts.asOf)
        const candidates = yield* inSlices(facts.market.coins.coins, 25, (coin) => candidateOf(coin))
        const listed = memory.list(candidates, facts.asOf)
        const movers = listed.flatMap(({ id }) => facts.market.coins.byId.get(id) ?? [])
        const ids = new Set(movers.map(({ id }) => id))
        for (const id of found.keys()) if (!ids.has(id)) found.delete(id)
        const first = yield* explainAll(movers, facts, found)
        const views = first.map((one) => memory.dated(one.explained.explanation, facts.asOf))
        let isShown = false
        const improving = yield* Effect.forEach(
          asks ? first : [],
          (one, n) =>
            Effect.flatMap(improve(one, facts, memory), (view) => {
              views[n] = view
              return isShown ? show(facts, views) : Effect.void
            }),
          { concurrency: "unbounded", discard: true }
        ).pipe(Effect.timeoutOption(SEARCHED_WITHIN), Effect.forkChild({ startImmediately: true }))
        yield* Effect.timeoutOption(Fiber.await(improving), AT_ONCE)
        yield* show(facts, views)
        isShown = true
        yield* Fiber.join(improving)
        memory.forget(facts.asOf)
        return facts
      })

      const rounds = yield* WhyScheduler.make({ origin: gecko.origin, maxAge, factsNow, run })

      const current = Effect.gen(function* () {
        if (rounds.held.value === undefined) {
          yield* rounds.ask
          // Only in the first seconds after a start: as long as any answer waits for the list of coins.
          yield* Effect.ignore(coins.list)
          yield* Effect.timeoutOption(rounds.first, Duration.sum(FIRST_WAIT, AT_ONCE))
        }
        const known = yield* read(rounds.held)
        const now = yield* Clock.currentTimeMillis
        return known === undefined || now > rounds.held.goodUntil
          ? yield* new Unavailable({ question: "explanations", retryAfter: 5 })
          : known
      })

      const mover = Effect.fn("Why.mover")(function* (id: string) {
        // What the run looked at, so that a coin is told the same as the list.
        const { facts, run } = yield* current
        const { market, movers: listed } = run.value
        const view = listed.find((one) => one.id === id)
        if (view !== undefined) return { ...run, value: { market, view, notAMover: null, last: null } }
        const coin = facts.market.coins.byId.get(id) ?? (yield* accounted(coins.coin(id))).value
        const none = notAMoverOf(coin, facts, listed)
        return { ...run, value: { market, ...none, last: rounds.memory.last(id, facts.asOf) } satisfies WhyAnswer }
      })

      return Why.of({ movers: Effect.map(current, ({ run }) => run), mover })
    })
  )

  static readonly layer: Layer.Layer<Why, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide([Coins.layer, GlobalMarkets.layer, CoinGecko.layer, EvidencePool.layer, Gdelt.layer])
  )

  static readonly layerTest = (service: Why["Service"]) => Layer.succeed(Why, service)
}

/** GDELT is asked every five seconds at most; a job can wait for its turn. */
const SEARCH_TURNS = Schedule.spaced("5200 millis")
