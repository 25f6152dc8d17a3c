// Load at a fixed rate, whether the server keeps up or not: each request has a time at which it is due, and its latency counts
// from then. Run as `node OpenLoop.ts PORT PATH RATE SECONDS KEYS-FILE`; prints JSON, in microseconds.
import { readFileSync } from "node:fs"
import * as Net from "node:net"
import Process from "node:process"

const CONNECTIONS = 64

/** Requests of the first second are not counted. */
const WARM_UP = 1

/** What was seen: microseconds, and how many requests that stands on. */
export interface Latencies {
  readonly p50: number
  readonly p99: number
  readonly requests: number
}

const HEAD_END = Buffer.from("\r\n\r\n")

/** Where an answer ends in what has arrived, if it has arrived. */
const endOf = (arrived: Buffer): number | undefined => {
  const head = arrived.indexOf(HEAD_END)
  if (head < 0) return undefined
  const length = /content-length: (\d+)/i.exec(arrived.toString("latin1", 0, head))?.[1]
  const end = head + HEAD_END.length + Number(length ?? 0)
  return arrived.length >= end ? end : undefined
}

const connect = (port: number) =>
  new Promise<Net.Socket>((resolve, reject) => {
    const socket = Net.connect({ host: "127.0.0.1", port, noDelay: true }, () => resolve(socket))
    socket.once("error", reject)
  })

const measure = async (
  port: number,
  path: string,
  options: { readonly rate: number; readonly seconds: number; readonly keys: ReadonlyArray<string> }
): Promise<Latencies> => {
  const requests = options.keys.map((key) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${key}\r\n\r\n`)
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(port)))
  const free = [...sockets]
  const dueOn = new Map<Net.Socket, number>()
  const seen: Array<number> = []
  let wrong = 0
  for (const socket of sockets) {
    let arrived: Buffer = Buffer.alloc(0)
    socket.on("data", (chunk) => {
      arrived = arrived.length === 0 ? chunk : Buffer.concat([arrived, chunk])
      if (endOf(arrived) === undefined) return
      if (arrived.toString("latin1", 9, 12) !== "200") wrong++
      arrived = Buffer.alloc(0)
      seen.push(performance.now() - (dueOn.get(socket) ?? 0))
      free.push(socket)
    })
  }

  const began = performance.now()
  const total = Math.floor(options.rate * (options.seconds + WARM_UP))
  await new Promise<void>((done) => {
    let sent = 0
    // No timer is fine enough: the loop turns as fast as it can, on a core of its own.
    const turn = () => {
      const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * options.rate))
      while (sent < due && free.length > 0) {
        const socket = free.shift()
        if (socket === undefined) break
        dueOn.set(socket, began + (sent / options.rate) * 1000)
        socket.write(requests[sent++ % requests.length] ?? "")
      }
      if (seen.length < total) setImmediate(turn)
      else done()
    }
    turn()
  })
  for (const socket of sockets) socket.destroy()
  if (wrong > 0) throw new Error(`${wrong} of ${total} answers were not 200`)
  const counted = seen.slice(Math.floor(options.rate * WARM_UP)).sort((a, b) => a - b)
  const at = (share: number) => Math.round((counted[Math.floor(counted.length * share)] ?? 0) * 1000)
  return { p50: at(0.5), p99: at(0.99), requests: counted.length }
}

if (import.meta.main) {
  const [port, path = "", rate, seconds, file = ""] = Process.argv.slice(2)
  const keys = readFileSync(file, "utf8").split("\n")
  const latencies = await measure(Number(port), path, { rate: Number(rate), seconds: Number(seconds), keys })
  Process.stdout.write(JSON.stringify(latencies))
}
