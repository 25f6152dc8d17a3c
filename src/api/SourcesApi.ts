// The sources: terms and state. And the methods by which their figures are combined.
import { Context, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CachePolicy, described } from "./Described.ts"
import { Day, envelope, Instant } from "./Envelope.ts"

const State = Schema.Literals(["ok", "failing", "resting", "disabled", "idle"]).annotate({
  identifier: "SourceState",
  description:
    "failing: the last attempt failed. resting: not called for a while, because it failed repeatedly, sent Retry-After, or " +
    "the budget of calls is spent. idle: not needed lately. Meanwhile data held before is served with its true time."
})

const DataSet = Schema.Struct({
  name: Schema.String.annotate({ description: "The kind of data" }),
  market: Schema.optionalKey(Schema.String).annotate({
    description: "The fiat of the P2P market whose book it is, where a source has one for each market"
  }),
  state: State,
  last_success: Schema.NullOr(Instant).annotate({ description: "When the source last delivered it" }),
  updated: Schema.NullOr(Instant).annotate({ description: "When the data was observed, by the source's clock" }),
  age: Schema.NullOr(Schema.Int).annotate({ description: "Seconds since the data was observed" }),
  last_error: Schema.NullOr(Schema.String).annotate({
    description: "The last failure since the start of the service; a success may have followed it"
  }),
  last_error_at: Schema.NullOr(Instant).annotate({ description: "When that was" }),
  passed_over: Schema.Int.annotate({
    description:
      "Rows, such as a coin's price or a currency's rate, that are not believed now: they jumped or contradict other sources"
  })
}).annotate({ identifier: "DataSet" })

const Source = Schema.Struct({
  id: Schema.String.annotate({ description: "The name in the setting SOURCES_DISABLED" }),
  name: Schema.String.annotate({ description: "The name in meta.source" }),
  attribution: Schema.String.annotate({ description: "The credit that the source asks for" }),
  link: Schema.String.annotate({ description: "The source's website" }),
  licence: Schema.String.annotate({ description: "Its licence or terms, as far as known" }),
  redistribution: Schema.Literals(["yes", "attribution", "unclear", "no"]).annotate({
    description: "Whether its data may be redistributed"
  }),
  enabled: Schema.Boolean.annotate({ description: "False where the operator switched it off" }),
  state: State,
  data_sets: Schema.Array(DataSet)
}).annotate({ identifier: "Source" })

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const Backfill = Schema.Struct({
  done: Count.annotate({ description: "Pieces that are recorded: coins, half-years of fiat rates, whole series" }),
  all: Count.annotate({ description: "All pieces that are known by now" }),
  failing: Count.annotate({ description: "Pieces that are not done and failed when they were last tried" }),
  minutes_left: Schema.NullOr(Count).annotate({
    description: "How long the rest takes at the pace so far; null while that is not known"
  })
}).annotate({
  identifier: "Backfill",
  description: "How far the record of the past is, which is fetched with the calls that live data leaves"
})

export const Sources = Schema.Struct({
  sources: Schema.Array(Source),
  backfill: Schema.NullOr(Backfill).annotate({ description: "Null where no history is kept" }),
  clock_ahead: Schema.optionalKey(Schema.Int).annotate({
    description:
      "Only where the server's clock is wrong: the seconds by which it is ahead of the sources' clocks, negative if behind. Ages and states are then wrong too"
  })
}).annotate({ identifier: "Sources" })

const Methods = Schema.Struct({
  methods: Schema.Array(
    Schema.Struct({
      method: Schema.String.annotate({ description: "The version, as answers name it: p2p/1" }),
      since: Day.annotate({ description: "Its first day" }),
      changes: Schema.String.annotate({ description: "What changed, or for a first version what it does" })
    }).annotate({ identifier: "MethodVersion" })
  ).annotate({ description: "All versions, the newest of each kind first" })
}).annotate({ identifier: "Methods" })

/** `/v1/sources`, `/v1/methods`. */
export class SourcesApi extends HttpApiGroup.make("sources", { topLevel: true })
  .add(
    HttpApiEndpoint.get("sources", "/sources", { success: envelope("SourcesAnswer", Sources) }).annotateMerge(
      described(
        "Every source, its terms and its health",
        "The terms, the state and the age of the data of each source, and how far their past is fetched into the history.",
        "listSources"
      )
    ),
    HttpApiEndpoint.get("methods", "/methods", { success: envelope("MethodsAnswer", Methods) }).annotateMerge(
      Context.add(
        described(
          "How figures are estimated, by version",
          "Each version of each method, with its first day and what changed. `method` in answers names one of them. A version is raised when " +
            "the same data would give another figure.",
          "listMethods"
        ),
        CachePolicy,
        "always"
      )
    )
  )
  .annotate(OpenApi.Description, "Where the data comes from.") {}
