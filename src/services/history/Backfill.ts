// Fills the history with past data from sources, piece by piece, with the calls that live data and callers leave over. Finished pieces
// are marked in the database, so that a restart continues. Of several processes with one database only one does this. A source whose
// calls are withheld is skipped while others are used, and a failed piece is retried later.
import { Cause, Clock, type Config, Context, Duration, Effect, Fiber, FiberMap, Layer, Option } from "effect"
import { loop } from "../../domain/loop.ts"
import { USDT } from "../../domain/CoinId.ts"
import type { Interval } from "../../history/model/Interval.ts"
import type { Fetched } from "../../history/store/BackfillStore.ts"
import { History } from "../../history/store/History.ts"
import * as HistoryMetrics from "../../history/store/HistoryMetrics.ts"
import type * as Budget from "../../sources/client/Budget.ts"
import type { SourceError } from "../../sources/client/SourceError.ts"
import { Coins } from "../Coins.ts"
import * as Patience from "../refresh/Patience.ts"
import { Unavailable } from "../refresh/Unavailable.ts"
import * as backfillClaims from "./backfillClaims.ts"
import * as backfillPieces from "./backfillPieces.ts"
import type { Piece } from "./backfillPieces.ts"

/** Whether past data is fetched at all. Default: true. */
export const IsWanted = Context.Reference<boolean>("crypto-data-api/services/history/Backfill/IsWanted", {
  defaultValue: () => true
})

/** How far the backfill is, in pieces of work. */
export interface Progress {
  readonly done: number
  readonly all: number
  /** The pieces that failed when they were last tried; names and reasons. */
  readonly failed: ReadonlyMap<string, string>
  /** Whether the list of coins is known, so that the coins are among the pieces. */
  readonly hasCoins: boolean
  /** Whether another process runs the backfill of this database. */
  readonly isElsewhere: boolean
  /** Whole minutes until the remaining coins are done, at the pace since the first; `null` while unknown. */
  readonly minutesLeft: number | null
}

/** The backoff of a failed piece, ms: doubled with each failure, up to an hour. */
const RETRY_AFTER = { first: 60_000, most: 3_600_000 }

/** How often a piece is retried if one of several sources failed; after that the data of the others is enough for now. */
const TRIES = 3

/** Pieces of coins that are fetched in parallel: while one waits for the budget of one exchange, another uses the others. */
const AT_ONCE = 8

/**
 * The wait before an empty piece is fetched again, ms: as long as it has been empty, within these bounds. A source with data sometimes
 * answers with nothing, so the first waits are short.
 */
const EMPTY_AFTER = { least: 60_000, most: 30 * 86_400_000 }

/** How long it may take to write a piece. */
const WRITE_TIMEOUT = Duration.seconds(60)

/** The longest pause between checks for work, ms: pieces become due, and other processes finish some. */
const LOOK_EVERY = 60_000

/** How long hourly prices may take to arrive once they are requested, ms. */
const FIRST_AFTER = 10_000

/** The pause between two pieces, so that decoding and writing them never use a whole core. */
const PAUSE = Duration.millis(250)

const isOfCoin = ({ source }: Piece): boolean => source === backfillPieces.EXCHANGES

const isWithheld = ({ reason }: SourceError): boolean => "retryAfter" in reason

/** Does nothing if no history is recorded. */
export class Backfill extends Context.Service<
  Backfill,
  {
    /** `undefined` if no past data is fetched. */
    readonly progress: Effect.Effect<Progress | undefined>
    /**
     * Fetches the days of a coin for a caller, or its last hours, unless that was done already: the past year, or all
     * days if `first` (epoch ms) is earlier. Waits as long as the current answer waits for look-ups. Returns whether
     * more may be recorded now. Fails if the sources did not answer.
     */
    readonly coin: (id: string, interval: Interval, first: number) => Effect.Effect<boolean, Unavailable>
  }
