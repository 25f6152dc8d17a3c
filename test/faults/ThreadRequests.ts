// Requests to the record's thread that are not answered yet, whichever service of this process made them.
import { Worker } from "node:worker_threads"

const underWay = new Map<Worker, Set<unknown>>()
let events = 0

const post = Worker.prototype.postMessage

const idOf = (message: unknown): unknown =>
  typeof message === "object" && message !== null && "id" in message ? message.id : undefined

/** The requests of a thread. Listened to from its first on. */
const requestsTo = (worker: Worker): Set<unknown> => {
  const known = underWay.get(worker)
  if (known !== undefined) return known
  const ids = new Set<unknown>()
  underWay.set(worker, ids)
  worker.on("message", (response: unknown) => {
    ids.delete(idOf(response))
    events++
  })
  worker.on("exit", () => {
    underWay.delete(worker)
    events++
  })
  return ids
}

Worker.prototype.postMessage = function (this: Worker, message, ...rest) {
  const id = idOf(message)
  if (id !== undefined) requestsTo(this).add(id)
  events++
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  post.call(this, message, ...rest)
}

/** Whether a thread has not answered yet. */
export const isAny = (): boolean => {
  for (const ids of underWay.values()) if (ids.size > 0) return true
  return false
}

/** Requests and answers so far. */
export const count = (): number => events
