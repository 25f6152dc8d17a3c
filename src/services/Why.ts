// What moves the biggest movers, worked out ahead of every request: every five minutes the movers are chosen, explained from what
// was published, and, where a model is configured, reworded. A request never waits for a feed or a model.
import { Config, Context, DateTime, Duration, Effect, Layer, Option, SubscriptionRef } from "effect"
import type { Coin } from "../domain/Coin.ts"
import type { EvidenceItem } from "../domain/Evidence.ts"
import type { PriceHistory } from "../domain/PriceHistory.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { CoinGecko } from "../sources/CoinGecko.ts"
import { Gdelt } from "../sources/Gdelt.ts"
import { explain } from "../why/Explain.ts"
import { emptyState, type NotAMover, reasonFor, step, thresholdOf } from "../why/Movers.ts"
import { readPool } from "../why/Pool.ts"
import { Coins, type UnknownCoin } from "./Coins.ts"
import { EvidencePool } from "./EvidencePool.ts"
import { GlobalMarkets } from "./GlobalMarkets.ts"
import { candidateOf } from "./MoverCandidates.ts"
import * as Question from "./Question.ts"
import { type RewordedExplanation, Rewording } from "./Rewording.ts"
import { Unavailable } from "./Unavailable.ts"
import { type MarketView, marketViewOf, withoutReasons } from "./WhyMarket.ts"
import { inputOf, moverCoinOf, type RunFacts } from "./WhyInputs.ts"

/** An explained mover and since when it is explained so. */
export interface MoverView extends RewordedExplanation {
  readonly first_explained_at: DateTime.Utc
  readonly revised_at: DateTime.Utc
}

/** Where this service is reached from outside, without a slash at the end: what its own citations begin with. */
export const publicAddress: Config.Config<string> = Config.all({
  url: Config.option(Config.URL("PUBLIC_URL")),
  port: Config.Port("PORT").pipe(Config.withDefault(3000))
}).pipe(
  Config.map(({ port, url }) =>
    Option.match(url, { onNone: () => `http://localhost:${port}`, onSome: ({ href }) => href.replace(/\/+$/, "") })
  )
)

/** One run: the movers in order of size. */
export interface WhyRun {
  readonly market: MarketView
  readonly movers: ReadonlyArray<MoverView>
}

/** One coin: a mover, or why it is none. */
export interface WhyAnswer {
  readonly market: MarketView
  readonly view: MoverView
  readonly notAMover: { readonly reason: NotAMover; readonly threshold: number; readonly sigma: number | null } | null
  /** What was last said of a coin that left the list lately. */
  readonly last: MoverView | null
}

const RUN_EVERY = Duration.minutes(5)

/** Until there is something to explain, it is looked for this often. */
const FIRST_RUNS_EVERY = Duration.seconds(3)

/** Runs soon after a start, while feeds and hourly prices come in. */
const EARLY_RUNS = 5

/** A run longer ago than this is no answer. */
const MAX_AGE = Duration.minutes(30)

/** What was said of a coin that left the list is remembered this long. */
const REMEMBER = Duration.hours(6)

/** The explanations. */
export class Why extends Context.Service<
  Why,
  {
    /** The current movers; stamped with the time of the run. */
    readonly movers: Effect.Effect<Snapshot<WhyRun>, Unavailable>
    /** One coin by its id in lower case. */
    readonly mover: (id: string) => Effect.Effect<Snapshot<WhyAnswer>, UnknownCoin | Unavailable>
  }
