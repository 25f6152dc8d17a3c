// Explanations in a language model's words, where one is configured. Called by the job that explains, never by a request, and it
// never fails: whatever the model does, within the deadline there is an explanation, the engine's own if need be, that says why.
// A call is made for what is new: answers are kept by what they rest on, and judged again each time they are used, since the
// figures move on.
import { Clock, type Config, Context, Effect, Layer, Metric, Schema, Semaphore } from "effect"
import { LanguageModel } from "../sources/LanguageModel.ts"
import type { LanguageModelError } from "../sources/LanguageModelError.ts"
import type { Explained } from "../why/Explain.ts"
import { Explanation } from "../why/Explanation.ts"
import type { WhyInput } from "../why/WhyInput.ts"
import { Draft, type Fault, promptOf, repairOf, SYSTEM } from "./RewordingDraft.ts"
import { materialOf, type RewordingMaterial } from "./RewordingMaterial.ts"
import * as RewordingMemory from "./RewordingMemory.ts"
import { type Accepted, judge, withoutFailed } from "./RewordingRules.ts"
import { reworded } from "./RewordingText.ts"

/** An explanation, and who worded it. `fallback`: `null` for a model's text, and where none was to be asked. */
export const RewordedExplanation = Schema.Struct({
  ...Explanation.fields,
  engine: Schema.Literals(["embedded", "model"]),
  fallback: Schema.NullOr(RewordingMemory.Fallback)
})

/** {@link RewordedExplanation}. */
export type RewordedExplanation = typeof RewordedExplanation.Type

/** Calls at the same time. */
const AT_ONCE = 2

/** For both calls about one coin together, from when its turn has come. */
const DEADLINE = "45 seconds"

/** Between the calls about one coin, in milliseconds. */
const SPACING = 600_000

const outcomes = Metric.counter("cda_why_rewordings_total", {
  description:
    "Explanations that a language model was asked to word, by what came of it (outcome=model or the fallback)",
  incremental: true
})

const failedChecks = Metric.counter("cda_why_failed_checks_total", {
  description: "Checks that a language model's drafts failed, by check",
  incremental: true
})

/** Puts explanations into a model's words. */
export class Rewording extends Context.Service<
  Rewording,
  {
    /**
     * Returns at once where no model is configured, where there is nothing to explain, and where the answer is known; else in
     * its turn, two at a time, and after 45 seconds at the latest.
     */
    readonly reword: (input: WhyInput, explained: Explained) => Effect.Effect<RewordedExplanation>
    /** What was asked and answered lately, for the process that goes on from here. */
    readonly saved: () => typeof RewordingMemory.Saved.Type
    readonly restore: (saved: typeof RewordingMemory.Saved.Type) => void
  }
>()("crypto-data-api/services/Rewording") {
  static readonly layerNoDeps: Layer.Layer<Rewording, never, LanguageModel> = Layer.effect(
    Rewording,
    Effect.map(LanguageModel, (model) => Rewording.of(make(model)))
  )

  static readonly layer: Layer.Layer<Rewording, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(LanguageModel.layer)
  )

  static readonly layerTest = (service: Rewording["Service"]) => Layer.succeed(Rewording, service)
}

