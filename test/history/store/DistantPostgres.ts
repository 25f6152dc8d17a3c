// A PostgreSQL server at a distance: a proxy on loopback that passes requests on 1 ms late, and counts the statements in them.
import { Effect } from "effect"
import type * as Net from "node:net"
import { proxyTo } from "../../LoopbackProxy.ts"

/** The distance there and back, ms. */
const DISTANCE = 1

/** Counts the statements of a connection: each `Query` and each `Execute` of the protocol. */
const counter = (count: () => void) => {
  let rest = Buffer.alloc(0)
  let hasBegun = false
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      // The first message has no type, nor has a question before it, of 8 bytes, whether the server encrypts.
      const head = hasBegun ? 1 : 0
      if (rest.length < head + 4) return
      const length = head + rest.readUInt32BE(head)
      if (rest.length < length) return
      if (hasBegun && ["Q", "E"].includes(String.fromCharCode(rest[0] ?? 0))) count()
      hasBegun ||= length !== 8
      rest = rest.subarray(length)
    }
  }
}

/** The URL of the same database at a distance, and the number of statements so far. */
export const make = Effect.fnUntraced(function* (url: string) {
  const [near, distant] = [new URL(url), new URL(url)]
  let statements = 0
  const counters = new WeakMap<Net.Socket, ReturnType<typeof counter>>()
  const { port } = yield* proxyTo(
    { host: near.hostname, port: Number(near.port) },
    ({ chunk, client, isRequest, pass }) => {
      if (!isRequest) return pass()
      const count = counters.get(client) ?? counter(() => statements++)
      counters.set(client, count)
      count(chunk)
      setTimeout(pass, DISTANCE)
    }
  )
  distant.port = String(port)
  return { url: distant.href, statements: () => statements }
})
