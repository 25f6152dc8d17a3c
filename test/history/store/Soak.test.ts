// The soak of `build/history/soakRecord.ts`, which takes any number of rounds and days: a year with TESTS=all, otherwise some days.
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isWhole } from "../../isWhole.ts"
import { hasPostgres, newDatabase, newFile } from "./Databases.ts"
import { soak } from "./Soak.ts"

const [days, rounds] = isWhole ? [365, 12] : [4, 1]

describe("a record of processes that are killed", () => {
  it.live("has every observation once, and the buckets that they make", () =>
    Effect.flatMap(newFile, (file) => soak(file, { replicas: 1, rounds, steps: days * 24 }))
  )

  it.live.skipIf(!hasPostgres)("has it in PostgreSQL with two replicas that record at once", () =>
    Effect.flatMap(newDatabase, (url) => soak(url, { replicas: 2, rounds: Math.ceil(rounds / 2), steps: days * 24 }))
  )
})
