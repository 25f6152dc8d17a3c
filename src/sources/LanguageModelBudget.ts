// How many tokens may be spent in a day, by the UTC day of the clock. A call takes what it may cost at most before it is made, so
// that calls at the same time stay within the budget together, and settles for what it did cost. In memory: a restart forgets.
import { Clock, Effect } from "effect"
import { OverBudget } from "./client/SourceError.ts"

const DAY = 86_400_000

/** The tokens of a day. */
export interface LanguageModelBudget {
  /** Sets so many tokens aside. */
  readonly take: (tokens: number) => Effect.Effect<Ticket, OverBudget>
}

/** Tokens set aside for a call. */
export interface Ticket {
  /** Says what the call did cost. Without this it has cost what was set aside. */
  readonly settle: (tokens: number) => Effect.Effect<void>
}

/** A budget of so many tokens a day. */
export const make = (dailyTokens: number): LanguageModelBudget => {
  let today = Number.NaN
  let spent = 0
  return {
    take: (tokens) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const day = Math.floor(now / DAY)
        if (day !== today) [today, spent] = [day, 0]
        if (spent + tokens > dailyTokens) {
          return Effect.fail(new OverBudget({ retryAfter: Math.ceil(((day + 1) * DAY - now) / 1000) }))
        }
        spent += tokens
        // What was taken on a day before is no longer counted, and is not given back to this one.
        const settle = (cost: number) =>
          Effect.sync(() => {
            if (today === day) spent += cost - tokens
          })
        return Effect.succeed({ settle })
      })
  }
}
