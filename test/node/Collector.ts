// An OTLP collector on loopback: it accepts every post, and reads those in JSON.
import { Effect, Schema } from "effect"
import * as Http from "node:http"
import { memberOf } from "../faults/Answers.ts"
import { listening } from "../resources.ts"

/** A received post. */
interface Posted {
  readonly path: string
  readonly type: string | undefined
  readonly text: string
}

/** Attributes, as a plain object. */
const Attributes = Schema.Array(
  Schema.Struct({ key: Schema.String, value: Schema.Record(Schema.String, Schema.Unknown) })
)
const record = (attributes: typeof Attributes.Type): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const Resource = Schema.Struct({ attributes: Attributes })
const Span = Schema.Struct({
  traceId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/)),
  spanId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{16}$/)),
  name: Schema.String,
  kind: Schema.Int,
  attributes: Attributes,
  resource: Resource
})
const Log = Schema.Struct({
  severityText: Schema.String,
  body: Schema.Struct({ stringValue: Schema.optionalKey(Schema.String) }),
  attributes: Attributes
})
const Points = Schema.optionalKey(Schema.Struct({ dataPoints: Schema.Array(Resource) }))
const Metric = Schema.Struct({ name: Schema.String, sum: Points, gauge: Points, histogram: Points })

const listAt = (value: unknown, name: string): ReadonlyArray<unknown> => {
  const list = memberOf(value, [name])
  return Array.isArray(list) ? list : []
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
  const endpoint = `http://127.0.0.1:${yield* listening(server)}`

  /** What was posted to a path: lists of resources, of scopes and of items, one in the other. */
  const read = <A>(path: string, lists: readonly [string, string, string], item: Schema.Codec<A, unknown>) =>
    posts
      .filter((post) => post.path === path)
      .flatMap(({ text }) => listAt(JSON.parse(text), lists[0]))
      .flatMap((one) => {
        const resource = memberOf(one, ["resource"])
        const items = listAt(one, lists[1]).flatMap((scope) => listAt(scope, lists[2]))
        return items.map((found) => Schema.decodeUnknownSync(item)({ ...Object(found), resource }))
      })

  return {
    endpoint,
    posts,
    spans: () =>
      read("/v1/traces", ["resourceSpans", "scopeSpans", "spans"], Span).map(({ attributes, resource, ...span }) => {
        return { ...span, attributes: record(attributes), resource: record(resource.attributes) }
      }),
    logs: () =>
      read("/v1/logs", ["resourceLogs", "scopeLogs", "logRecords"], Log).map(({ attributes, body, severityText }) => {
        return { level: severityText, message: body.stringValue, attributes: record(attributes) }
      }),
    metrics: () =>
      read("/v1/metrics", ["resourceMetrics", "scopeMetrics", "metrics"], Metric).map(
        ({ gauge, histogram, name, sum }) => {
          const points = (sum ?? gauge ?? histogram)?.dataPoints ?? []
          return { name, points: points.map(({ attributes }) => record(attributes)) }
        }
      )
  }
})
