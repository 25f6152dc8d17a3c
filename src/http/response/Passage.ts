// A request on its way through the service, from when it was counted to its response.
import type { PlanName } from "../../access/Plan.ts"
import type { Quota } from "../../access/RateLimiter.ts"
import type { Asked } from "../target/Asked.ts"
import { varyOf } from "../target/Routes.ts"
import type { Recipient } from "./Headers.ts"

/** Headers of a request by name in lower case. Node joins repeated ones, except a few that are not read here. */
export type RequestHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The value of a header. */
export const one = (value: RequestHeaders[string]): string | undefined =>
  typeof value === "object" ? value.join(", ") : value

interface Fields {
  readonly id: string
  readonly method: string
  readonly headers: RequestHeaders
  readonly asked: Asked
  readonly plan: PlanName
  readonly hasKey: boolean
  readonly quota: Quota
}

export class Passage implements Fields, Recipient {
  readonly id: string
  readonly method: string
  readonly headers: RequestHeaders
  readonly asked: Asked
  readonly plan: PlanName
  /** Whether it came with an API key, valid or not. */
  readonly hasKey: boolean
  readonly quota: Quota

  constructor({ asked, hasKey, headers, id, method, plan, quota }: Fields) {
    this.id = id
    this.method = method
    this.headers = headers
    this.asked = asked
    this.plan = plan
    this.hasKey = hasKey
    this.quota = quota
  }

  get isRead(): boolean {
    return this.method === "GET" || this.method === "HEAD"
  }

  get vary(): string {
    return this.asked.route?.vary ?? varyOf(this.asked.dialect)
  }

  /** The pattern of its route, for metrics and the log. */
  get route(): string {
    return this.asked.route?.pattern ?? "other"
  }
}
