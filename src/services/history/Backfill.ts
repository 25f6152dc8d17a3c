// Fills the record with what sources know of the past, piece by piece, with the calls that live data and callers leave. What is
// done is marked in the record, so that a restart goes on where it stopped. Of several processes over one record one does it. A
// source whose calls are withheld is left alone while others are asked, and a piece that fails is tried again later.
import { Cause, Clock, type Config, Context, Duration, Effect, Fiber, FiberMap, Layer, Option } from "effect"
import { USDT } from "../../domain/CoinId.ts"
import type { Interval } from "../../history/model/Interval.ts"
import type { Fetched } from "../../history/store/BackfillStore.ts"
import { History } from "../../history/store/History.ts"
import * as HistoryMetrics from "../../history/store/HistoryMetrics.ts"
import type * as Budget from "../../sources/client/Budget.ts"
import { CoinGecko } from "../../sources/market/CoinGecko.ts"
import { Coins } from "../Coins.ts"
import * as Patience from "../refresh/Patience.ts"
import { Unavailable } from "../refresh/Unavailable.ts"
import * as backfillPieces from "./backfillPieces.ts"
import type { Piece } from "./backfillPieces.ts"

/** Whether the past is asked for at all. Default: true. */
export const IsWanted = Context.Reference<boolean>("crypto-data-api/services/history/Backfill/IsWanted", {
  defaultValue: () => true
})

/** How far the backfill is, in pieces of work. */
export interface Progress {
  readonly done: number
  readonly all: number
  /** Of those that are not done, how many failed when they were last tried; names and reasons. */
  readonly failed: ReadonlyMap<string, string>
  /** Whether the list of coins is known, so that the coins are among the pieces. */
  readonly hasCoins: boolean
  /** Whether another process fills this record. */
  readonly isElsewhere: boolean
}

/** When a piece that failed is tried again: doubled with each failure, up to an hour. */
const RETRY_AFTER = { first: 60_000, most: 3_600_000 }

/** When a piece is asked for again of which a source has nothing: after as long as it had nothing, within these bounds. */
const EMPTY_AFTER = { least: 3_600_000, most: 30 * 86_400_000 }

/** How often it is noted that a coin is asked for, ms: by that it is decided which days are kept. */
const NOTED_EVERY = 3_600_000

/** How long it may take to write a piece. */
const WRITE_TIMEOUT = Duration.seconds(60)

/** The longest pause before work is looked for again: pieces fall due, and replicas do some. */
const LOOK_EVERY = 60_000

/** Between two pieces, so that decoding and writing them never takes the whole of a core. */
const PAUSE = Duration.millis(250)

/** How long a process that was killed keeps others from going on, and how often one that lives prolongs its lease; ms. */
const LEASE = { lasts: 90_000, renewedEvery: 30_000 }

/** How long a process that was killed keeps others from the piece that it fetched, and how often they look again; ms. */
const CLAIM = { lasts: 60_000, lookedAtEvery: 250 }

