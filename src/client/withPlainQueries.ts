// Effect's derived client encodes the query of every call, also where all of its members may be left out, and wants decimals as
// `BigDecimal`.
import { BigDecimal, Option, Predicate } from "effect"

/** The decimals among the parameters of `/v1`. */
const DECIMALS: ReadonlySet<string> = new Set(["amount", "expect", "tolerance"])

const decimalOf = (value: unknown): unknown =>
  typeof value === "number" ? Option.getOrElse(BigDecimal.fromNumber(value), () => value) : value

const queryOf = (query: object): object =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, DECIMALS.has(name) ? decimalOf(value) : value])
  )

/** The same client. Its methods send an empty query where a call has none, and take numbers for decimals. */
export const withPlainQueries = <Methods extends object>(methods: Methods): Methods =>
  new Proxy(methods, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member === "function") {
        return (request?: { readonly query?: object }): unknown =>
          Reflect.apply(member, target, [{ ...request, query: queryOf(request?.query ?? {}) }])
      }
      return Predicate.isObject(member) ? withPlainQueries(member) : member
    }
  })
