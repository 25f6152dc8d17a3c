// Responses that leave in one write. Effect's server asks Node to check each body's length, and Node then writes head and body
// apart, with another turn of the event loop between them; a third of the cost of a small answer. All our lengths are computed
// from the bodies they stand for.
import { type IncomingMessage, ServerResponse } from "node:http"

/** A response that is not told to be strict. */
export class OneWrite<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}

Object.defineProperty(OneWrite.prototype, "strictContentLength", { get: () => false, set: () => {} })
