// The contract's endpoints within the process, with the handlers and the validation that serve over HTTP.
import { Context, Effect } from "effect"
import { HttpClientRequest, HttpServerRequest, type HttpServerResponse } from "effect/http"
import * as InProcess from "./InProcess.ts"

export class Endpoints extends Context.Service<
  Endpoints,
  {
    /** The response to a GET of this path and query for the current caller. Outside of a request the plan is free. */
    readonly get: (url: string) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  }
>()("crypto-data-api/http/Endpoints") {
  static readonly over = (app: Effect.Effect<InProcess.App>): Endpoints["Service"] =>
    Endpoints.of({
      // A URL made of the path would resolve its dots.
      get: (url) =>
        Effect.flatMap(app, (routes) =>
          InProcess.ask(routes, HttpServerRequest.fromClientRequest(nowhere).modify({ url }))
        )
    })
}

const nowhere = HttpClientRequest.get("http://localhost/")