/** The backfill. It does nothing where no history is kept. */
export class Backfill extends Context.Service<
  Backfill,
  {
    /** How far it is; `undefined` where no past is asked for. */
    readonly progress: Effect.Effect<Progress | undefined>
    /**
     * Fetches the days of a coin for a caller, or the hours of its last 20 days, unless that was done already or what is asked for
     * is held: the past year, and the year before it where `first` (epoch milliseconds) lies in it. Waits as long as the answer at
     * hand waits for look-ups, and gives whether more may be recorded now. Fails where the sources did not answer.
     */
    readonly coin: (
      id: string,
      interval: Interval,
      first: number,
      isHeld?: boolean
    ) => Effect.Effect<boolean, Unavailable>
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
      const scope = yield* Effect.scope
      const underWay = yield* FiberMap.make<string>()
      let fetched = new Map<string, Fetched>()
      const askedAt = new Map<string, number>()
      /** By the name of a piece, or of a source. */
      const notBefore = new Map<string, number>()
      const failures = new Map<string, { readonly count: number; readonly message: string }>()
      let ids: ReadonlyArray<string> = []
      let lookedAt = -Infinity
      let heldUntil = 0
      let isElsewhere = false
      const postpone = (key: string, time: number) =>
        Effect.map(Clock.currentTimeMillis, (now) => void notBefore.set(key, now + time))
      // Until then the first calls of a small budget are for live data.
      yield* postpone(CoinGecko.terms.id, 2 * Duration.toMillis(pieces.firstAskable))

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

      /** Claims a piece until the time that it gives. Nothing where another process has fetched it meanwhile. */
      const claimed = Effect.fnUntraced(function* ({ name }: Piece) {
        const since = fetched.get(name)?.fetchedAt ?? -1
        while (true) {
          const until = (yield* Clock.currentTimeMillis) + CLAIM.lasts
          const found = yield* history.ask(({ claim }) => claim(name, until, since))
          if (found === true) return until
          if (found !== false) return void fetched.set(name, found)
          yield* Effect.sleep(CLAIM.lookedAtEvery)
        }
      })

      const record = Effect.fnUntraced(function* (piece: Piece, urgency: Budget.Urgency, caller: string | undefined) {
        const points = yield* piece.fetch(urgency)
        const now = yield* Clock.currentTimeMillis
        const dropped = yield* history.ask(
          ({ recordPiece }) => recordPiece(piece.name, now, points, piece.interval, caller),
          WRITE_TIMEOUT
        )
        for (const name of dropped) fetched.delete(name)
        const before = fetched.get(piece.name)?.emptySince ?? now
        fetched.set(piece.name, { fetchedAt: now, emptySince: points.length > 0 ? null : before })
        failures.delete(piece.name)
      })

      /** Fetches and records a piece, unless another process over the same record does. */
      const run = Effect.fn("Backfill.piece")(
        function* (piece: Piece, urgency: Budget.Urgency, caller?: string) {
          yield* Effect.annotateCurrentSpan({ piece: piece.name })
          const until = yield* claimed(piece)
          if (until === undefined) return
          const unclaimed = Effect.ignore(history.ask(({ unclaim }) => unclaim(piece.name, until)))
          yield* Effect.ensuring(record(piece, urgency, caller), unclaimed)
        },
        (running, piece) =>
          running.pipe(
            Effect.catchTags({
              SourceError: ({ message, reason }) =>
                "retryAfter" in reason
                  ? postpone(piece.source, Math.max(1000, reason.retryAfter * 1000))
                  : Effect.andThen(
                      failed(piece, message),
                      Effect.logDebug(`history: ${piece.name} is postponed: ${message}`)
                    ),
              HistoryUnavailable: () => postpone(piece.name, LOOK_EVERY)
            }),
            // A bug in one piece must not end all others.
            Effect.catchDefect((defect) =>
              Effect.andThen(
                failed(piece, "a bug"),
                Effect.logError(
                  `history: a bug in the piece ${piece.name}, which is left out for now`,
                  Cause.die(defect)
                )
              )
            )
          )
      )

      const state = Effect.map(Clock.currentTimeMillis, (now) => {
        const all = pieces.all(ids, now)
        const due = all.filter((piece) => isDue(piece, now))
        const failing = due.flatMap(({ name }) => {
          const failure = failures.get(name)
          return failure === undefined ? [] : [[name, failure.message] as const]
        })
        const progress: Progress = {
          done: all.length - due.length,
          all: all.length,
          failed: new Map(failing),
          hasCoins: ids.length > 0,
          isElsewhere: isElsewhere && heldUntil <= now
        }
        return { due, progress }
      })

      /** Reads what this and other processes have done, and which coins there are. */
      const look = Effect.gen(function* () {
        fetched = yield* history.ask(({ pieces }) => pieces())
        const list = yield* Effect.option(coins.list)
        if (Option.isNone(list)) return
        const ranked = list.value.value.coins.map(({ id }) => id).filter((id) => !id.includes("\0"))
        ids = [...ranked.filter((id) => id === USDT), ...ranked.filter((id) => id !== USDT)]
      })

      const lease = (until: number) => history.ask(({ lease }) => lease(until, heldUntil))
      const takeLease = Effect.gen(function* () {
        const until = (yield* Clock.currentTimeMillis) + LEASE.lasts
        const isTaken = yield* lease(until)
        // What another process did since the last look is not to be done again.
        if (isTaken && heldUntil === 0) lookedAt = -Infinity
        isElsewhere = !isTaken
        heldUntil = isTaken ? until : 0
      }).pipe(Effect.ignore)
      yield* Effect.addFinalizer(() => (heldUntil === 0 ? Effect.void : Effect.ignore(lease(0))))
      yield* takeLease.pipe(Effect.andThen(Effect.sleep(LEASE.renewedEvery)), Effect.forever, Effect.forkScoped)

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
        if (heldUntil <= now) return yield* Effect.sleep(1000)
        const askable = due
          .flatMap((piece) => (failures.has(piece.name) ? [piece, ...(piece.instead?.() ?? [])] : [piece]))
          .filter((piece) => isDue(piece, now) && isAllowed(now, piece.name, piece.source))
        // What had nothing so far is asked for again after all the rest.
        const next = askable.find(({ name }) => (fetched.get(name)?.emptySince ?? null) === null) ?? askable[0]
        if (ids.length > 0 && reported !== done && (next === undefined || done >= reported + 50 || reported < 0)) {
          reported = done
          const failing = failed.size === 0 ? "" : `; ${failed.size} failed and are tried again`
          yield* Effect.logInfo(`history: ${done} of ${all} pieces of the past are recorded${failing}`)
        }
        if (next === undefined) {
          const soonest = Math.min(...[...notBefore.values()].filter((time) => time > now), now + LOOK_EVERY)
          return yield* Effect.sleep(Math.max(1000, soonest - now))
        }
        yield* run(next, "backfill")
        yield* Effect.sleep(PAUSE)
      })
      yield* round.pipe(
        Effect.catchTag("HistoryUnavailable", () => Effect.sleep(LOOK_EVERY)),
        Effect.forever,
        Effect.catchCause((cause) => Effect.logError("the past is not recorded any more", cause)),
        Effect.forkScoped
      )

      /** Notes that a coin that was fetched for callers is asked for: those that are not go first. */
      const noted = (id: string, now: number) => {
        if (now - (askedAt.get(id) ?? -Infinity) < NOTED_EVERY) return Effect.void
        // What was noted longer ago is noted again, so it need not be remembered.
        for (const [one, at] of askedAt) if (now - at >= NOTED_EVERY) askedAt.delete(one)
        askedAt.set(id, now)
        return Effect.forkIn(Effect.ignore(history.ask(({ asked }) => asked(id, now))), scope)
      }

      /** Fetches a piece of a coin, once however many ask. Gives whether there was anything to fetch. */
      const fetchedNow = Effect.fnUntraced(function* (piece: Piece, id: string, caller: string | undefined) {
        const now = yield* Clock.currentTimeMillis
        if (!isDue(piece, now)) return false
        const unanswered = new Unavailable({ question: `the past of ${id}`, retryAfter: 60 })
        if (!isAllowed(now, piece.name)) return yield* unanswered
        const running = FiberMap.getUnsafe(underWay, piece.name)
        const started = FiberMap.run(underWay, piece.name, run(piece, "on_demand", caller), {
          startImmediately: false
        })
        const fiber = Option.isSome(running) ? running.value : yield* started
        yield* Effect.timeoutOption(Fiber.await(fiber), yield* Patience.remaining("lookup"))
        return isDue(piece, now) ? yield* unanswered : true
      })

      return Backfill.of({
        progress: Effect.map(state, ({ progress }) => progress),
        coin: Effect.fn("Backfill.coin")(function* (id: string, interval: Interval, first: number, isHeld = false) {
          if (id.includes("\0")) return false
          const now = yield* Clock.currentTimeMillis
          const caller = ids.includes(id) ? undefined : id
          if (isHeld) {
            if (caller !== undefined) yield* noted(caller, now)
            return false
          }
          const asking = pieces.of(id, interval, first, now).map((piece) => fetchedNow(piece, id, caller))
          const results = yield* Effect.all(asking.map(Effect.result), { concurrency: "unbounded" })
          return (yield* Effect.forEach(results, Effect.fromResult)).includes(true)
        }, Patience.early)
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([Coins.layer, ...backfillPieces.sources.map(({ layer }) => layer)])
  )

  static readonly layerTest = (service: Layer.PartialEffectful<Backfill["Service"]>) => Layer.mock(Backfill)(service)
}
