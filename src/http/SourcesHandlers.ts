// The sources over HTTP.
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Access } from "../api/Access.ts"
import { Api } from "../api/Api.ts"
import { PerSnapshot } from "../api/PerSnapshot.ts"
import { Validation } from "../api/Validation.ts"
import { SourceStatus } from "../services/SourceStatus.ts"
import { AccessLayer } from "./AccessLayer.ts"
import { answer } from "./Answer.ts"
import * as Narrow from "./Narrow.ts"
import { PerSnapshotLayer } from "./PerSnapshotLayer.ts"
import { ValidationLayer } from "./ValidationLayer.ts"

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
  Narrow.toOnly(SourceStatus, Validation, Access, PerSnapshot),
  Layer.provide([ValidationLayer, AccessLayer, PerSnapshotLayer])
)
