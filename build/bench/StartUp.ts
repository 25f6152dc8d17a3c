// From a server being started to its first answer: the service from a saved snapshot, the peers from their file.
import { Effect } from "effect"
import { PRICE } from "./Cases.ts"
import { firstAnswer, residentMiB } from "./Processes.ts"
import { type Folders, type ServerName, start } from "./Servers.ts"
import * as World from "./World.ts"

/** Milliseconds to the first answer, and MiB after it. */
export interface Started {
  readonly server: ServerName
  readonly millis: number
  readonly mib: number
}

/** Starts each of them some times, in turn. A session has to have been before: it leaves the snapshot. */
export const run = Effect.fnUntraced(function* (servers: ReadonlyArray<ServerName>, times: number, folders: Folders) {
  const env = yield* World.settings
  const results: Array<Started> = []
  for (let n = 0; n < times; n++) {
    for (const server of servers) {
      const began = performance.now()
      const started = start(server, folders, env).pipe(
        Effect.flatMap((running) =>
          Effect.map(firstAnswer(running, PRICE, began), (millis) => ({ millis, mib: residentMiB(running.pid) }))
        )
      )
      results.push({ server, ...(yield* Effect.scoped(started)) })
    }
  }
  return results
}, Effect.scoped)
