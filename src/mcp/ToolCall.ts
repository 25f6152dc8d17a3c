// A call of a tool: its arguments made into the address of its endpoint, the endpoint's answer made into a result. The text of a
// result is the body that HTTP would give, and so are the structured data, digit for digit. What is wrong is a result too, with
// the problem in words, so that a model can read it and do better.
import { Effect, Predicate } from "effect"
import { McpSchema } from "effect/ai"
import { HttpServerRespondable, type HttpServerResponse } from "effect/http"
import { RawJson } from "../api/JsonNumber.ts"
import { rules } from "../api/Parameters.ts"
import { InvalidParameter } from "../api/Problems.ts"
import { plain } from "../domain/Decimal.ts"
import type { Endpoints } from "../http/Endpoints.ts"
import * as InProcess from "../http/InProcess.ts"
import * as Paths from "../http/Paths.ts"
import type { Tool } from "./Tools.ts"
import type { Argument, ToolSchemas } from "./ToolSchemas.ts"

type Fault = InvalidParameter["errors"][number]

/** Makes the calls of a tool. */
export const make =
  (endpoints: Endpoints["Service"], tool: Tool, schemas: ToolSchemas) =>
  (given: Readonly<Record<string, unknown>>): Effect.Effect<McpSchema.CallToolResult> => {
    const faults = [
      ...strangers(schemas.arguments, given),
      ...schemas.arguments.flatMap((known) => faultOf(known, given))
    ]
    const answer = faults.length > 0 ? invalid(faults) : endpoints.get(address(tool.path, schemas.arguments, given))
    return Effect.flatMap(answer, result)
  }

/** An argument as it stands in an address; nothing where it is left out, for which models also write `null`. */
const inWords = (value: unknown): string | undefined =>
  Predicate.isNumber(value) ? plain(value) : Predicate.isString(value) ? value : undefined

/** An address may hold parameters that nobody knows; a misspelt argument would be a wrong answer that looks right. */
const strangers = (known: ReadonlyArray<Argument>, given: Readonly<Record<string, unknown>>): ReadonlyArray<Fault> => {
  const names = known.map(({ name }) => name)
  const there = names.length === 0 ? "there are no arguments" : `there are ${names.join(", ")}`
  return Object.keys(given).flatMap((parameter) =>
    names.includes(parameter) ? [] : [{ parameter, detail: `is not known: ${there}` }]
  )
}

/** What cannot be written into an address at all. All else is for the endpoint to check. */
const faultOf = (known: Argument, given: Readonly<Record<string, unknown>>): ReadonlyArray<Fault> => {
  const { name: parameter, in: place } = known
  const value = given[parameter] ?? undefined
  const written = inWords(value)
  const isMissing = value === undefined || written === ""
  if (isMissing && place === "query") return []
  if (!isMissing && written !== undefined && written.length <= Paths.routerConfig.maxParamLength) return []
  return [{ parameter, detail: `${isMissing ? "is required and " : ""}must be ${rules[parameter]}` }]
}

const address = (path: string, known: ReadonlyArray<Argument>, given: Readonly<Record<string, unknown>>): string => {
  const query = new URLSearchParams()
  for (const { in: place, name } of known) {
    const written = inWords(given[name])
    if (place === "query" && written !== undefined) query.set(name, written)
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
    encodeURIComponent(inWords(given[name]) ?? "")
  )
  return query.size === 0 ? filled : `${filled}?${query}`
}

const invalid = (errors: ReadonlyArray<Fault>) =>
  HttpServerRespondable.toResponse(
    new InvalidParameter({
      code: "invalid_parameter",
      detail: errors.map(({ detail, parameter }) => `${parameter} ${detail}`).join("; "),
      errors
    })
  )

const result = (response: HttpServerResponse.HttpServerResponse) =>
  Effect.map(InProcess.text(response), (text) => {
    const content = [{ type: "text" as const, text }]
    return response.status === 200
      ? new McpSchema.CallToolResult({ content, structuredContent: parsed(text) })
      : new McpSchema.CallToolResult({ content, isError: true })
  })

/** JSON with its numbers as they are written: a double holds fewer digits than an amount may have. */
const parsed = (json: string): unknown =>
  JSON.parse(json, (_key, value: unknown, context?: { readonly source?: string }) =>
    Predicate.isNumber(value) && context?.source !== undefined ? RawJson.rawJSON(context.source) : value
  )
