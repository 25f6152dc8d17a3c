// Three rules have one owner each: how old data may be, what of it is believed, and whether a source may be asked. Where the owner says
// no, no endpoint has an answer.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll, beforeAll, vi } from "vitest"
import type * as Age from "../../src/sources/dataset/Age.ts"
import type * as Judge from "../../src/services/judge/Judge.ts"
import type * as Budget from "../../src/sources/client/Budget.ts"
import { onlyNaira } from "../RunningService.ts"
import * as SimulatedTime from "./SimulatedTime.ts"

const says = vi.hoisted(() => ({ isYoung: true, isBelieved: true, mayBeAsked: true }))

vi.mock(import("../../src/sources/dataset/Age.ts"), async (original): Promise<typeof Age> => {
  const age = await original()
  return {
    ...age,
    isServable: (...asked) => says.isYoung && age.isServable(...asked),
    servableUntil: (...asked) => (says.isYoung ? age.servableUntil(...asked) : -Infinity)
  }
})

vi.mock(import("../../src/services/judge/Judge.ts"), async (original): Promise<typeof Judge> => {
  const { inSteps, step, ...others } = await original()
  const believing = <R>(rules: Judge.Rules<R>): Judge.Rules<R> =>
    says.isBelieved ? rules : { ...rules, figures: () => [Number.NaN] }
  return {
    ...others,
    step: (rules, ...inputs) => step(believing(rules), ...inputs),
    inSteps: (rules, ...inputs) => inSteps(believing(rules), ...inputs)
  }
})

vi.mock(import("../../src/sources/client/Budget.ts"), async (original): Promise<typeof Budget> => {
  const { make, ...others } = await original()
  return {
    ...others,
    make: (...of) =>
      Effect.map(make(...of), (budget) => {
        const refused = Effect.succeed({ wait: 60_000, giveBack: Effect.void })
        return { ...budget, take: (urgency) => (says.mayBeAsked ? budget.take(urgency) : refused) }
      })
  }
})

/** `/v1/prices` is not among them: it is a 200 that says of each coin what is missing. */
const paths = [
  "/v1/global",
  "/v1/coins?limit=20",
  "/v1/coins?limit=100&page=4",
  "/v1/coins/bitcoin",
  "/v1/price/bitcoin/usd",
  "/v1/price/bitcoin/eur",
  "/v1/price/bitcoin/ngn",
  "/v1/naira",
  "/v1/fx",
  "/v1/convert?from=eur&to=ngn",
  "/v1/convert?from=bitcoin&to=ngn&basis=customer",
  "/v1/convert?from=usd&to=ngn&basis=official"
]

/** The status of each path while the rules say so. */
const statuses = (rules: Partial<typeof says>) =>
  Effect.gen(function* () {
    Object.assign(says, { isYoung: true, isBelieved: true, mayBeAsked: true }, rules)
    const time = yield* SimulatedTime.make(Date.UTC(2026, 10, 16, 12, 0, 30))
    return yield* time.live(
      Effect.gen(function* () {
        const service = yield* (yield* Effect.promise(() => import("./InProcessService.ts"))).make(time, {
          config: { ...onlyNaira, COINGECKO_PLAN: "demo" }
        })
        yield* service.start
        yield* time.pass("30 seconds")
        const answers = (yield* service.ask(paths)).map(({ path, status }) => `${path} ${status}`)
        assert.strictEqual(service.calls().length > 0, says.mayBeAsked, "calls")
        return answers
      })
    )
  }).pipe(Effect.scoped)

const cases: ReadonlyArray<readonly [Partial<typeof says>, number]> = [
  [{}, 200],
  [{ isYoung: false }, 503],
  [{ isBelieved: false }, 503],
  [{ mayBeAsked: false }, 503]
]

// The files of a worker share their modules. These are loaded for this test alone, and again for the files after it.
beforeAll(() => void vi.resetModules())
afterAll(() => {
  vi.doUnmock("../../src/sources/dataset/Age.ts")
  vi.doUnmock("../../src/services/judge/Judge.ts")
  vi.doUnmock("../../src/sources/client/Budget.ts")
  vi.resetModules()
})

// One test, one after the other: the rules are those of all services of this process.
it.live("every endpoint asks the owner of each rule", () =>
  Effect.forEach(cases, ([rules, status]) =>
    Effect.map(statuses(rules), (found) =>
      assert.deepStrictEqual(
        found,
        paths.map((path) => `${path} ${status}`)
      )
    )
  )
)
