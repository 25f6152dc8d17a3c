// Every source asked once, through the code that serves; and the questions answered from what they said, through the code that
// serves, with nothing asked a second time: the sources behind them repeat what they said.
import { type Duration, Effect, Exit, Layer, Option } from "effect"
import { HttpClient } from "effect/http"
import type { Snapshot } from "../domain/Snapshot.ts"
import { Coins } from "../services/Coins.ts"
import { ExchangeRates } from "../services/ExchangeRates.ts"
import { GlobalMarkets } from "../services/GlobalMarkets.ts"
import { Naira } from "../services/Naira.ts"
import { OfficialRates } from "../services/OfficialRates.ts"
import { BitgetP2p } from "../sources/naira/BitgetP2p.ts"
import { BybitP2p } from "../sources/naira/BybitP2p.ts"
import { Cbn } from "../sources/naira/Cbn.ts"
import { CoinGecko } from "../sources/market/CoinGecko.ts"
import { CoinLore } from "../sources/market/CoinLore.ts"
import { CoinPaprika } from "../sources/market/CoinPaprika.ts"
import { CurrencyApi } from "../sources/fx/CurrencyApi.ts"
import type { DataSet } from "../sources/dataset/DataSet.ts"
import { Frankfurter } from "../sources/fx/Frankfurter.ts"
import { Luno } from "../sources/naira/Luno.ts"
import { Quidax } from "../sources/naira/Quidax.ts"
import * as SourceClient from "../sources/client/SourceClient.ts"
import { SourceError, TimedOut, Unusable } from "../sources/client/SourceError.ts"

/** Longer than the time-out of any source that is asked; what takes longer is not waited for. */
const PATIENCE = { seconds: 22 }

/** What a source said, and how long it took. */
export interface Outcome<out A> {
  readonly source: string
  readonly took: Duration.Duration
  readonly exit: Exit.Exit<Snapshot<A>, SourceError>
}

/** The same, with a feed that repeats it. */
export interface Probe<out A> extends Outcome<A> {
  readonly feed: DataSet<A>
}

/** Asks once. */
export const outcomeOf = <A>(source: string, get: Effect.Effect<Snapshot<A>, SourceError>): Effect.Effect<Outcome<A>> =>
  get.pipe(
    Effect.timeoutOrElse({
      duration: PATIENCE,
      orElse: () => Effect.fail(new SourceError({ source, reason: new TimedOut(PATIENCE) }))
    }),
    Effect.exit,
    Effect.timed,
    Effect.map(([took, exit]) => ({ source, took, exit }))
  )

const ask = <A>(feed: DataSet<A>): Effect.Effect<Probe<A>> =>
  Effect.map(outcomeOf(feed.source, feed.get), (outcome) => ({ ...outcome, feed: repeating(feed, outcome.exit) }))

const repeating = <A>(feed: DataSet<A>, exit: Exit.Exit<Snapshot<A>, SourceError>): DataSet<A> => ({
  ...feed,
  get: Effect.suspend(() => exit),
  last: Effect.succeed(Exit.isSuccess(exit) ? Option.some(exit.value) : Option.none())
})

/** A data set that is not worth a call here: it says so. */
const unasked = <A>(feed: DataSet<A>): DataSet<A> =>
  repeating(
    feed,
    Exit.fail(new SourceError({ source: feed.source, reason: new Unusable({ detail: "not asked by the doctor" }) }))
  )

/** Asks every source, all at the same time. */
export const probe = Effect.gen(function* () {
  const gecko = yield* CoinGecko
  const paprika = yield* CoinPaprika
  const lore = yield* CoinLore
  const cbn = yield* Cbn
  const frankfurter = yield* Frankfurter

  const probes = yield* Effect.all(
    {
      geckoCoins: ask(gecko.markets),
      geckoGlobal: ask(gecko.global),
      paprikaCoins: ask(paprika.list),
      paprikaGlobal: ask(paprika.global),
      loreCoins: ask(lore.list),
      loreGlobal: ask(lore.global),
      bybit: ask((yield* BybitP2p).ads),
      bitget: ask((yield* BitgetP2p).ads),
      quidax: ask((yield* Quidax).book),
      luno: ask((yield* Luno).book),
      nfem: ask(cbn.nfem),
      frankfurterOfficial: ask(frankfurter.official),
      frankfurterFx: ask(frankfurter.rates),
      currencyApiFx: ask((yield* CurrencyApi).rates)
    },
    { concurrency: "unbounded" }
  )

  const repeated = Layer.mergeAll(
    // Further pages and look-ups are for callers to cause.
    CoinGecko.layerTest({ ...gecko, markets: probes.geckoCoins.feed, global: probes.geckoGlobal.feed, quotes: null }),
    CoinPaprika.layerTest({ list: probes.paprikaCoins.feed, global: probes.paprikaGlobal.feed }),
    CoinLore.layerTest({ list: probes.loreCoins.feed, global: probes.loreGlobal.feed }),
    BybitP2p.layerTest({ ads: probes.bybit.feed }),
    BitgetP2p.layerTest({ ads: probes.bitget.feed }),
    Quidax.layerTest({ book: probes.quidax.feed }),
    Luno.layerTest({ book: probes.luno.feed }),
    // The archive is 8 MB, and four calls a day are all we allow ourselves.
    Cbn.layerTest({ nfem: probes.nfem.feed, all: unasked(cbn.all) }),
    Frankfurter.layerTest({ rates: probes.frankfurterFx.feed, official: probes.frankfurterOfficial.feed }),
    CurrencyApi.layerTest({ rates: probes.currencyApiFx.feed })
  )

  const served = yield* Effect.gen(function* () {
    return {
      coins: yield* Effect.option((yield* Coins).list),
      global: yield* Effect.option((yield* GlobalMarkets).current),
      naira: yield* Effect.option((yield* Naira).rate),
      official: yield* (yield* OfficialRates).current,
      fx: yield* Effect.option((yield* ExchangeRates).current)
    }
  }).pipe(Effect.provide(layerQuestions.pipe(Layer.provide(repeated))))

  return { probes, served }
})

/** What every source said, by data set. */
export type Probes = Effect.Success<typeof probe>["probes"]

/** What would be answered. */
export type Served = Effect.Success<typeof probe>["served"]

const layerQuestions = Layer.mergeAll(
  Coins.layerNoDeps,
  ExchangeRates.layerNoDeps,
  GlobalMarkets.layerNoDeps,
  Naira.layerNoDeps.pipe(Layer.provideMerge(OfficialRates.layerNoDeps))
)

/** The sources as they serve, over a client of ours. Nothing that was kept counts: each is really asked. */
export const layerSources = Layer.mergeAll(
  BitgetP2p.layerNoDeps,
  BybitP2p.layerNoDeps,
  Cbn.layerNoDeps,
  CoinGecko.layerNoDeps,
  CoinLore.layerNoDeps,
  CoinPaprika.layerNoDeps,
  CurrencyApi.layerNoDeps,
  Frankfurter.layerNoDeps,
  Luno.layerNoDeps,
  Quidax.layerNoDeps
)

/** What sources are called with, as they serve, with an ear to the answers. */
export const layerClient = (
  tap: (client: HttpClient.HttpClient) => HttpClient.HttpClient
): Layer.Layer<SourceClient.Requirements> =>
  Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, tap)).pipe(
    Layer.provideMerge(SourceClient.layerRequirements)
  )
