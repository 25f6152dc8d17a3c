// What hostile or broken clients do to a port: connections that are left open, requests without a pause, and noise. Each attack says what
// came back; nothing here judges. Slow and fat requests are in `test/node/ProtocolErrors.test.ts`.
import { Effect } from "effect"
import * as Net from "node:net"
import { mulberry32 } from "../domain/syntheticBooks.ts"

/** How often each status came back on connections; `closed`: nothing came back before the end. */
export type Tally = Readonly<Record<string, number>>

/** What a connection has said so far, and when it is over. */
interface Line {
  readonly socket: Net.Socket
  readonly text: () => string
  /** It has said something, or is over. */
  readonly begun: Promise<unknown>
  readonly over: Promise<unknown>
}

const connected = (port: number): Line => {
  const chunks: Array<Buffer> = []
  const socket = Net.connect(port, "127.0.0.1")
  socket.on("data", (chunk: Buffer) => chunks.push(chunk))
  socket.on("error", () => socket.destroy())
  const event = (name: "data" | "close") => new Promise<void>((resolve) => void socket.once(name, () => resolve()))
  const over = event("close")
  return {
    socket,
    text: () => Buffer.concat(chunks).toString("latin1"),
    begun: Promise.race([event("data"), over]),
    over
  }
}

const statusesIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), (match) => match[1] ?? "")

const tallied = (texts: Iterable<string>): Tally => {
  const tally: Record<string, number> = {}
  for (const text of texts) {
    const statuses = statusesIn(text)
    for (const status of statuses.length > 0 ? statuses : ["closed"]) tally[status] = (tally[status] ?? 0) + 1
  }
  return tally
}

/** A client nobody has seen, of 198.18.0.0/15. */
const from = (client: number): string =>
  `X-Forwarded-For: 198.${18 + ((client >> 16) & 1)}.${(client >> 8) & 255}.${client & 255}\r\n`

/** A request line with the headers of a new client; `more` stands before the blank line. */
const get = (client: number, path = "/v1/fx", more = ""): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${from(client)}${more}\r\n`

/** Says all of it at once and reads to the end of the connection, or until it has been silent for so long. */
const say = (port: number, bytes: string | Uint8Array, silence = 3000): Promise<string> => {
  const line = connected(port)
  line.socket.setTimeout(silence, () => line.socket.destroy())
  line.socket.write(bytes)
  return line.over.then(line.text)
}

/** `count` connections one after the other, each of which asks once and is left open; the oldest goes when there are `room` many. */
export const idleKeepAlives = (port: number, count: number, room: number): Effect.Effect<Tally> =>
  Effect.promise(async () => {
    const open: Array<Line> = []
    const tally: Record<string, number> = {}
    for (let n = 0; n < count; n++) {
      const line = connected(port)
      line.socket.write(get(n, "/healthz"))
      await line.begun
      const [status = "closed"] = statusesIn(line.text())
      tally[status] = (tally[status] ?? 0) + 1
      open.push(line)
      if (open.length > room) open.shift()?.socket.destroy()
    }
    for (const { socket } of open) socket.destroy()
    return tally
  })

/** So many requests in one write. */
export const pipelined = (port: number, count: number): Effect.Effect<Tally> =>
  Effect.promise(async () =>
    tallied([await say(port, Array.from({ length: count }, (_, n) => get(n, "/v1/price/bitcoin/usd")).join(""))])
  )

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "BREW"]

const PATHS = [
  "/v1/coins",
  "/v1/price/bitcoin/ngn",
  "/v1/convert",
  "/v1/why",
  "/docs",
  "/metrics",
  "/",
  "*",
  "//",
  "/%00"
]

/** A request as nobody would write it: parts of a real one, and bytes of any kind, in any order. */
const noise = (random: () => number, client: number): Buffer => {
  const below = (n: number) => Math.floor(random() * n)
  const any = <A>(list: ReadonlyArray<A>): A | undefined => list[below(list.length)]
  const bytes = (most: number) => String.fromCharCode(...Array.from({ length: below(most) }, () => below(256)))
  const query = () =>
    any(["", "?", `?limit=${bytes(6)}`, `?from=${bytes(9)}&to=ngn`, "?page=99999999999999999999", "?a[]=1"])
  const header = () =>
    any([
      from(client),
      `x-api-key: ${bytes(60)}\r\n`,
      `Content-Length: ${bytes(4)}\r\n`,
      "Transfer-Encoding: chunked\r\n",
      `Accept-Encoding: ${bytes(20)}\r\n`,
      `If-None-Match: ${bytes(40)}\r\n`,
      `${bytes(12)}: ${bytes(12)}\r\n`
    ])
  const isRequest = random() < 0.8
  const line = `${any(METHODS)} ${any(PATHS)}${random() < 0.3 ? bytes(30) : ""}${query()} HTTP/1.${below(3)}\r\nHost: x\r\n`
  const headers = Array.from({ length: below(5) }, header).join("")
  return Buffer.from(
    isRequest ? `${line}${from(client)}${headers}\r\n${random() < 0.2 ? bytes(200) : ""}` : bytes(400),
    "latin1"
  )
}

/** So many of them, some at a time, each on a connection that is given up once it is silent. */
export const randomRequests = (port: number, count: number, seed: number): Effect.Effect<Tally> =>
  Effect.map(
    Effect.suspend(() => {
      const random = mulberry32(seed)
      return Effect.forEach(
        Array.from({ length: count }, (_, n) => noise(random, n)),
        (bytes) => Effect.promise(() => say(port, bytes, 300)),
        { concurrency: 50 }
      )
    }),
    tallied
  )
