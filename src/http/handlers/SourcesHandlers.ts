// The sources over HTTP.
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Access } from "../../api/Access.ts"
import { Api } from "../../api/Api.ts"
import { Cacheable } from "../../api/Cacheable.ts"
import { Validation } from "../../api/Validation.ts"
import { SourceStatus } from "../../services/SourceStatus.ts"
import { AccessLayer } from "../gate/AccessLayer.ts"
import { answer } from "./Answer.ts"
import * as ContextSubset from "./ContextSubset.ts"
import { CacheableLayer } from "../response/CacheableLayer.ts"
import { ValidationLayer } from "../gate/ValidationLayer.ts"

/** What is said here is said by this service itself. */
const SELF = "crypto-data-api"

/** Implements the sources group over its service. */
export const SourcesHandlers = HttpApiBuilder.group(
  Api,
  "sources",
  Effect.fn(function* (handlers) {
    const status = yield* SourceStatus
    return handlers.handleAll({
      sources: () =>
        Effect.flatMap(status.current, ({ sources, updated }) => answer({ sources }, { source: SELF, updated }))
    })
  })
).pipe(
  ContextSubset.withContextSubset(SourceStatus, Validation, Access, Cacheable),
  Layer.provide([ValidationLayer, AccessLayer, CacheableLayer])
)
