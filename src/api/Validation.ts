// Validation of parameters, implemented in `http`.
import { HttpApiMiddleware } from "effect/http-api"
import { InvalidParameter } from "./Problems.ts"

/** Turns invalid parameters into one 400 that names each. */
export class Validation extends HttpApiMiddleware.Service<Validation>()("crypto-data-api/api/Validation", {
  error: [InvalidParameter]
}) {}
