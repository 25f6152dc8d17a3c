// What the sandbox tests share: a sandbox on a real loopback port at a fixed time, and plain requests to it.
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpBody, HttpClient, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import type { UpstreamEnvName } from "../../src/sandbox/Wires.ts"

/** A Friday at noon, UTC. */
export const friday = Date.UTC(2026, 10, 20, 12, 0, 0)

/** A new server on a free port of the loopback interface. */
export const server = () =>
  NodeHttpServer.layer(() => createServer(), { port: 0, host: "127.0.0.1", gracefulShutdownTimeout: "1 second" })

/** The sandbox over real sockets, with a client; the clock stands at 1970 until `TestClock.setTime`. */
export const SandboxTest = Layer.mergeAll(Sandbox.layer.pipe(Layer.provide(server())), FetchHttpClient.layer)

/** A GET, or a POST where there is a body, as status, headers and text. */
export const call = Effect.fnUntraced(function* (upstream: UpstreamEnvName, path: string, body?: unknown) {
  const { baseUrls } = yield* Sandbox
  const url = baseUrls[upstream] + path
  const request =
    body === undefined ? HttpClientRequest.get(url) : HttpClientRequest.post(url, { body: HttpBody.jsonUnsafe(body) })
  const response = yield* HttpClient.execute(request)
  return { status: response.status, headers: response.headers, text: yield* response.text }
})

/** The JSON of a reply that has to be a 200. */
export const json = Effect.fnUntraced(function* (upstream: UpstreamEnvName, path: string, body?: unknown) {
  const reply = yield* call(upstream, path, body)
  if (reply.status !== 200) return yield* Effect.die(new Error(`${path}: ${reply.status} ${reply.text}`))
  const parsed: unknown = JSON.parse(reply.text)
  return parsed
})

/** It is {@link friday}. */
export const isFriday = TestClock.setTime(friday)

/** The same as this shape, which it has to fit. */
export const read = <A>(shape: Schema.Codec<A, unknown>, ...asked: Parameters<typeof json>) =>
  Effect.flatMap(json(...asked), Schema.decodeUnknownEffect(shape))

/** A request body for Bybit's page. */
export const bybit = (side: string, more: object = {}) => ({
  userId: "",
  tokenId: "USDT",
  currencyId: "NGN",
  payment: [],
  side,
  size: "50",
  page: "1",
  amount: "",
  authMaker: false,
  canTrade: false,
  ...more
})

/** A request body for Bitget's page. */
export const bitget = (side: number, more: object = {}) => ({
  side,
  pageNo: 1,
  pageSize: 50,
  coinCode: "USDT",
  fiatCode: "NGN",
  languageType: 0,
  ...more
})
