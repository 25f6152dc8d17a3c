// Whether a request of Node's `fetch` has left this machine. A call that waits for DNS or a connection until it times out has not reached
// its source, so it must not spend the source's budget.
import { AsyncLocalStorage } from "node:async_hooks"
import { subscribe } from "node:diagnostics_channel"

/** One request. Neither is ever set by a `fetch` that is not Node's own. */
export interface Sending {
  hasBegun: boolean
  isSent: boolean
}

const current = new AsyncLocalStorage<Sending>()

/** By undici's request. */
const sendings = new WeakMap<object, Sending>()

const requestIn = (message: unknown): object | undefined =>
  typeof message === "object" && message !== null && "request" in message && typeof message.request === "object"
    ? (message.request ?? undefined)
    : undefined

subscribe("undici:request:create", (message) => {
  const [request, sending] = [requestIn(message), current.getStore()]
  if (request === undefined || sending === undefined) return
  sending.hasBegun = true
  sendings.set(request, sending)
})

subscribe("undici:client:sendHeaders", (message) => {
  const sending = sendings.get(requestIn(message) ?? {})
  if (sending !== undefined) sending.isSent = true
})

/** The same `fetch`, which notes in `sending` how far its request is. */
export const noting =
  (sending: Sending, fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (...asked) =>
    current.run(sending, () => fetch(...asked))
