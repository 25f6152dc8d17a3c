// Short answers as they are held. Thousands of prices are cached, and most of them are asked for rarely. So only the text is
// held, once for all plans: a body shows the plan in its last member alone. What a response is sent from is made again
// for each request, a few microseconds; it is held for a URL that is asked for many times a second.
import { HttpBody } from "effect/http"
import type { PlanName } from "../../access/Plan.ts"
import type { Dependencies } from "../../services/refresh/Dependencies.ts"
import { CachedResponse } from "./CachedResponse.ts"
import { SMALLEST } from "./Encodings.ts"
import { Representation } from "./Representation.ts"

/** So many requests within a second are many. */
const MANY = 8

const JSON_TYPE = "application/json"

/** How a body ends that shows the plan in `meta.tier`, its last member. */
const endFor = (plan: PlanName): string => `"tier":"${plan}"}}`

/** An answer that is the same for every plan, but for the plan's name. */
export class ShortAnswer {
  readonly dependencies: Dependencies
  /** The body for `plan`. */
  private readonly text: string
  private readonly plan: PlanName
  private readonly route: string
  // Of the second of the last request: which one, and the requests in it so far.
  private second = -1
  private times = 0
  private ready: Map<PlanName, CachedResponse> | undefined

  private constructor(text: string, plan: PlanName, { dependencies, route }: CachedResponse) {
    this.dependencies = dependencies
    this.text = text
    this.plan = plan
    this.route = route
    this.ready = undefined
  }

  /** The answer in this form; none for one that is long, that has headers of its own, or whose body names no plan. */
  static of(plan: PlanName, answer: CachedResponse): ShortAnswer | undefined {
    const { identity, length } = answer.representation
    const { content, contentType, hasOwnHeaders } = identity
    return typeof content === "string" &&
      length < SMALLEST &&
      contentType === JSON_TYPE &&
      !hasOwnHeaders &&
      content.endsWith(endFor(plan))
      ? new ShortAnswer(content, plan, answer)
      : undefined
  }

  /** Bytes of the body, where each character is one. */
  get length(): number {
    return this.text.length
  }

  /** The answer for a plan, at `now` in epoch milliseconds. */
  answerFor(plan: PlanName, now: number): CachedResponse {
    const ready = this.ready?.get(plan)
    if (ready !== undefined) return ready
    const body = HttpBody.text(this.textFor(plan), JSON_TYPE)
    const answer = new CachedResponse(this.route, new Representation(body), this.dependencies)
    if (this.isAskedOften(now)) (this.ready ??= new Map()).set(plan, answer)
    return answer
  }

  private textFor(plan: PlanName): string {
    return plan === this.plan ? this.text : this.text.slice(0, -endFor(this.plan).length) + endFor(plan)
  }

  private isAskedOften(now: number): boolean {
    const second = Math.floor(now / 1000)
    if (second !== this.second) {
      this.second = second
      this.times = 0
    }
    return ++this.times >= MANY
  }
}
