// A share of the soak of `soakRecord.ts`, which takes 200 rounds over two years.
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isWhole } from "../../isWhole.ts"
import { hasPostgres, newDatabase, newFile } from "./Databases.ts"
import { soak } from "./Soak.ts"

describe("a record of processes that are killed", () => {
  it.live("has every observation once, and buckets of exactly what was observed in them", () =>
    Effect.flatMap(newFile, (file) =>
      soak(file, isWhole ? { replicas: 1, rounds: 10, steps: 60 * 24 } : { replicas: 1, rounds: 1, steps: 30 })
    )
  )

  it.live.skipIf(!hasPostgres)("has it in PostgreSQL with two replicas that record at once", () =>
    Effect.flatMap(newDatabase, (url) =>
      soak(url, isWhole ? { replicas: 2, rounds: 5, steps: 20 * 24 } : { replicas: 2, rounds: 1, steps: 8 })
    )
  )
})
