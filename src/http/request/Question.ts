// What a request asks for: the values of the parameters that its route declares, each decoded once by its schema. Questions with equal
// keys ask for the same data, however their requests are written.
import { BigDecimal } from "effect"
import { ownDialect } from "../../api/Dialect.ts"
import type { Parameter, Reading } from "../../api/Parameter.ts"
import { guards } from "../../api/Parameters.ts"
import { type Faults, faultOfValue, faultsOfNames, missing } from "./faults.ts"
import type { ParsedPath } from "./ParsedPath.ts"
import type { Route } from "./Routes.ts"
import { parseQuery, type Query } from "./Target.ts"

export interface Question {
  /** The path and the declared parameters, each in the one text of its value. The router decodes it again, without faults. */
  readonly url: string
  /** The key of a cached answer: `url` without guards, and without an amount that only shapes the answer. */
  readonly key: string
  /** The amount that only shapes the answer. */
  readonly amount: BigDecimal.BigDecimal | undefined
  /** Whether the key has an amount. */
  readonly isOfAmount: boolean
  /** The values of the guards that were sent; `undefined` for most requests. */
  readonly guards: Readonly<Record<string, unknown>> | undefined
}

const AMOUNT = "amount"

const GUARDS: ReadonlySet<string> = new Set(Object.keys(guards))

/** The text of a declared parameter; `undefined` if it is left out. */
const textOf = (name: string, route: Route, { parameters, repeated }: Query): string | undefined => {
  if (route.dialect === ownDialect) return parameters.get(name)?.toWellFormed()
  // Like the original services, the compat APIs use the last value of a repeated parameter, trim it, and omit an empty one.
  return (repeated.get(name) ?? parameters.get(name))?.toWellFormed().trim() || undefined
}

/** The path with the values of its parameters. A missing one stays as in the pattern, which no value looks like. */
const pathOf = ({ pattern }: Route, readings: ReadonlyMap<string, Reading>): string =>
  pattern.replaceAll(/:(\w+)/g, (declared, name: string) => {
    const reading = readings.get(name)
    return reading === undefined ? declared : encodeURIComponent(reading.text)
  })

/** The question of a request to this route, or the faults of its parameters. `wantsCsv`: whether the `Accept` header selects CSV. */
export const questionOf = (
  { basis, params, path }: ParsedPath,
  route: Route,
  sentQuery: string,
  wantsCsv: boolean
): Question | Faults => {
  // After all others: of a repeated parameter the compat APIs use the last.
  const query = parseQuery(basis === undefined ? sentQuery : `${sentQuery}&basis=${basis}`)
  const faults = new Map<string, string>()
  let missingCount = 0
  let isExplained = false
  const read = (name: string, parameter: Parameter, text: string | undefined): Reading | undefined => {
    const reading = text === undefined ? undefined : parameter.read(text)
    if (reading !== undefined) return reading
    if (text !== undefined) {
      const fault = faultOfValue(parameter, text)
      faults.set(name, fault.detail)
      isExplained ||= fault.isExplained
    } else if (parameter.isRequired) {
      faults.set(name, missing(parameter))
      missingCount++
    }
    return undefined
  }

  const inPath = new Map<string, Reading>()
  let isRespelled = false
  for (const [name, parameter] of route.inPath) {
    const reading = read(name, parameter, params[name])
    if (reading !== undefined) inPath.set(name, reading)
    isRespelled ||= reading?.text !== params[name]
  }
  let url = isRespelled ? pathOf(route, inPath) : path
  let amount = route.isShapedByAmount ? inPath.get(AMOUNT) : undefined
  inPath.delete(amount === undefined ? "" : AMOUNT)
  let key = amount === undefined ? url : pathOf(route, inPath)
  let isOfAmount = false
  let mark = "?"
  let keyMark = "?"
  let sentGuards: Record<string, unknown> | undefined
  for (const [name, parameter] of route.parameters) {
    const isFormat = wantsCsv && name === "format"
    const reading = read(name, parameter, textOf(name, route, query) ?? (isFormat ? "csv" : undefined))
    if (route.isShapedByAmount && name === AMOUNT) amount = reading ?? parameter.fallback
    // Drops values equal to their default, except `format=json`, which overrides `Accept`.
    if (reading === undefined || (reading.text === parameter.fallback?.text && !isFormat)) continue
    const pair = `${name}=${encodeURIComponent(reading.text)}`
    url += mark + pair
    mark = "&"
    if (GUARDS.has(name)) (sentGuards ??= {})[name] = reading.value
    else if (!route.isShapedByAmount || name !== AMOUNT) {
      isOfAmount ||= name === AMOUNT
      key += keyMark + pair
      keyMark = "&"
    }
  }
  for (const [name, fault] of faultsOfNames(query, route)) faults.set(name, fault)
  if (faults.size > 0) {
    return { details: faults, kind: missingCount === faults.size ? "missing" : isExplained ? "explained" : undefined }
  }
  const value = amount?.value
  return { url, key, amount: BigDecimal.isBigDecimal(value) ? value : undefined, isOfAmount, guards: sentGuards }
}

export const isFaulty = (read: Question | Faults): read is Faults => "details" in read
