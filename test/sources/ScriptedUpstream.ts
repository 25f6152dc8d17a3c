// An upstream on loopback that answers as a test tells it to, over real HTTP.
import { ConfigProvider, DateTime, Effect, Fiber, identity, Layer, Schedule, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { subscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import * as Http from "node:http"
import type { Socket } from "node:net"
import { Readable } from "node:stream"
import type { SourceRecord } from "../../src/sources/catalog/SourceRecord.ts"
import type { SourceError } from "../../src/sources/client/SourceError.ts"
import { layerRequirements, type Requirements } from "../../src/sources/client/SourceService.ts"

/** The record of a source whose address a test sets by `TEST_SOURCE_BASE_URL`. */
export const source: SourceRecord = {
  id: "TEST_SOURCE",
  name: "Test Source",
  baseUrl: "http://127.0.0.1:9",
  attribution: "",
  link: "",
  licence: "",
  redistribution: "no",
  allowances: [],
  dataSets: []
}

/** What it was asked. `url` is the path with the query. */
export interface ScriptedRequest {
  readonly method: string
  readonly url: string
  readonly body: string
  readonly headers: Http.IncomingHttpHeaders
}

/** What it answers: a response, silence, or a connection that breaks off. */
export type ScriptedAnswer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  | "hang"
  | "reset"

export interface ScriptedUpstream {
  /** Without a slash at the end. */
  readonly url: string
  readonly requests: () => ReadonlyArray<ScriptedRequest>
  /** Bytes handed to every connection, heads included. A body goes out no faster than it is read. */
  readonly sent: () => number
  /** Connections that are still open. */
  readonly open: () => number
}

/** JSON with status 200. */
export const json = (body: unknown): ScriptedAnswer => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

/** Listens until the scope closes. The handler may throw: that is a 500. */
export const scriptedUpstream = (
  handler: (request: ScriptedRequest) => ScriptedAnswer
): Effect.Effect<ScriptedUpstream, never, Scope.Scope> =>
  Effect.gen(function* () {
    const requests: Array<ScriptedRequest> = []
    const sockets = new Set<Socket>()

    const server = Http.createServer((incoming, response) => {
      const chunks: Array<Buffer> = []
      // Its time is the machine's, not the test's.
      response.sendDate = false
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
      incoming.on("end", () => {
        const request: ScriptedRequest = {
          method: incoming.method ?? "",
          url: incoming.url ?? "",
          body: Buffer.concat(chunks).toString(),
          headers: incoming.headers
        }
        requests.push(request)
        const answer = answerOf(handler, request)
        if (answer === "reset") return void incoming.socket.resetAndDestroy()
        const length = answer === "hang" ? 0 : Buffer.byteLength(answer.body)
        if (answer === "hang" || Number(answer.headers?.["content-length"] ?? 0) > length) {
          hung.add(incoming)
          incoming.socket.on("close", () => hung.delete(incoming))
        }
        if (answer === "hang") return
        response.writeHead(answer.status, { "content-length": length, ...answer.headers })
        Readable.from(pieces(answer.body)).pipe(response)
      })
    })
    server.on("connection", (socket: Socket) => sockets.add(socket))

    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
      () =>
        Effect.promise(async () => {
          const closed = once(server, "close")
          server.close()
          server.closeAllConnections()
          await closed
        })
    )
    const address = server.address()
    const port = address !== null && typeof address === "object" ? address.port : 0
    return {
      url: `http://127.0.0.1:${port}`,
      requests: () => requests,
      sent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0),
      open: () => [...sockets].filter((socket) => !socket.destroyed).length
    }
  })

const answerOf = (handler: (request: ScriptedRequest) => ScriptedAnswer, request: ScriptedRequest): ScriptedAnswer => {
  try {
    return handler(request)
  } catch (failure) {
    return { status: 500, body: failure instanceof Error ? failure.message : "handler failed" }
  }
}

