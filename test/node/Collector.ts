// An OTLP collector on loopback: it accepts every post and decodes those in JSON.
import { Effect, Schema } from "effect"
import { once } from "node:events"
import * as Http from "node:http"

const Value = Schema.Struct({
  stringValue: Schema.optionalKey(Schema.String),
  intValue: Schema.optionalKey(Schema.Union([Schema.Number, Schema.String])),
  doubleValue: Schema.optionalKey(Schema.Number),
  boolValue: Schema.optionalKey(Schema.Boolean)
})

const Attributes = Schema.Array(Schema.Struct({ key: Schema.String, value: Value }))

const Span = Schema.Struct({
  traceId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/)),
  spanId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{16}$/)),
  parentSpanId: Schema.optionalKey(Schema.String),
  name: Schema.String,
  kind: Schema.Int,
  startTimeUnixNano: Schema.String,
  endTimeUnixNano: Schema.String,
  attributes: Attributes,
  status: Schema.Struct({ code: Schema.Int, message: Schema.optionalKey(Schema.String) })
})

const Resource = Schema.Struct({ attributes: Attributes })

const Traces = Schema.Struct({
  resourceSpans: Schema.Array(
    Schema.Struct({ resource: Resource, scopeSpans: Schema.Array(Schema.Struct({ spans: Schema.Array(Span) })) })
  )
})

const Logs = Schema.Struct({
  resourceLogs: Schema.Array(
    Schema.Struct({
      resource: Resource,
      scopeLogs: Schema.Array(
        Schema.Struct({
          logRecords: Schema.Array(Schema.Struct({ severityText: Schema.String, body: Value, attributes: Attributes }))
        })
      )
    })
  )
})

const Points = Schema.Struct({ dataPoints: Schema.Array(Schema.Struct({ attributes: Attributes })) })

const Metrics = Schema.Struct({
  resourceMetrics: Schema.Array(
    Schema.Struct({
      resource: Resource,
      scopeMetrics: Schema.Array(
        Schema.Struct({
          metrics: Schema.Array(
            Schema.Struct({
              name: Schema.String,
              sum: Schema.optionalKey(Points),
              gauge: Schema.optionalKey(Points),
              histogram: Schema.optionalKey(Points)
            })
          )
        })
      )
    })
  )
})

/** Attributes as a plain object. */
export const record = (attributes: typeof Attributes.Type): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue
    ])
  )

/** A received post. */
export interface Posted {
  readonly path: string
  readonly type: string | undefined
  readonly text: string
}

/** Starts a collector that ends with the scope. */
export const receiving = Effect.gen(function* () {
  const posts: Array<Posted> = []
  const server = Http.createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString()
      posts.push({ path: request.url ?? "", type: request.headers["content-type"], text })
      response.setHeader("content-type", "application/json").end("{}")
    })
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const address = server.address()
  const to = (path: string) => posts.filter((post) => post.path === path)
  const read = <A>(path: string, schema: Schema.Codec<A, unknown>) =>
    to(path).map(({ text }) => Schema.decodeUnknownSync(schema)(JSON.parse(text)))

  return {
    endpoint: `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`,
    posts,
    spans: () =>
      read("/v1/traces", Traces).flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) =>
            spans.map(({ attributes, ...span }) => ({
              ...span,
              attributes: record(attributes),
              resource: record(resource.attributes)
            }))
          )
        )
      ),
    logs: () =>
      read("/v1/logs", Logs).flatMap(({ resourceLogs }) =>
        resourceLogs.flatMap(({ scopeLogs }) =>
          scopeLogs.flatMap(({ logRecords }) =>
            logRecords.map(({ attributes, body, severityText }) => ({
              level: severityText,
              message: body.stringValue,
              attributes: record(attributes)
            }))
          )
        )
      ),
    metrics: () =>
      read("/v1/metrics", Metrics).flatMap(({ resourceMetrics }) =>
        resourceMetrics.flatMap(({ scopeMetrics }) =>
          scopeMetrics.flatMap(({ metrics }) =>
            metrics.map(({ gauge, histogram, name, sum }) => ({
              name,
              points: (sum ?? gauge ?? histogram)?.dataPoints.map(({ attributes }) => record(attributes)) ?? []
            }))
          )
        )
      )
  }
})
