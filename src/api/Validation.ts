// The tag under which requests that break the contract's rules are refused. Its implementation is in `http`.
import { HttpApiMiddleware } from "effect/http-api"
import { InvalidParameter } from "./Problems.ts"

/** Turns schema failures of parameters into one 400 that names them all. */
export class Validation extends HttpApiMiddleware.Service<Validation>()("crypto-data-api/api/Validation", {
  error: [InvalidParameter]
}) {}
