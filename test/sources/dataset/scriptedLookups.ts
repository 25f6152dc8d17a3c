// What several processes share, held in memory: each of them gets a `Replicas` of its own onto the same questions.
import { Clock, Duration, Effect, Stream } from "effect"
import type { Lookups, ReplicasService, LeaseState } from "../../../src/sources/dataset/Replicas.ts"

/** The questions, and how they are cut off from all processes. */
export const sharedQuestions = () => {
  const answers = new Map<string, { readonly text: string; readonly until: number }>()
  const wanted = new Map<string, Set<string>>()
  const holders = new Map<string, symbol>()
  let isAway = false

  const lookups = (topic: string): Lookups => ({
    look: (keys) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (isAway) return undefined
        const ofTopic = wanted.get(topic) ?? new Set()
        wanted.set(topic, ofTopic)
        return new Map(
          keys.flatMap((key) => {
            const answer = answers.get(`${topic}/${key}`)
            if (answer !== undefined && answer.until > now) {
              return [[key, { text: answer.text, left: Duration.millis(answer.until - now) }] as const]
            }
            ofTopic.add(key)
            return []
          })
        )
      }),
    acquire: Effect.sync(() => {
      if (isAway || holders.has(topic)) return undefined
      const me = Symbol()
      holders.set(topic, me)
      return {
        renewed: Effect.never,
        wanted: (most) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const taken = [...(wanted.get(topic) ?? [])].slice(0, most)
            for (const key of taken) wanted.get(topic)?.delete(key)
            return taken.filter((key) => (answers.get(`${topic}/${key}`)?.until ?? 0) <= now)
          }),
        publish: (told) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            if (holders.get(topic) !== me) return
            for (const { key, millis, text } of told) answers.set(`${topic}/${key}`, { text, until: now + millis })
          }),
        release: Effect.sync(() => {
          if (holders.get(topic) === me) holders.delete(topic)
        })
      }
    })
  })

  return {
    answers,
    /** The process that asks now counts as dead. */
    holdersDie: () => holders.clear(),
    goAway: () => void (isAway = true),
    /** One process, whose turn it is for scheduled questions being dictated. */
    replica: (turn: () => LeaseState = () => "mine"): ReplicasService => ({
      leaseState: () => Effect.sync(turn),
      changes: () => Stream.never,
      budget: () => ({ take: () => Effect.succeed(0), giveBack: () => Effect.void, pause: () => Effect.void }),
      lookups
    })
  }
}