const make = (model: LanguageModel["Service"]) => {
  const turns = Semaphore.makeUnsafe(AT_ONCE)
  const memory = RewordingMemory.make(SPACING)
  let lastFallback: RewordingMemory.Fallback | null = null

  const counted = (outcome: RewordingMemory.Fallback | "model") =>
    Metric.update(Metric.withAttributes(outcomes, { outcome }), 1)

  const countFailed = (faults: ReadonlyArray<Fault>) =>
    Effect.forEach(
      faults.flatMap(({ failed }) => failed),
      ({ check }) => Metric.update(Metric.withAttributes(failedChecks, { check }), 1),
      { discard: true }
    )

  const ask = (prompt: string) =>
    Effect.map(model.complete({ system: SYSTEM, prompt, schema: Draft, name: "explanation" }), ({ value }) => value)

  const exchange = Effect.fnUntraced(function* (material: RewordingMaterial) {
    const first = yield* ask(promptOf(material))
    const judged = judge(first, material)
    if (judged.accepted !== null) return { draft: first, accepted: judged.accepted, faults: [] }
    yield* countFailed(judged.faults)
    // Without a second answer the first one is made do with.
    const last = yield* Effect.orElseSucceed(ask(repairOf(material, first, judged.faults)), () => first)
    const second = judge(last, material)
    const draft = withoutFailed(last, second.faults, material)
    const { accepted, faults } = judge(draft, material)
    return { draft, accepted, faults: [...second.faults, ...faults] }
  })

  /** The fallback, told once when it is news and quietly from then on. */
  const fall = (explanation: Explanation, fallback: RewordingMemory.Fallback, detail: string) =>
    Effect.suspend(() => {
      const news = lastFallback !== fallback
      lastFallback = fallback
      return Effect.logWithLevel(news ? "Warn" : "Debug")(`Rewording of ${explanation.id}: ${fallback}, ${detail}`)
    }).pipe(Effect.andThen(counted(fallback)), Effect.as(embedded(explanation, fallback)))

  const call = Effect.fnUntraced(function* (material: RewordingMaterial) {
    const { explanation } = material
    memory.called(explanation.id, yield* Clock.currentTimeMillis)
    const { accepted, draft, faults } = yield* exchange(material)
    if (accepted === null) {
      memory.keep(material, null, yield* Clock.currentTimeMillis)
      return yield* fall(explanation, "verification_failed", summaryOf(faults))
    }
    memory.keep(material, draft, yield* Clock.currentTimeMillis)
    lastFallback = null
    yield* counted("model")
    return worded(accepted, material)
  })

  const answered = (material: RewordingMaterial) =>
    call(material).pipe(
      Effect.catch((failure) => {
        const fallback = fallbackOf(failure)
        if (wasNotSent(failure)) memory.forgetCall(material.explanation.id)
        else memory.failed(material.explanation.id, fallback)
        return fall(material.explanation, fallback, failure.message)
      }),
      Effect.timeoutOrElse({
        duration: DEADLINE,
        orElse: () => {
          memory.failed(material.explanation.id, "timeout")
          return fall(material.explanation, "timeout", `no answer within ${DEADLINE}`)
        }
      })
    )

  /** What can be said without a call; `null` if there is nothing. */
  const known = (material: RewordingMaterial) =>
    Effect.map(Clock.currentTimeMillis, (now): RewordedExplanation | null => {
      const { explanation } = material
      const held = memory.get(material, now)
      if (held === null) return embedded(explanation, "verification_failed")
      const accepted = held === undefined ? null : judge(held, material).accepted
      if (accepted !== null) return worded(accepted, material)
      const spaced = memory.spacedOut(explanation.id, now)
      return spaced === null ? null : embedded(explanation, spaced)
    })

  const reword = Effect.fn("Rewording.reword")(function* (input: WhyInput, explained: Explained) {
    const { explanation } = explained
    if (model.provider === "off" || explanation.verdict === null) return embedded(explanation, null)
    const material = materialOf(input, explained)
    const before = yield* known(material)
    if (before !== null) return before
    // Asked again when the turn has come: another job may have called meanwhile.
    const inTurn = Effect.flatMap(known(material), (now) => (now === null ? answered(material) : Effect.succeed(now)))
    return yield* turns.withPermits(1)(inTurn)
  })

  return {
    reword: (input: WhyInput, explained: Explained) =>
      // A fault in our own judging of one text must not end the run that explains all of them.
      Effect.catchDefect(reword(input, explained), (defect) =>
        Effect.as(
          Effect.logError(`Rewording of ${explained.explanation.id} broke`, defect),
          embedded(explained.explanation, "verification_failed")
        )
      ),
    saved: memory.saved,
    restore: memory.restore
  }
}

const embedded = (explanation: Explanation, fallback: RewordingMemory.Fallback | null): RewordedExplanation => ({
  ...explanation,
  engine: "embedded",
  fallback
})

const worded = (accepted: Accepted, material: RewordingMaterial): RewordedExplanation => ({
  ...reworded(accepted, material),
  engine: "model",
  fallback: null
})

const summaryOf = (faults: ReadonlyArray<Fault>): string =>
  faults.map(({ failed, part }) => `${part}: ${[...new Set(failed.map(({ check }) => check))].join(", ")}`).join("; ")

const fallbackOf = ({ reason }: LanguageModelError): RewordingMemory.Fallback =>
  reason._tag === "TimedOut" ? "timeout" : reason._tag === "OverBudget" ? "budget" : "provider_error"

const wasNotSent = ({ reason }: LanguageModelError): boolean =>
  reason._tag === "Suspended" || reason._tag === "OverBudget"
