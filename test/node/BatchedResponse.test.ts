// Responses of one turn of the event loop are written together: in order, each its own, and none at another's cost.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import * as Http from "node:http"
import * as Net from "node:net"
import { BatchedResponse } from "../../src/node/BatchedResponse.ts"

/** The port of a server that answers so. */
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

/** Sends all this at once; what came back when the other side closed. */
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

it.effect("no response is written before all requests of the turn have been handled", () =>
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

it.effect("each of hundreds of requests of a turn gets its own answer, in order", () =>
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

it.effect("of a long turn no more than 64 wait", () =>
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

it.effect("who asked to be told of the end is told, and a response without a body has none", () =>
  Effect.gen(function* () {
    let told = 0
    const port = yield* listening((_, response) => {
      response.writeHead(204)
      response.end(() => void told++)
    })
    const text = yield* exchange(port, [get("/"), last("/")])
    assert.strictEqual(told, 2)
    assert.strictEqual(text.match(/HTTP\/1.1 204/g)?.length, 2)
    assert.isTrue(text.endsWith("\r\n\r\n"))
  })
)

it.effect("a response that cannot be written closes its own connection and no other's", () =>
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