>()("crypto-data-api/services/history/Backfill") {
  static readonly layerNoDeps: Layer.Layer<Backfill, Config.ConfigError, Coins | backfillPieces.Sources> = Layer.effect(
    Backfill,
    Effect.gen(function* () {
      const history = yield* History
      if (history === undefined || !(yield* IsWanted)) {
        return Backfill.of({ progress: Effect.undefined, coin: () => Effect.succeed(false) })
      }
      const coins = yield* Coins
      const pieces = yield* backfillPieces.make
      const underWay = yield* FiberMap.make<string>()
      const claims = yield* backfillClaims.make(history)
      // Checks first what another process did, so that it is not done again.
      yield* claims.keepLease(Effect.sync(() => void (lookedAt = -Infinity)))
      let fetched = new Map<string, Fetched>()
      /** Epoch milliseconds, by the name of a piece or of a source. */
      const notBefore = new Map<string, number>()
      const failures = new Map<string, { readonly count: number; readonly message: string }>()
      let ids: ReadonlyArray<string> = []
      let codes: ReadonlyArray<string> = []
      let lookedAt = -Infinity
      /** When the first piece of a coin began, and how many were due then. Other pieces are quick. */
      let began: { readonly at: number; readonly due: number } | undefined
      const postpone = (key: string, time: number) =>
        Effect.map(Clock.currentTimeMillis, (now) => void notBefore.set(key, now + time))
      // Until then a small budget is for live data, and there are no hourly prices to identify coins by.
      yield* postpone(backfillPieces.EXCHANGES, Duration.toMillis(pieces.firstAskable) + FIRST_AFTER)

      const isDue = ({ dueAfter, name }: Piece, now: number) => {
        const last = fetched.get(name)
        if (last === undefined) return true
        const { emptySince, fetchedAt } = last
        const { least, most } = EMPTY_AFTER
        const wait = emptySince === null ? Infinity : Math.min(most, Math.max(least, fetchedAt - emptySince))
        return Math.min(dueAfter(fetchedAt), fetchedAt + wait) <= now
      }
      const isAllowed = (now: number, ...keys: ReadonlyArray<string>) =>
        keys.every((key) => (notBefore.get(key) ?? 0) <= now)

      const failed = Effect.fnUntraced(function* ({ name, source }: Piece, message: string) {
        const before = failures.get(name)?.count ?? 0
        failures.set(name, { count: before + 1, message })
        yield* postpone(name, Math.min(RETRY_AFTER.most, RETRY_AFTER.first * 2 ** before))
        yield* HistoryMetrics.backfillFailed(name, source)
      })

      const record = Effect.fnUntraced(function* (piece: Piece, urgency: Budget.Urgency, caller: string | undefined) {
        const { failure, points } = yield* piece.fetch(urgency)
        const isTried = (failures.get(piece.name)?.count ?? 0) >= TRIES
        const isWhole = failure === undefined || (isTried && !isWithheld(failure))
        const now = yield* Clock.currentTimeMillis
        const dropped = yield* history.ask(
          ({ recordPiece }) => recordPiece(piece.name, now, points, piece.interval, caller, isWhole),
          WRITE_TIMEOUT
        )
        for (const name of dropped) fetched.delete(name)
        if (!isWhole) return yield* failure
        const before = fetched.get(piece.name)?.emptySince ?? now
        fetched.set(piece.name, { fetchedAt: now, emptySince: points.length > 0 ? null : before })
        failures.delete(piece.name)
      })

      /** Fetches and records a piece, unless another process with the same database does. */
      const run = Effect.fn("Backfill.piece")(
        function* (piece: Piece, urgency: Budget.Urgency, caller?: string) {
          yield* Effect.annotateCurrentSpan({ piece: piece.name })
          const found = yield* claims.whileClaimed(
            piece.name,
            fetched.get(piece.name)?.fetchedAt ?? -1,
            record(piece, urgency, caller)
          )
          if (found !== undefined) fetched.set(piece.name, found)
        },
        (running, piece) =>
          running.pipe(
            Effect.catchTags({
              SourceError: ({ message, reason }) =>
                "retryAfter" in reason
                  ? postpone(isOfCoin(piece) ? piece.name : piece.source, Math.max(1000, reason.retryAfter * 1000))
                  : Effect.andThen(
                      failed(piece, message),
                      Effect.logDebug(`history: backfill of ${piece.name} is postponed: ${message}`)
                    ),
              HistoryUnavailable: () => postpone(piece.name, LOOK_EVERY)
            }),
            // A bug in one piece must not end all others.
            Effect.catchDefect((defect) =>
              Effect.andThen(
                failed(piece, "a bug"),
                Effect.logError(
                  `history: bug in the backfill of ${piece.name}, which is skipped for now`,
                  Cause.die(defect)
                )
              )
            )
          )
      )

      const state = Effect.map(Clock.currentTimeMillis, (now) => {
        const all = pieces.all(ids, codes, now)
        const due = all.filter((piece) => isDue(piece, now))
        const failing = due.flatMap(({ name }) => {
          const failure = failures.get(name)
          return failure === undefined ? [] : [[name, failure.message] as const]
        })
        const coins = due.filter(isOfCoin).length
        const paced = began !== undefined && coins < began.due ? (now - began.at) / (began.due - coins) : undefined
        const progress: Progress = {
          done: all.length - due.length,
          all: all.length,
          failed: new Map(failing),
          hasCoins: ids.length > 0,
          isElsewhere: claims.isElsewhere(now),
          minutesLeft: due.length === 0 ? 0 : paced === undefined ? null : Math.ceil((paced * coins) / 60_000)
        }
        return { due, progress }
      })

      /** Forgets what is over: pieces of coins that left the list, and of callers. */
      const prune = Effect.map(Clock.currentTimeMillis, (now) => {
        for (const [key, time] of notBefore) if (time <= now) notBefore.delete(key)
        const names = new Set(pieces.all(ids, codes, now).map(({ name }) => name))
        for (const name of failures.keys()) if (!names.has(name) && !notBefore.has(name)) failures.delete(name)
      })

      /** Reads which pieces this and other processes have done, and which coins there are. */
      const look = Effect.gen(function* () {
        fetched = yield* history.ask(({ pieces }) => pieces())
        const list = yield* Effect.option(coins.list)
        if (Option.isNone(list)) return
        const ranked = list.value.value.coins.map(({ id }) => id).filter((id) => !id.includes("\0"))
        ids = [...ranked.filter((id) => id === USDT), ...ranked.filter((id) => id !== USDT)]
        codes = yield* pieces.codes
        yield* prune
      })

      let reported = -1
      const round = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (now - lookedAt >= LOOK_EVERY || ids.length === 0) {
          yield* look
          lookedAt = now
        }
        const { due, progress } = yield* state
        const { all, done, failed } = progress
        yield* HistoryMetrics.backfilled(done, all, failed.size)
        if (!claims.hasLease(now)) return yield* Effect.sleep(1000)
        const next = due
          .flatMap((piece) => (failures.has(piece.name) ? [piece, ...(piece.instead?.() ?? [])] : [piece]))
          .filter((piece) => isDue(piece, now) && isAllowed(now, piece.name, piece.source))
          .find(({ name }) => !FiberMap.hasUnsafe(underWay, name))
        if (ids.length > 0 && reported !== done && (next === undefined || done >= reported + 50 || reported < 0)) {
          reported = done
          const failing = failed.size === 0 ? "" : `; ${failed.size} failed and will be retried`
          const { minutesLeft } = progress
          const left = minutesLeft === null || minutesLeft === 0 ? "" : `, ${minutesLeft} minutes left`
          yield* Effect.logInfo(`history: backfill has recorded ${done} of ${all} pieces${left}${failing}`)
        }
        if (next === undefined) {
          const soonest = Math.min(...[...notBefore.values()].filter((time) => time > now), now + LOOK_EVERY)
          return yield* Effect.sleep(Math.max(1000, soonest - now))
        }
        if (isOfCoin(next)) began ??= { at: now, due: due.filter(isOfCoin).length }
        if (!isOfCoin(next)) yield* run(next, "backfill")
        else if ((yield* FiberMap.size(underWay)) < AT_ONCE)
          yield* FiberMap.run(underWay, next.name, run(next, "backfill"))
        yield* Effect.sleep(PAUSE)
      })
      const rounds = Effect.catchTag(round, "HistoryUnavailable", () => Effect.sleep(LOOK_EVERY))
      yield* Effect.forkScoped(loop("history: the backfill", 0, rounds))

      return Backfill.of({
        progress: Effect.map(state, ({ progress }) => progress),
        coin: Effect.fn("Backfill.coin")(function* (id: string, interval: Interval, first: number) {
          const now = yield* Clock.currentTimeMillis
          const piece = pieces.ofCaller(id, interval, first, now)
          if (id.includes("\0") || !isDue(piece, now)) return false
          const unanswered = new Unavailable({ question: `the past of ${id}`, retryAfter: 60 })
          if (!isAllowed(now, piece.name)) return yield* unanswered
          const running = FiberMap.getUnsafe(underWay, piece.name)
          const asking = run(piece, "on_demand", ids.includes(id) ? undefined : id)
          const fiber = Option.isSome(running)
            ? running.value
            : yield* FiberMap.run(underWay, piece.name, asking, { startImmediately: false })
          yield* Effect.timeoutOption(Fiber.await(fiber), yield* Patience.remaining("lookup"))
          return isDue(piece, now) ? yield* unanswered : true
        }, Patience.early)
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([Coins.layer, ...backfillPieces.sources.map(({ layer }) => layer)])
  )

  static readonly layerTest = (service: Layer.PartialEffectful<Backfill["Service"]>) => Layer.mock(Backfill)(service)
}
