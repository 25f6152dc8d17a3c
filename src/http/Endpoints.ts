// The contract's endpoints, asked from within the process: the same handlers and validation as over HTTP, down to the bytes.
import { Context, Effect } from "effect"
import { HttpClientRequest, HttpServerRequest, type HttpServerResponse } from "effect/http"
import * as InProcess from "./InProcess.ts"

/** Asks endpoints. */
export class Endpoints extends Context.Service<
  Endpoints,
  {
    /** The answer to a GET for this path and query, by the caller at hand; without a gate, a caller counts as free. */
    readonly get: (url: string) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  }
>()("crypto-data-api/http/Endpoints") {
  /** Over the routes of the contract, without the gate. */
  static readonly over = (app: Effect.Effect<InProcess.App>): Endpoints["Service"] =>
    Endpoints.of({
      // The path stays as it is: an address would be read with its dots resolved.
      get: (url) =>
        Effect.flatMap(app, (routes) =>
          InProcess.ask(routes, HttpServerRequest.fromClientRequest(nowhere).modify({ url }))
        )
    })
}

const nowhere = HttpClientRequest.get("http://localhost/")
