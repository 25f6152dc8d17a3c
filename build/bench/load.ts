// Load over 64 connections: as many requests as a server answers, or at a fixed rate, where a latency counts from when its request
// was due. Run as `node load.ts '{…}'` with a `Load`; prints a `Seen`.
import * as Net from "node:net"
import Process from "node:process"

export interface Load {
  readonly port: number
  /** An `{n}` is another number each time. */
  readonly path: string
  /** One more header. */
  readonly header?: string | undefined
  /** The address of all requests, or else one of 50,000 in rotation, so that no caller runs into a limit. */
  readonly address?: string | undefined
  readonly seconds: number
  /** Requests a second; as many as possible without it. */
  readonly rate?: number
}

/** What came back. `p99` in ms, for a fixed rate, without its first second. */
export interface Seen {
  readonly requests: number
  readonly statuses: Readonly<Record<string, number>>
  readonly p99: number
}

const { address, header, path, port, rate, seconds }: Load = JSON.parse(Process.argv[2] ?? "")
const fixed = `HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: */*\r\n${header === undefined ? "" : `${header}\r\n`}`
// Another start each time: what one run asked for is new to the next.
const first = Math.floor(Math.random() * 1e6) * 1000
let sent = 0

const nextRequest = (): string => {
  const n = sent++ % 50_000
  const from = address ?? `198.18.${n >> 8}.${n & 255}`
  return `GET ${path.replace("{n}", String(first + sent))} ${fixed}X-Forwarded-For: ${from}\r\n\r\n`
}

const statuses: Record<string, number> = {}
const latencies: Array<number> = []
let isOver = false
let responses = 0
const free: Array<Net.Socket> = []
const dueOn = new Map<Net.Socket, number>()

/** A connection. A head arrives in one piece, or the run fails. A body in chunks ends with an empty one. */
const connect = (): Promise<Net.Socket> =>
  new Promise((resolve) => {
    let left = 0
    let end = ""
    const onread = {
      buffer: Buffer.alloc(1 << 18),
      callback: (size: number, buffer: Uint8Array): boolean => {
        const text = (from: number, to: number) =>
          Buffer.from(buffer.buffer, buffer.byteOffset + from, to - from).toString("latin1")
        if (left > 0) left -= size
        else {
          const [start = "", body] = text(0, Math.min(size, 2048)).split("\r\n\r\n", 2)
          if (body === undefined) throw new Error(`no head of a response: ${start}`)
          const status = start.slice(9, 12)
          statuses[status] = (statuses[status] ?? 0) + 1
          const length = /^content-length: (\d+)/im.exec(start)?.[1] ?? 0
          left = /^transfer-encoding: chunked/im.test(start) ? Infinity : start.length + 4 + Number(length) - size
        }
        if (left === Infinity) {
          end = (end + text(Math.max(0, size - 7), size)).slice(-7)
          if (end === "\r\n0\r\n\r\n") left = 0
        }
        if (left < 0) throw new Error("more bytes than the response has")
        if (left > 0) return true
        responses++
        if (rate === undefined) return isOver || socket.write(nextRequest())
        latencies.push(performance.now() - (dueOn.get(socket) ?? 0))
        return free.push(socket) > 0
      }
    }
    const socket = Net.connect({ host: "127.0.0.1", port, noDelay: true, onread }, () => resolve(socket))
    socket.on("close", () => isOver || Process.exit(1))
  })

const sockets = await Promise.all(Array.from({ length: 64 }, connect))
if (rate === undefined) {
  for (const socket of sockets) socket.write(nextRequest())
  await new Promise((done) => setTimeout(done, seconds * 1000))
} else {
  free.push(...sockets)
  const began = performance.now()
  const total = Math.floor(rate * (seconds + 1))
  await new Promise<void>((done) => {
    // No timer is fine enough: the loop turns as fast as it can, on a core of its own.
    const turn = () => {
      const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * rate))
      for (const socket of free.splice(0, due - sent)) {
        dueOn.set(socket, began + (sent / rate) * 1000)
        socket.write(nextRequest())
      }
      if (responses < total) setImmediate(turn)
      else done()
    }
    turn()
  })
}
isOver = true
const counted = latencies.slice(rate ?? 0).sort((a, b) => a - b)
const p99 = counted[Math.floor(counted.length * 0.99)] ?? 0
const seen: Seen = { requests: responses, statuses, p99 }
for (const socket of sockets) socket.destroy()
Process.stdout.write(JSON.stringify(seen))
