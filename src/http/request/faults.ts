// What is wrong with the parameters of a request, each in words that follow the parameter's name.
import { type Dialect, ownDialect, type ProblemKind } from "../../api/Dialect.ts"
import type { Parameter } from "../../api/Parameter.ts"
import { rulesBetween } from "../../api/rulesBetween.ts"
import { dialectKeyHeaders, faultOfName, type Route } from "./Routes.ts"
import { slipIn } from "./slipIn.ts"
import { MOST_PARAMETERS, type Query } from "./Target.ts"

export interface Faults {
  /** The fault of each parameter, by name. */
  readonly details: ReadonlyMap<string, string>
  readonly kind: ProblemKind | undefined
}

/** The most faults of names that a response lists. */
const MOST_FAULTS = 10

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The fault of a text that the parameter does not allow. `isExplained`: it says more than the rule of the parameter. */
export const faultOfValue = (
  { read, rule, shape }: Parameter,
  text: string
): { readonly detail: string; readonly isExplained: boolean } => {
  const { maxLength: longest } = shape
  if (typeof longest === "number" && text.length > longest && longest > 0) {
    return { detail: `must be ${rule}. It has more than ${longest} characters`, isExplained: true }
  }
  const slip = slipIn(text, (other) => read(other) !== undefined, rule)
  const meant = slip?.meant === undefined ? "" : ` Did you mean ${slip.meant}?`
  if (slip === undefined) return { detail: `must be ${rule}`, isExplained: false }
  return { detail: `must be ${rule}.${meant} ${sentence(slip.hint)}`, isExplained: true }
}

export const missing = ({ rule }: Parameter): string => `is required and must be ${rule}`

/** Names that callers use for an API key in a query. */
const keyNames = new Set([
  "api_key",
  "apikey",
  ...["x-api-key", ...dialectKeyHeaders].flatMap((header) => [header, header.replaceAll("-", "_")])
])

/** The header to use for a key that was sent in the URL under this name. */
const keyHeaderFor = (name: string, { keyHeaders }: Dialect): string => {
  const header = name.toLowerCase().replaceAll("_", "-")
  return keyHeaders.includes(header) ? header : "x-api-key"
}

const none: Faults["details"] = new Map()

/** The faults that do not depend on values: repeated and misspelt names, keys, and names that exclude each other. */
export const faultsOfNames = (query: Query, route: Route): Faults["details"] => {
  const { isTooLong, parameters, repeated, undecodable } = query
  if (parameters.size === 0) return none
  if (isTooLong && route.isEndpoint) return new Map([["query", `must have at most ${MOST_PARAMETERS} parameters`]])
  const faults = new Map<string, string>()
  const add = (name: string, detail: string) => {
    if (faults.size < MOST_FAULTS) faults.set(name, detail)
  }
  const isSent = (name: string) => route.parameters.has(name) && parameters.has(name)
  const textOf = (name: string) => (isSent(name) ? (parameters.get(name) ?? "") : "")
  for (const name of undecodable) if (route.parameters.has(name)) add(name, "must be percent-encoded UTF-8")
  for (const name of parameters.keys()) {
    if (faults.size >= MOST_FAULTS) break
    if (keyNames.has(name.toLowerCase())) {
      add(name, `must not be in the URL; send the key in the header ${keyHeaderFor(name, route.dialect)}`)
    } else {
      const isRepeated = route.dialect === ownDialect && repeated.has(name)
      const fault = faultOfName(name, route) ?? (isRepeated ? "must be given once" : undefined)
      if (fault !== undefined) add(name, fault)
    }
  }
  if (route.dialect === ownDialect) {
    for (const { detail, isWrong, parameter } of rulesBetween) {
      if (isSent(parameter) && isWrong(isSent, textOf)) add(parameter, detail)
    }
  }
  return faults
}
