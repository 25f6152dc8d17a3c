// How endpoints are described in the OpenAPI documents.
import { Context } from "effect"
import { OpenApi } from "effect/http-api"
import { IsCached } from "./Cacheable.ts"

/** An endpoint's name in the document, a line about it, and all that a caller should know. */
export const described = (identifier: string, summary: string, description: string) =>
  OpenApi.annotations({ identifier, summary, description })

/** The same for an endpoint whose responses are cached. */
export const cached = (...texts: Parameters<typeof described>) => Context.add(described(...texts), IsCached, true)
