// A share of the soak of `soakRecord.ts`, which takes 200 rounds over two years; two months with TESTS=all.
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isWhole } from "../../isWhole.ts"
import { hasPostgres, newDatabase, newFile } from "./Databases.ts"
import { soak } from "./Soak.ts"

describe("a record of processes that are killed", () => {
  it.live("has every observation once, and as each day's close the latest observation that anyone made of it", () =>
    Effect.flatMap(newFile, (file) =>
      soak(file, isWhole ? { replicas: 1, rounds: 10, steps: 60 * 24 } : { replicas: 1, rounds: 2, steps: 4 * 24 })
    )
  )

  it.live.skipIf(!hasPostgres)("has it in PostgreSQL with two replicas that record at once", () =>
    Effect.flatMap(newDatabase, (url) =>
      soak(url, isWhole ? { replicas: 2, rounds: 5, steps: 20 * 24 } : { replicas: 2, rounds: 1, steps: 30 })
    )
  )
})
