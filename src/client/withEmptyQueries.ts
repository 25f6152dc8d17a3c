// Effect's derived client encodes the query of every call, also where all of its members may be left out.
import { Predicate } from "effect"

/** The same client, whose methods send an empty query where a call has none. */
export const withEmptyQueries = <Methods extends object>(methods: Methods): Methods =>
  new Proxy(methods, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member === "function") {
        return (request?: object): unknown => Reflect.apply(member, target, [{ query: {}, ...request }])
      }
      return Predicate.isObject(member) ? withEmptyQueries(member) : member
    }
  })
