// `/v1/sources`.
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Access } from "../../api/Access.ts"
import { Api } from "../../api/Api.ts"
import { Cacheable } from "../../api/Cacheable.ts"
import { Validation } from "../../api/Validation.ts"
import { Backfill } from "../../services/history/Backfill.ts"
import { SourceStatus } from "../../services/SourceStatus.ts"
import { AccessLayer } from "../gate/AccessLayer.ts"
import { answer } from "./Answer.ts"
import * as ContextSubset from "./ContextSubset.ts"
import { CacheableLayer } from "../response/CacheableLayer.ts"
import { ValidationLayer } from "../gate/ValidationLayer.ts"

/** `meta.source`: the service itself. */
const SELF = "crypto-data-api"

/** Implements the sources group over its service. */
export const SourcesHandlers = HttpApiBuilder.group(
  Api,
  "sources",
  Effect.fn(function* (handlers) {
    const status = yield* SourceStatus
    const { progress } = yield* Backfill
    return handlers.handleAll({
      sources: Effect.fnUntraced(function* () {
        const { sources, updated } = yield* status.current
        const past = yield* progress
        const backfill = past === undefined ? null : { done: past.done, all: past.all, failing: past.failed.size }
        return yield* answer({ sources, backfill }, { source: SELF, updated })
      })
    })
  })
).pipe(
  ContextSubset.withContextSubset(Backfill, SourceStatus, Validation, Access, Cacheable),
  Layer.provide([ValidationLayer, AccessLayer, CacheableLayer])
)
