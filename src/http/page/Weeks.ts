// `/page/weeks`: the recorded daily closes of the largest coins over the last week, for the lines in the page's table.
import { Clock, Effect, Result } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { rangeOf } from "../../history/model/HistoryRange.ts"
import { dayOf, lengthOf } from "../../history/model/Interval.ts"
import { Coins } from "../../services/Coins.ts"
import { Histories } from "../../services/history/Histories.ts"
import * as Paths from "../request/Paths.ts"
import { LISTED } from "./browser/Route.ts"

const DAYS = 8

/** A line is some thirty pixels high: more digits show nothing. */
const DIGITS = 4

const drawn = (close: number | null) => (close === null ? null : Number(close.toPrecision(DIGITS)))

export const Weeks = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const histories = yield* Histories
    const coins = yield* Coins
    const closes = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const from = dayOf(now - (DAYS - 1) * lengthOf("day"))
      const range = Result.getOrThrow(rangeOf({ from, interval: "day" }, now))
      const { value } = yield* coins.page(1, LISTED)
      const ids = value.coins.map(({ id }) => id)
      const recorded = yield* histories.recorded(ids, range)
      return Object.fromEntries(Object.entries(recorded).map(([id, week]) => [id, week.map(drawn)]))
    })
    yield* router.add(
      "GET",
      Paths.otherPaths.weeks,
      Effect.map(
        Effect.orElseSucceed(closes, () => ({})),
        (data) => HttpServerResponse.jsonUnsafe({ data, meta: { source: "crypto-data-api" } })
      )
    )
  })
)
