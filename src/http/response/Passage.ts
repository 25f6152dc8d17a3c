// A request on its way through the service, from when it was counted to its response.
import type { PlanName } from "../../access/Plan.ts"
import type { Asked } from "../target/Asked.ts"
import { varyOf } from "../target/Routes.ts"
import type { Recipient } from "./Headers.ts"

/** Headers of a request by name in lower case. Node joins repeated ones, except a few that are not read here. */
export type RequestHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The value of a header. */
export const one = (value: RequestHeaders[string]): string | undefined =>
  typeof value === "object" ? value.join(", ") : value

export interface Passage extends Recipient {
  readonly method: string
  /** Whether the method is GET or HEAD. */
  readonly isRead: boolean
  readonly headers: RequestHeaders
  readonly asked: Asked
  readonly plan: PlanName
  /** Whether it came with an API key, valid or not. */
  readonly hasKey: boolean
  /** The pattern of its route, for metrics and the log. */
  readonly route: string
}

export const passageOf = (counted: Omit<Passage, "isRead" | "route" | "vary">): Passage => {
  const { asked, method } = counted
  const { dialect, route } = asked
  const isRead = method === "GET" || method === "HEAD"
  return { ...counted, isRead, route: route?.pattern ?? "other", vary: route?.vary ?? varyOf(dialect) }
}
