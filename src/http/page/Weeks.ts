// `/page/weeks/{ids}`: the recorded daily closes of several coins over the last week, for the sparklines in the page's table.
import { Clock, Effect, Result } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { LONGEST_ID } from "../../domain/CoinId.ts"
import { rangeOf } from "../../history/model/HistoryRange.ts"
import { dayOf, lengthOf } from "../../history/model/Interval.ts"
import { Histories } from "../../services/history/Histories.ts"
import * as Paths from "../request/Paths.ts"

const MOST_COINS = 100
const DAYS = 8

const idsOf = (list: string): ReadonlyArray<string> =>
  [...new Set(list.split(","))].filter((id) => id.length <= LONGEST_ID).slice(0, MOST_COINS)

export const Weeks = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const histories = yield* Histories
    yield* router.add(
      "GET",
      Paths.otherPaths.weeks,
      Effect.gen(function* () {
        const { ids = "" } = yield* HttpRouter.params
        const now = yield* Clock.currentTimeMillis
        const from = dayOf(now - (DAYS - 1) * lengthOf("day"))
        const range = Result.getOrThrow(rangeOf({ from, interval: "day" }, now))
        const data = yield* Effect.orElseSucceed(histories.recorded(idsOf(ids), range), () => ({}))
        return HttpServerResponse.jsonUnsafe({ data, meta: { source: "crypto-data-api" } })
      })
    )
  })
)
