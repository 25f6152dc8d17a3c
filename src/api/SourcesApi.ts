// The sources: on what terms, and how it stands with each.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { envelope, Instant } from "./Envelope.ts"

const State = Schema.Literals(["ok", "failing", "resting", "disabled", "idle"]).annotate({
  identifier: "SourceState",
  description:
    "failing: the last attempt brought nothing. resting: it is left alone for a while, because it failed repeatedly, asked " +
    "for it, or our budget of calls is spent. idle: nobody needed it lately. What was held before is served on meanwhile, " +
    "with its true time."
})

const DataSet = Schema.Struct({
  name: Schema.String.annotate({ description: "What the source is asked for" }),
  state: State,
  last_success: Schema.NullOr(Instant).annotate({ description: "When the source last gave it to us" }),
  updated: Schema.NullOr(Instant).annotate({ description: "When the data was observed, by the source's clock" }),
  age: Schema.NullOr(Schema.Int).annotate({ description: "Seconds since the data was observed" }),
  last_error: Schema.NullOr(Schema.String).annotate({
    description: "The last failure since the start of the service; a success may have followed it"
  }),
  last_error_at: Schema.NullOr(Instant).annotate({ description: "When that was" })
}).annotate({ identifier: "DataSet" })

const Source = Schema.Struct({
  id: Schema.String.annotate({ description: "The name that SOURCES_DISABLED knows it by" }),
  name: Schema.String.annotate({ description: "The name in meta.source" }),
  attribution: Schema.String.annotate({ description: "How the source wants to be credited" }),
  link: Schema.String.annotate({ description: "Where the source is" }),
  licence: Schema.String.annotate({ description: "Its licence or terms, as far as they are known" }),
  redistribution: Schema.Literals(["yes", "attribution", "unclear", "no"]).annotate({
    description: "Whether its data may be served on"
  }),
  enabled: Schema.Boolean.annotate({ description: "False where the operator switched it off" }),
  state: State,
  data_sets: Schema.Array(DataSet)
}).annotate({ identifier: "Source" })

const Sources = Schema.Struct({ sources: Schema.Array(Source) }).annotate({ identifier: "Sources" })

/** `/v1/sources`. */
export class SourcesApi extends HttpApiGroup.make("sources", { topLevel: true })
  .add(
    HttpApiEndpoint.get("sources", "/sources", { success: envelope("SourcesAnswer", Sources) }).annotateMerge(
      OpenApi.annotations({
        identifier: "listSources",
        summary: "Every source, its terms and its health",
        description: "On what terms each source gives its data, how it is doing, and how old its data is."
      })
    )
  )
  .annotate(OpenApi.Description, "Where the data comes from.") {}
