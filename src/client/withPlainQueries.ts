// Effect's derived client requires a query in every call, even if all of its members are optional, and decimals as `BigDecimal`.
import { BigDecimal, Option, Predicate } from "effect"

/** The decimals among the parameters of `/v1`. */
const DECIMALS: ReadonlySet<string> = new Set(["amount", "expect", "tolerance"])

const decimalOf = (value: unknown): unknown =>
  typeof value === "number" ? Option.getOrElse(BigDecimal.fromNumber(value), () => value) : value

const queryOf = (query: object): object =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, DECIMALS.has(name) ? decimalOf(value) : value])
  )

/** The same client with methods that accept calls without a query, and numbers for decimals. */
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
