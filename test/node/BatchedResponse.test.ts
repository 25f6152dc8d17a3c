// Responses of one event-loop turn are written together, in order, each to its own connection, and independently of
// each other.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import * as Http from "node:http"
import * as Net from "node:net"
import { BatchedResponse } from "../../src/node/BatchedResponse.ts"

/** Starts a server with this listener; its port. */
const listening = (answer: Http.RequestListener<typeof Http.IncomingMessage, typeof BatchedResponse>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = Http.createServer({ ServerResponse: BatchedResponse }, answer)
        await once(server.listen(0, "127.0.0.1"), "listening")
        return server
      }),
      (server) => Effect.sync(() => void server.close().closeAllConnections())
    ),
    (server) => {
      const address = server.address()
      return address !== null && typeof address === "object" ? address.port : 0
    }
  )

/** Sends the requests at once and reads until the server closes the connection. */
const exchange = (port: number, requests: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const socket = Net.connect(port, "127.0.0.1")
    let text = ""
    socket.on("data", (chunk: Buffer) => (text += chunk.toString())).on("error", () => {})
    socket.write(requests.join(""))
    await once(socket, "close")
    return text
  })

const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: here\r\n${more}\r\n`
const last = (path: string) => get(path, "Connection: close\r\n")

it.effect("no response is written before all requests of its turn have been handled", () =>
  Effect.gen(function* () {
    const written: Array<number> = []
    const port = yield* listening((request, response) => {
      written.push(request.socket.bytesWritten)
      response.end("here")
    })
    yield* exchange(port, [get("/1"), get("/2"), last("/3")])
    assert.deepStrictEqual(written, [0, 0, 0])
  })
)

it.effect("hundreds of requests of one turn get their own responses, in order", () =>
  Effect.gen(function* () {
    const port = yield* listening(({ url }, response) => void response.end(`<${url}>`))
    const paths = Array.from({ length: 300 }, (_, n) => `/${n}`)
    const text = yield* exchange(port, [...paths.map((path) => get(path)), last("/last")])
    assert.deepStrictEqual(
      [...text.matchAll(/<(.*?)>/g)].map(([, path]) => path),
      [...paths, "/last"]
    )
  })
)

it.effect("at most 64 responses wait for the end of a turn", () =>
  Effect.gen(function* () {
    const written: Array<number> = []
    const port = yield* listening((request, response) => {
      written.push(request.socket.bytesWritten)
      response.end("here")
    })
    yield* exchange(port, [...Array.from({ length: 80 }, (_, n) => get(`/${n}`)), last("/last")])
    assert.isTrue(written.slice(0, 64).every((bytes) => bytes === 0))
    assert.isAbove(written[64] ?? 0, 0)
  })
)

it.effect("the callback of end is called, and a response without a body has none", () =>
  Effect.gen(function* () {
    let calls = 0
    const port = yield* listening((_, response) => {
      response.writeHead(204)
      response.end(() => void calls++)
    })
    const text = yield* exchange(port, [get("/"), last("/")])
    assert.strictEqual(calls, 2)
    assert.strictEqual(text.match(/HTTP\/1.1 204/g)?.length, 2)
    assert.isTrue(text.endsWith("\r\n\r\n"))
  })
)

it.effect("a response that cannot be written closes its own connection only", () =>
  Effect.gen(function* () {
    let first: BatchedResponse | undefined
    const port = yield* listening((_, response) => {
      if (first === undefined) {
        first = response
        return
      }
      first.end(Symbol("not a body"))
      response.end("written")
    })
    const [broken, whole] = yield* Effect.all([exchange(port, [last("/1")]), exchange(port, [last("/2")])], {
      concurrency: 2
    })
    assert.strictEqual(broken, "")
    assert.isTrue(whole.endsWith("written"))
  })
)
