// What several processes share, held in memory: each of them gets a `Replicas` of its own onto the same questions.
import { Clock, Duration, Effect } from "effect"
import { alone, type LeaseState, type ReplicasService } from "../../../src/sources/dataset/Replicas.ts"

/** The questions, and how they are cut off from all processes. */
export const sharedQuestions = () => {
  const answers = new Map<string, { readonly text: string; readonly until: number }>()
  const holders = new Map<string, { readonly by: symbol; readonly until: number }>()
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
      const isClaimed = (key: string) => (holders.get(name(key))?.until ?? 0) > now
      const mine = keys.filter((key) => !results.some((held) => held.key === key) && !isClaimed(key))
      const hold = (from: number) => mine.forEach((key) => holders.set(name(key), { by: me, until: from + 6000 }))
      hold(now)
      const isMine = (key: string) => holders.get(name(key))?.by === me
      return Effect.succeed({
        results,
        mine,
        renew: Effect.map(Clock.currentTimeMillis, hold),
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
