// How endpoints are described in the OpenAPI documents.
import { Context } from "effect"
import { OpenApi } from "effect/http-api"
import { Keeping } from "./Keeping.ts"

/** An endpoint's name in the document, a line about it, and all that a caller should know. */
export const described = (identifier: string, summary: string, description: string) =>
  OpenApi.annotations({ identifier, summary, description })

/** The same for an endpoint whose answers are kept. */
export const kept = (...texts: Parameters<typeof described>) =>
  Context.add(described(...texts), Keeping, "while current")
