// The types of the contract for clients that Effect derives. Effect gives a client's request and a handler's the same type of
// query, with a value for each default and each decimal as a `BigDecimal`. A client needs neither.
import { HttpApiGroup, type HttpApiEndpoint } from "effect/http-api"

/** A query from which a client may leave out what has a default. Its decimals may be numbers. */
type Sent<S extends { readonly "~type.make.in": unknown }> = Omit<S, "Type"> & { readonly Type: S["~type.make.in"] }

/** An endpoint whose client sends such a query. `~Request`, which types the handler, is kept. */
type ClientSide<E> = E extends HttpApiEndpoint.ConstraintRequest
  ? Omit<E, "~Query"> & { readonly "~Query": [E["~Query"]] extends [never] ? never : Sent<E["~Query"]> }
  : never

/** The same endpoints in the same group, typed for clients. */
export const forClients = <Id extends string, E extends HttpApiEndpoint.Constraint, Top extends boolean>(
  group: HttpApiGroup.HttpApiGroup<Id, E, Top> & {
    readonly endpoints: Readonly<Record<string, NoInfer<ClientSide<E>>>>
  }
) => {
  const [first, ...others]: ReadonlyArray<ClientSide<E>> = Object.values(group.endpoints)
  if (first === undefined) throw new Error(`The group ${group.identifier} has no endpoint`)
  const { annotations, identifier, topLevel } = group
  return HttpApiGroup.make(identifier, { topLevel })
    .add(first, ...others)
    .annotateMerge(annotations)
}
