// The source's own code of an error, such as `101 missing_access_key`, from a body that is not the documented format. A code is a number
// or a short word without hyphens and dots, so that no sentence and no address of the source gets into logs.
import { Predicate } from "effect"

/** Codes of successes. */
const successes = /^(0+|200|200000|ok|success)$/i

const word = /^(-?\d{1,8}|[A-Za-z]\w{0,39})$/

const nameOf = (value: unknown): string | undefined => {
  const text = typeof value === "number" || typeof value === "string" ? String(value) : ""
  return word.test(text) && !successes.test(text) ? text : undefined
}

/** Where sources put an error, and the names of its code and its type. */
const places = ["error", "status", "errors"]
const codes = ["code", "error_code", "errorCode", "ret_code", "retCode"]
const types = ["type", "error", "name"]

const member = (value: unknown, names: ReadonlyArray<string>): string | undefined =>
  Predicate.isObject(value)
    ? names.map((name) => nameOf((value as Readonly<Record<string, unknown>>)[name])).find((name) => name !== undefined)
    : undefined

/** The code and the type of the error in a parsed body, at most 80 characters; `undefined` if it has none. */
export const errorCodeIn = (body: unknown): string | undefined => {
  if (!Predicate.isObject(body)) return undefined
  const fields: Readonly<Record<string, unknown>> = { ...body }
  for (const place of [body, ...places.flatMap((name) => [fields[name]].flat().slice(0, 1))]) {
    const code = member(place, codes)
    const type = member(place, types)
    if (code !== undefined) return type === undefined ? code : `${code} ${type}`
  }
  return member(body, types)
}
