// `node build/history/soakRecord.ts [postgres] [ROUNDS] [DAYS]` (200 rounds over 730 days unless given): see Soak.ts. Over SQLite one
// process records; with `postgres` two record into one database at once. Says what the rounds came to.
import { NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import { argv } from "node:process"
import { newDatabase, newFile } from "../../test/history/store/Databases.ts"
import { ALL_STEPS } from "../../test/history/store/simulatedYears.ts"
import { soak } from "../../test/history/store/Soak.ts"

const [rounds = 200, days = ALL_STEPS / 24] = argv
  .slice(2)
  .filter((word) => word !== "postgres")
  .map(Number)
const isShared = argv.includes("postgres")

Effect.flatMap(isShared ? newDatabase : newFile, (place) =>
  soak(place, { replicas: isShared ? 2 : 1, rounds, steps: days * 24 })
).pipe(
  Effect.timed,
  Effect.flatMap(([duration, tally]) => Effect.logInfo(String(duration), tally)),
  Effect.scoped,
  NodeRuntime.runMain
)
