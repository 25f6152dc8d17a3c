// What other threads have been asked for and have not answered yet, whoever of this process asked: rows by the thread of the history,
// compressed bytes by the pool of Node.
import { Worker } from "node:worker_threads"
import * as Zlib from "node:zlib"

const asked = new Map<Worker, Set<unknown>>()
let compressing = 0
let events = 0

/** Whether a thread has not answered yet. */
export const isAny = (): boolean => {
  if (compressing > 0) return true
  for (const ids of asked.values()) if (ids.size > 0) return true
  return false
}

/** Requests and answers so far. */
export const count = (): number => events

const idOf = (message: unknown): unknown =>
  typeof message === "object" && message !== null && "id" in message ? message.id : undefined

/** The open requests to a thread. Its answers are listened to from the first request on. */
const openOf = (worker: Worker): Set<unknown> => {
  const known = asked.get(worker)
  if (known !== undefined) return known
  const ids = new Set<unknown>()
  asked.set(worker, ids)
  worker.on("message", (answer: unknown) => {
    ids.delete(idOf(answer))
    events++
  })
  worker.on("exit", () => {
    asked.delete(worker)
    events++
  })
  return ids
}

const post = Worker.prototype.postMessage
Worker.prototype.postMessage = function (this: Worker, message, ...rest) {
  const id = idOf(message)
  if (id !== undefined) openOf(this).add(id)
  events++
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  post.call(this, message, ...rest)
}

/** What all streams of `node:zlib` inherit. */
const streams = Object.getPrototypeOf(Object.getPrototypeOf(Zlib.Gzip.prototype))
const transform: (...given: ReadonlyArray<unknown>) => void = streams._transform
streams._transform = function (chunk: unknown, encoding: unknown, done: (...results: ReadonlyArray<unknown>) => void) {
  compressing++
  events++
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    compressing--
    events++
  }
  // A stream that fails is closed, and never calls back.
  this.once("close", close)
  transform.call(this, chunk, encoding, (...results: ReadonlyArray<unknown>) => {
    this.off("close", close)
    close()
    done(...results)
  })
}
