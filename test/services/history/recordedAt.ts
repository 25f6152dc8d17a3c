// Histories of a bitcoin that is held, over a record in memory, at a moment.
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as History from "../../../src/history/store/History.ts"
import { Backfill } from "../../../src/services/history/Backfill.ts"
import { Histories } from "../../../src/services/history/Histories.ts"
import { Coins } from "../../../src/services/Coins.ts"
import { rulesOver } from "../../rulesOf.ts"
import { coin } from "../scripted.ts"

/** What a source says at a time. */
export const snapshot = <A>(value: A, source: string, at: number) => ({
  value,
  source,
  observedAt: DateTime.makeUnsafe(at),
  retrievedAt: DateTime.makeUnsafe(at)
})

export const record = Effect.flatMap(History.History, (history) =>
  history === undefined ? Effect.die(new Error("no history")) : Effect.succeed(history)
)

export const recorded = (...piece: Parameters<History.Stored["recordPiece"]>) =>
  Effect.flatMap(record, ({ ask }) => ask(({ recordPiece }) => recordPiece(...piece)))

/** Declares rules, each over a record of its own. */
export const ruleAt = (now: number) =>
  rulesOver(
    Layer.unwrap(
      Effect.as(
        TestClock.setTime(now),
        Histories.layerNoDeps.pipe(
          Layer.provide([
            Coins.layerTest({ coin: (id) => Effect.succeed(snapshot(coin(id), "CoinGecko", now)) }),
            Backfill.layerTest({ coin: () => Effect.succeed(false) })
          ]),
          Layer.provideMerge(Layer.fresh(History.layerSqlite(":memory:")))
        )
      )
    )
  )
