// `/v1/sources` and `/v1/methods`.
import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Backfill } from "../../services/history/Backfill.ts"
import { methodVersions } from "../../domain/Methods.ts"
import { SourceStatus } from "../../services/SourceStatus.ts"
import { answer } from "./Envelope.ts"

/** `meta.source`: the service itself. */
const SELF = "crypto-data-api"

/** The first day of the newest version of any method. */
const newestVersion = methodVersions.map(({ since }) => DateTime.makeUnsafe(`${since}T00:00:00Z`)).reduce(DateTime.max)

export const SourcesHandlers = HttpApiBuilder.group(
  Api,
  "sources",
  Effect.fn(function* (handlers) {
    const status = yield* SourceStatus
    const { progress } = yield* Backfill
    return handlers.handleAll({
      sources: Effect.fnUntraced(function* () {
        const { clock_ahead, sources, updated } = yield* status.current
        const past = yield* progress
        const backfill =
          past === undefined
            ? null
            : { done: past.done, all: past.all, failing: past.failed.size, minutes_left: past.minutesLeft }
        return yield* answer(
          { sources, backfill, ...(clock_ahead !== undefined && { clock_ahead }) },
          { source: SELF, updated }
        )
      }),
      methods: () => answer({ methods: methodVersions }, { source: SELF, updated: newestVersion })
    })
  })
)
