// Refuses what the schemas of an endpoint do not see: a repeated parameter, an API key in the URL, where logs would keep
// it, and broken percent-encoding. Schema failures of the endpoint become the same 400, which names every invalid
// parameter. It is remembered by URL (`RefusedUrls`), unless the URL has a key in it.
import { Context, Effect, Layer, Option, Schema, SchemaAST } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApiError } from "effect/http-api"
import * as CoinGecko from "../../api/coingecko/Parameters.ts"
import * as Own from "../../api/Parameters.ts"
import { Validation } from "../../api/Validation.ts"
import { COINGECKO_HEADERS } from "../compat/CoinGeckoKeys.ts"
import * as Paths from "../Paths.ts"
import { invalid, problem } from "../response/ProblemBody.ts"
import * as RequestId from "../response/RequestId.ts"
import { RefusedUrls } from "./RefusedUrls.ts"

/** The parameters of a path or a query as they were sent; a list is a repeated one. */
type Values = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** What is wrong with each parameter. */
type Faults = Map<string, string>

/** Names that callers use for an API key in a query. */
const keyNames = new Set([
  "api_key",
  "apikey",
  ...["x-api-key", ...COINGECKO_HEADERS].flatMap((header) => [header, header.replaceAll("-", "_")])
])

/** The header to send a key in, that was in the URL under this name. */
const keyHeaderFor = (name: string): string =>
  name.toLowerCase().includes("cg") ? name.toLowerCase().replaceAll("_", "-") : "x-api-key"

export const ValidationLayer: Layer.Layer<Validation> = Layer.effect(
  Validation,
  Effect.map(RefusedUrls, (refused) => validating(refused))
).pipe(Layer.provide(RefusedUrls.layer))

const validating =
  (refused: RefusedUrls["Service"]): Validation["Service"] =>
  (handle, { endpoint }) => {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
    const { ruleOf } = Paths.isCoinGecko(path) ? CoinGecko : Own
    const rule = (name: string) => ruleOf(path, name)
    const inPath = parametersOf(rule, endpoint.params?.ast)
    const inQuery = parametersOf(rule, endpoint.query?.ast)

    const refuse = Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const search = Context.getUnsafe(fiber.context, HttpServerRequest.ParsedSearchParams)
      const faults: Faults = new Map()
      addSchemaFaults(inPath, Context.getUnsafe(fiber.context, HttpRouter.RouteContext).params, faults)
      addSchemaFaults(inQuery, search, faults)
      addUrlFaults(inQuery, request.url, search, faults)
      const refusal = invalid(Array.from(faults, ([parameter, detail]) => ({ parameter, detail })))
      if (faults.size > 0 && !hasKey(search)) refused.remember(request.url, refusal)
      return Effect.succeed(problem(refusal, RequestId.of(request) ?? ""))
    })

    const handled = Effect.catch(handle, (failure) => {
      if (!HttpApiError.HttpApiSchemaError.is(failure)) return Effect.fail(failure)
      // The response does not fit its own schema: a defect of this service.
      return failure.kind === "Body" || failure.kind === "ResponseHeaders" ? Effect.die(failure) : refuse
    })

    return Effect.withFiber((fiber) => {
      const { url } = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const search = Context.getUnsafe(fiber.context, HttpServerRequest.ParsedSearchParams)
      return hasUrlFault(inQuery, url, search) ? refuse : handled
    })
  }

interface Parameter {
  /** Follows "must be". */
  readonly rule: string | undefined
  readonly isRequired: boolean
  readonly accepts: (value: unknown) => boolean
}

type Parameters = ReadonlyMap<string, Parameter>

const parametersOf = (ruleOf: (name: string) => string | undefined, ast: SchemaAST.AST | undefined): Parameters =>
  new Map(
    ast === undefined || !SchemaAST.isObjects(ast)
      ? []
      : ast.propertySignatures.map(({ name, type }) => {
          const decode = Schema.decodeUnknownOption(Schema.make<Schema.Codec<unknown>>(type))
          const accepts = (value: unknown) => Option.isSome(decode(value))
          return [String(name), { rule: ruleOf(String(name)), isRequired: !SchemaAST.isOptional(type), accepts }]
        })
  )

/** Only requests that are refused are decoded here: the endpoint decodes all others, and stops at the first fault. */
const addSchemaFaults = (parameters: Parameters, values: Values, faults: Faults): void => {
  for (const [name, { accepts, isRequired, rule }] of parameters) {
    const value = values[name]
    if (value === undefined && isRequired) faults.set(name, `is required and must be ${rule}`)
    if (value !== undefined && !accepts(value)) faults.set(name, `must be ${rule}`)
  }
}

const hasKey = (search: Values): boolean => Object.keys(search).some((name) => keyNames.has(name.toLowerCase()))

const hasUrlFault = (parameters: Parameters, url: string, search: Values): boolean => {
  for (const name in search) {
    if (typeof search[name] === "object" || keyNames.has(name.toLowerCase())) return true
  }
  return url.includes("%") && undecodable(parameters, url).length > 0
}

const addUrlFaults = (parameters: Parameters, url: string, search: Values, faults: Faults): void => {
  for (const name in search) {
    if (typeof search[name] === "object") faults.set(name, "must be given once")
    if (keyNames.has(name.toLowerCase())) {
      faults.set(name, `must not be in the URL; send the key in the header ${keyHeaderFor(name)}`)
    }
  }
  if (Paths.isDecodable(url)) return
  for (const name of undecodable(parameters, url)) faults.set(name, "must be percent-encoded UTF-8")
}

/** The parameters whose values are not percent-encoded UTF-8. The router passes such values on undecoded. */
const undecodable = (parameters: Parameters, url: string): ReadonlyArray<string> =>
  url
    .slice(url.indexOf("?") + 1)
    .split("&")
    .flatMap((pair) => {
      const [name = "", value = ""] = pair.split("=", 2)
      return parameters.has(name) && !Paths.isDecodable(value) ? [name] : []
    })