const pieces = function* (body: string) {
  const bytes = Buffer.from(body)
  for (let from = 0; from < bytes.length; from += 16_384) yield bytes.subarray(from, from + 16_384)
}

/** Closes a source's layer: real HTTP, these settings. Each use is a source of its own. */
export const overHttp = <A, E>(
  layer: Layer.Layer<A, E, Requirements>,
  settings: Readonly<Record<string, string>>
): Layer.Layer<A, E> =>
  Layer.fresh(layer).pipe(
    Layer.provide(Layer.fresh(layerRequirements)),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))
  )

/** A source, and where its address and what else it is told at first stand among the settings. */
interface Scripted<I, S, E> {
  readonly source: {
    readonly layerNoDeps: Layer.Layer<I, E, Requirements>
    readonly useSync: <A>(read: (service: S) => A) => Effect.Effect<A, never, I>
  }
  readonly setting: string
  /** What stands before each path at the source. */
  readonly path?: string
  readonly at: DateTime.DateTime.Input
}

/** A source over an upstream that answers so, at a moment: what its service has, and what was asked. */
export const scriptedSource = <I, S extends object, E>({ at, path = "", setting, source }: Scripted<I, S, E>) =>
  Effect.fnUntraced(function* (
    answer: (request: ScriptedRequest) => ScriptedAnswer,
    { now = at, settings = {} }: { readonly now?: typeof at; readonly settings?: Readonly<Record<string, string>> } = {}
  ) {
    yield* TestClock.setTime(DateTime.makeUnsafe(now).epochMilliseconds)
    const { requests, url } = yield* scriptedUpstream(answer)
    const layer = overHttp(source.layerNoDeps, { [setting]: url + path, ...settings })
    const context = yield* Effect.orDie(Layer.build(layer))
    const service = yield* Effect.provideContext(source.useSync(identity), context)
    return { ...service, requests, urls: () => requests().map((request) => request.url) }
  })

/** The reason for which a source gives nothing, without the class around it. */
export const reasonOf = <A>(effect: Effect.Effect<A, SourceError>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => ({ ...reason }))

export const tagOf = <A>(effect: Effect.Effect<A, SourceError>) => Effect.map(reasonOf(effect), ({ _tag }) => _tag)

/** Requests that were sent and are not answered yet, and those of them that are never answered. */
const underWay = new Set<unknown>()
const hung = new Set<unknown>()

const noting = (note: (request: unknown) => void) => (message: unknown) =>
  note(typeof message === "object" && message !== null && "request" in message ? message.request : undefined)
const began = noting((request) => underWay.add(request))
const ended = noting((request) => underWay.delete(request))
subscribe("undici:request:create", began)
subscribe("http.client.request.start", began)
for (const end of ["undici:request:trailers", "undici:request:error"]) subscribe(end, ended)
for (const end of ["http.client.response.finish", "http.client.request.error"]) subscribe(end, ended)

/** Waits, in real time, for the answers that will come: a time-out must not fire because the machine is busy. */
const answered = Effect.sync(() => underWay.size <= hung.size).pipe(
  Effect.repeat({ until: (isSo) => isSo, schedule: Schedule.spaced("2 millis") }),
  Effect.timeoutOption("5 seconds"),
  TestClock.withLive
)

/** Runs an effect while the test clock goes on, as fast as answers come: sleeps end, and sockets still work. */
export const whileTimePasses = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    underWay.clear()
    const fiber = yield* Effect.forkChild(effect, { startImmediately: true })
    while (fiber.pollUnsafe() === undefined) {
      yield* TestClock.withLive(Effect.sleep("2 millis"))
      yield* answered
      yield* TestClock.adjust("50 millis")
    }
    return yield* Fiber.join(fiber)
  })

const samples = new URL("../../../shared/samples/", import.meta.url)

/** Whether recorded answers of the real upstreams lie beside the repository; elsewhere the tests over them are skipped. */
export const hasRecordings = existsSync(samples)

/** A recorded answer, as it was sent. */
export const recording = (path: string): string => readFileSync(new URL(path, samples), "utf8")
