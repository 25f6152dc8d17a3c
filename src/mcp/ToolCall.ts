// A call of a tool: its arguments made into the address of its endpoint, the endpoint's answer made into a result. The text of a
// result is the body that HTTP would give, and so are the structured data, digit for digit. What is wrong is a result too, with
// the problem in words, so that a model can read it and do better.
import { Effect, Predicate } from "effect"
import { McpSchema } from "effect/ai"
import { HttpServerRespondable, type HttpServerResponse } from "effect/http"
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
    const written = new Map(Object.entries(given).flatMap(([name, value]) => inWords(name, value)))
    const faults = [...strangers(schemas.arguments, written), ...missing(schemas.arguments, written)]
    const answer = faults.length > 0 ? invalid(faults) : endpoints.get(address(tool.path, schemas.arguments, written))
    return Effect.flatMap(answer, result)
  }

/** An argument as it stands in an address. Models write `null` for what they leave out. */
const inWords = (name: string, value: unknown): ReadonlyArray<readonly [string, string]> => {
  if (value === null || value === undefined) return []
  if (typeof value === "number") return [[name, plain(value)]]
  return [[name, typeof value === "string" ? value : JSON.stringify(value)]]
}

/** An address may hold parameters that nobody knows; a misspelt argument would be a wrong answer that looks right. */
const strangers = (known: ReadonlyArray<Argument>, written: ReadonlyMap<string, string>): ReadonlyArray<Fault> => {
  const names = known.map(({ name }) => name)
  return [...written.keys()].flatMap((parameter) =>
    names.includes(parameter)
      ? []
      : [
          {
            parameter,
            detail:
              names.length === 0
                ? "is not known: there are no arguments"
                : `is not known: there are ${names.join(", ")}`
          }
        ]
  )
}

/** A path cannot be written without its parts; all else the endpoint checks. */
const missing = (known: ReadonlyArray<Argument>, written: ReadonlyMap<string, string>): ReadonlyArray<Fault> =>
  known.flatMap(({ name: parameter, in: place }) => {
    const value = written.get(parameter) ?? ""
    if (place === "query" || (value !== "" && value.length <= Paths.routerConfig.maxParamLength)) return []
    return [{ parameter, detail: `${value === "" ? "is required and " : ""}must be ${rules[parameter]}` }]
  })

const address = (path: string, known: ReadonlyArray<Argument>, written: ReadonlyMap<string, string>): string => {
  const query = new URLSearchParams()
  for (const { in: place, name } of known) {
    const value = written.get(name)
    if (place === "query" && value !== undefined) query.set(name, value)
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(written.get(name) ?? ""))
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
    Predicate.isNumber(value) && context?.source !== undefined ? JSON.rawJSON(context.source) : value
  )
