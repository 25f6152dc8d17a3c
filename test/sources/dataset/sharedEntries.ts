// What several processes share, held in memory: each of them gets a `Replicas` of its own onto the same entries.
import { Clock, Duration, Effect } from "effect"
import {
  alone,
  CLAIMED_FOR,
  HEAD_START,
  type Look,
  type ReplicasService
} from "../../../src/sources/dataset/Replicas.ts"

interface Entry {
  readonly text?: string | undefined
  readonly version?: string
  readonly at?: number
  readonly due?: number
  readonly by?: symbol | undefined
  readonly until?: number
  readonly expires: number
}

const claim = Duration.toMillis(CLAIMED_FOR)

/** The entries, and how they are cut off from all processes. */
export const sharedEntries = () => {
  const entries = new Map<string, Entry>()
  let isAway = false
  let writes = 0

  const replica = (): ReplicasService => {
    const me = Symbol()
    const entryOf = (key: string, now: number): Entry => {
      const entry = entries.get(key)
      return entry !== undefined && entry.expires > now ? entry : { expires: -Infinity }
    }
    const put = (key: string, entry: Entry) => void entries.set(key, entry)
    return {
      ...alone,
      look: (asked) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          asked.map(({ isRenewal, key, version, wants }): Look => {
            if (isAway) return { version, text: undefined, turn: "unknown", dueIn: Duration.zero }
            const entry = entryOf(key, now)
            const { at = 0, by, until = 0 } = entry
            const due = at > now ? 0 : (entry.due ?? 0)
            let isMine = by === me && until > now
            const isFree =
              until <= now &&
              (by === me ||
                by === undefined ||
                (isRenewal !== true && (until > 0 || due + Duration.toMillis(HEAD_START) <= now)))
            if (wants && due <= now && (isMine || isFree)) {
              isMine = true
              put(key, { ...entry, by: me, until: now + claim, expires: Math.max(entry.expires, now + claim) })
            }
            return {
              text: entry.version === version ? undefined : entry.text,
              version: entry.version ?? "",
              turn: isMine ? "mine" : "other",
              dueIn: Duration.millis(Math.max(0, due - now))
            }
          })
        ),
      settle: (settled) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          settled.map(({ dueIn, keptFor, key, text }) => {
            const entry = entryOf(key, now)
            const { by, until = 0 } = entry
            if (isAway || !(by === me || by === undefined || (dueIn === undefined && until <= now))) return ""
            const version = text === undefined ? "" : `v${++writes}`
            put(key, {
              ...entry,
              ...(text !== undefined && { text, version }),
              ...(dueIn && {
                at: now,
                due: now + Duration.toMillis(dueIn),
                by: text === undefined ? undefined : me,
                until: 0
              }),
              expires: now + Duration.toMillis(keptFor)
            })
            return version
          })
        )
    }
  }

  return {
    entries,
    /** Those that have a turn now count as dead. */
    holdersDie: () => entries.forEach((entry, key) => entries.set(key, { ...entry, by: undefined, until: 0 })),
    goAway: (away = true) => void (isAway = away),
    /** One process. */
    replica
  }
}
