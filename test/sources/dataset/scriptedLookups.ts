// What several processes share, held in memory: each of them gets a `Replicas` of its own onto the same questions.
import { Clock, Duration, Effect } from "effect"
import { alone, type LeaseState, type ReplicasService } from "../../../src/sources/dataset/Replicas.ts"

/** The questions, and how they are cut off from all processes. */
export const sharedQuestions = () => {
  const answers = new Map<string, { readonly text: string; readonly until: number }>()
  const holders = new Map<string, symbol>()
  let isAway = false

  const claim: ReplicasService["claim"] = (topic, keys) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (isAway) return alone.claim(topic, keys)
      const me = Symbol()
      const name = (key: string) => `${topic}/${key}`
      const results = keys.flatMap((key) => {
        const { text = "", until = 0 } = answers.get(name(key)) ?? {}
        return until > now ? [{ key, text, left: Duration.millis(until - now) }] : []
      })
      const mine = keys.filter((key) => !results.some((held) => held.key === key) && !holders.has(name(key)))
      for (const key of mine) holders.set(name(key), me)
      const isMine = (key: string) => holders.get(name(key)) === me
      return Effect.succeed({
        results,
        mine,
        publish: (telling) =>
          Effect.zipWith(telling, Clock.currentTimeMillis, (told, now) => {
            for (const { key, left, text } of told) {
              if (isMine(key)) answers.set(name(key), { text, until: now + Duration.toMillis(left) })
            }
          }),
        release: Effect.sync(() => {
          for (const key of mine) if (isMine(key)) holders.delete(name(key))
        })
      })
    })

  return {
    answers,
    /** The process that asks now counts as dead. */
    holdersDie: () => holders.clear(),
    goAway: () => void (isAway = true),
    /** One process, whose turn it is for scheduled questions being dictated. */
    replica: (turn: () => LeaseState = () => "mine"): ReplicasService => ({
      ...alone,
      leaseState: () => Effect.sync(turn),
      claim
    })
  }
}
