// A request without a socket: what Node would hand to a server, and a response that takes note of its end. What is left is the
// path that is the server's own.
import { IncomingMessage, type Server, ServerResponse } from "node:http"
import * as Net from "node:net"
import Process from "node:process"

/** A request of some kind, and what it has to come to. */
export interface Asked {
  readonly path: () => string
  readonly headers: () => Record<string, string>
  readonly status: number
  /** So many requests go before, whatever they come to: a flood's quota is spent by them. */
  readonly spends?: number
}

const peer = Object.defineProperty(new Net.Socket(), "remoteAddress", { value: "127.0.0.1" })

class Response extends ServerResponse {
  readonly #onEnd: (status: number) => void
  constructor(request: IncomingMessage, onEnd: (status: number) => void) {
    super(request)
    this.#onEnd = onEnd
  }
  override writeHead(status: number): this {
    this.statusCode = status
    return this
  }
  override end(): this {
    // What `writableEnded` reads.
    Object.assign(this, { finished: true })
    this.emit("finish")
    this.#onEnd(this.statusCode)
    return this
  }
}

const once = (server: Server, { headers, path }: Asked) =>
  new Promise<number>((answered) => {
    const request = new IncomingMessage(peer)
    const url = path()
    Object.assign(request, {
      method: "GET",
      url,
      httpVersion: "1.1",
      httpVersionMajor: 1,
      httpVersionMinor: 1,
      complete: true
    })
    const sent = { host: "localhost", "user-agent": "bench", accept: "*/*", ...headers() }
    request.headers = sent
    request.rawHeaders = Object.entries(sent).flat()
    server.emit("request", request, new Response(request, answered))
  })

/** Requests that are under way at once, as they are from many connections. */
const TOGETHER = 20

/** Microseconds of processor time for a request, over so many of them. */
export const cost = async (server: Server, asked: Asked, times: number): Promise<number> => {
  for (let n = 0; n < (asked.spends ?? 0); n++) await once(server, asked)
  const before = Process.cpuUsage()
  for (let n = 0; n < times; n += TOGETHER) {
    const statuses = await Promise.all(Array.from({ length: Math.min(TOGETHER, times - n) }, () => once(server, asked)))
    const wrong = statuses.find((status) => status !== asked.status)
    if (wrong !== undefined) throw new Error(`${asked.path()} came to ${wrong} and not to ${asked.status}`)
  }
  const { system, user } = Process.cpuUsage(before)
  return (user + system) / times
}
