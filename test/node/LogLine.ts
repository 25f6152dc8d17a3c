// A line of the log in JSON.
import { Schema } from "effect"

export const Line = Schema.StructWithRest(
  Schema.Struct({
    timestamp: Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
    level: Schema.Literals(["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"]),
    message: Schema.Unknown,
    request_id: Schema.optionalKey(Schema.String),
    cause: Schema.optionalKey(Schema.String)
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)