>()("crypto-data-api/services/Why") {
  static readonly layerNoDeps: Layer.Layer<
    Why,
    Config.ConfigError,
    Coins | GlobalMarkets | CoinGecko | EvidencePool | Gdelt | Rewording
  > = Layer.effect(
    Why,
    Effect.gen(function* () {
      const coins = yield* Coins
      const globalMarkets = yield* GlobalMarkets
      const gecko = yield* CoinGecko
      const pool = yield* EvidencePool
      const gdelt = yield* Gdelt
      const rewording = yield* Rewording
      const publicUrl = yield* publicAddress

      const history = yield* Question.make<ReadonlyArray<PriceHistory>>({
        name: "hourly prices",
        sources: [gecko.history],
        maxAge: "6 hours",
        grace: "6 hours",
        startAfter: gecko.lessUrgentAfter
      })
      const run = yield* SubscriptionRef.make(Option.none<Snapshot<WhyRun>>())
      let state = emptyState
      const remembered = new Map<string, MoverView>()

      const factsNow: Effect.Effect<RunFacts, Unavailable> = Effect.gen(function* () {
        const list = yield* coins.list
        const hourly = yield* history.last
        const global = yield* Effect.option(globalMarkets.current)
        return {
          asOf: yield* DateTime.now,
          market: {
            coins: list.value,
            global: Option.getOrNull(Option.map(global, ({ value }) => value)),
            history: new Map(
              Option.getOrElse(
                Option.map(hourly, ({ value }) => value),
                () => []
              ).map((row) => [row.id, row])
            )
          },
          source: list.source,
          observedAt: list.observedAt,
          gathered: yield* pool.gathered,
          publicUrl
        }
      })

      /** The same words about the same evidence are the same explanation, however the figures in them move. */
      const dated = (reworded: RewordedExplanation, now: DateTime.Utc): MoverView => {
        const before = remembered.get(reworded.id)
        const isRevised = before === undefined || substanceOf(before) !== substanceOf(reworded)
        const view = {
          ...reworded,
          first_explained_at: before?.first_explained_at ?? now,
          revised_at: isRevised ? now : before.revised_at
        }
        remembered.set(view.id, view)
        return view
      }

      const publish = (facts: RunFacts, movers: ReadonlyArray<MoverView>) =>
        SubscriptionRef.set(
          run,
          Option.some({
            value: { market: marketViewOf(facts, movers), movers },
            source: `${facts.source} + news feeds`,
            observedAt: facts.asOf,
            retrievedAt: facts.asOf
          })
        )

      /** Items about a coin that no feed told of; a search that fails has measured nothing. */
      const searched = (coin: Coin): Effect.Effect<ReadonlyArray<EvidenceItem>> =>
        gdelt.search(coin.name).pipe(
          Effect.map(({ value }) => value),
          Effect.catch(() => Effect.succeed([]))
        )

      const explainOne = (
        coin: Coin,
        facts: RunFacts,
        evidence: ReadonlyArray<EvidenceItem>,
        shared?: ReturnType<typeof readPool>
      ) => {
        const input = inputOf(coin, coin.change_24h ?? 0, facts, evidence)
        return { input, explained: explain(input, shared ?? readPool(evidence, [input.coin])) }
      }

      const embedded = ({ explained }: ReturnType<typeof explainOne>): RewordedExplanation => ({
        ...explained.explanation,
        engine: "embedded",
        fallback: null
      })

      const runOnce = Effect.gen(function* () {
        const facts = yield* factsNow
        const candidates = facts.market.coins.coins.map((coin) => candidateOf(coin, facts.market))
        const next = step(state, candidates, facts.asOf)
        state = next.state
        const movers = next.movers.flatMap(({ id }) => facts.market.coins.byId.get(id) ?? [])
        const shared = readPool(facts.gathered.items, movers.map(moverCoinOf))
        const first = movers.map((coin) => explainOne(coin, facts, facts.gathered.items, shared))
        yield* publish(
          facts,
          first.map((one) => dated(embedded(one), facts.asOf))
        )
        const better = yield* Effect.forEach(
          first,
          (one, n) =>
            Effect.gen(function* () {
              const coin = movers[n]
              const more =
                coin === undefined || one.explained.explanation.status !== "unexplained" ? [] : yield* searched(coin)
              const again =
                coin === undefined || more.length === 0
                  ? one
                  : explainOne(coin, facts, [...facts.gathered.items, ...more])
              return dated(yield* rewording.reword(again.input, again.explained), facts.asOf)
            }),
          { concurrency: 2 }
        )
        yield* publish(facts, better)
        forgetLeft(remembered, better, facts.asOf)
        return movers.length
      })

      let runs = 0
      yield* runOnce.pipe(
        Effect.tap(() => Effect.sync(() => runs++)),
        Effect.catch((failure) => Effect.as(Effect.logDebug(`explanations: ${failure.message}`), 0)),
        // A bug in one run must not end all later ones.
        Effect.catchCause((cause) => Effect.as(Effect.logError("a run of explanations failed", cause), 0)),
        Effect.andThen(Effect.suspend(() => Effect.sleep(runs < EARLY_RUNS ? FIRST_RUNS_EVERY : RUN_EVERY))),
        Effect.forever,
        Effect.withSpan("Why.run"),
        Effect.forkScoped
      )

      const missing = new Unavailable({ question: "explanations", retryAfter: 5 })
      const movers = Effect.gen(function* () {
        let held = yield* SubscriptionRef.get(run)
        if (Option.isNone(held)) {
          // Only in the first seconds after a start, while the first run waits for the list of coins.
          yield* Effect.ignore(coins.list)
          yield* Effect.sleep("50 millis")
          held = yield* SubscriptionRef.get(run)
        }
        const oldest = DateTime.subtractDuration(yield* DateTime.now, MAX_AGE)
        return Option.isSome(held) && DateTime.isGreaterThan(held.value.observedAt, oldest)
          ? held.value
          : yield* missing
      })

      const mover = Effect.fn("Why.mover")(function* (id: string) {
        const coin = yield* coins.coin(id)
        const current = yield* movers
        const { market, movers: listed } = current.value
        const view = listed.find((one) => one.id === id)
        if (view !== undefined) return { ...current, value: { market, view, notAMover: null, last: null } }
        const facts = yield* factsNow
        const candidate = candidateOf(coin.value, facts.market)
        const { explanation } = explain(inputOf(coin.value, coin.value.change_24h ?? 0, facts, []), [])
        const value: WhyAnswer = {
          market,
          view: {
            ...withoutReasons(explanation, coin.value),
            engine: "embedded",
            fallback: null,
            first_explained_at: facts.asOf,
            revised_at: facts.asOf
          },
          notAMover: { reason: reasonFor(candidate), threshold: thresholdOf(candidate), sigma: candidate.sigma },
          last: remembered.get(id) ?? null
        }
        return { ...current, value }
      })

      return Why.of({ movers, mover })
    })
  )

  static readonly layer: Layer.Layer<Why, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide([Coins.layer, GlobalMarkets.layer, CoinGecko.layer, EvidencePool.layer, Gdelt.layer, Rewording.layer])
  )

  static readonly layerTest = (service: Why["Service"]) => Layer.succeed(Why, service)
}

/** What makes an explanation another one: what is said to coincide, and who reported it. */
const substanceOf = ({ citations, direction, drivers, status, verdict }: RewordedExplanation): string =>
  JSON.stringify([
    status,
    verdict,
    direction,
    drivers.map(({ kind, role }) => [kind, role]),
    citations.filter(({ type }) => type !== "market_data" && type !== "coverage").map(({ url }) => url)
  ])

const forgetLeft = (remembered: Map<string, MoverView>, listed: ReadonlyArray<MoverView>, now: DateTime.Utc): void => {
  const ids = new Set(listed.map(({ id }) => id))
  const oldest = DateTime.subtractDuration(now, REMEMBER)
  for (const [id, view] of remembered) {
    if (!ids.has(id) && DateTime.isLessThan(view.revised_at, oldest)) remembered.delete(id)
  }
}
