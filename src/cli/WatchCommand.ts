// `watch`: polls a server and delivers each crossing of a condition, until it is told to stop.
import { Array, Duration, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { access } from "../node/Settings.ts"
import { StartError } from "../node/StartError.ts"
import { json, layerErrorLog, readBy } from "./CommandOutput.ts"
import { server as untilStopped } from "./untilStopped.ts"
import { conditionOf } from "./WatchConditions.ts"

/** More conditions than people write, few enough for one URL. */
const MOST_CONDITIONS = 50

const Every = Schema.DurationFromString.check(
  Schema.makeFilter((every: Duration.Duration) => Duration.toSeconds(every) >= 1 && Duration.toDays(every) <= 1)
)

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

export const watch = Command.make(
  "watch",
  {
    conditions: Argument.String("condition").pipe(
      Argument.withDescription(
        "Such as 'naira.mid > 1500', 'p2p.KES.premium < 2', 'price.bitcoin.usd moved 5% 1h' (or rose, fell)"
      ),
      Argument.variadic({ min: 1, max: MOST_CONDITIONS })
    ),
    url: Flag.String("url").pipe(Flag.withDescription("The server to ask, such as http://localhost:3000")),
    keyFile: text("key-file", "A file with the API key for that server"),
    post: text("post", "A web address that is sent the JSON of each crossing; a private one is allowed"),
    exec: text(
      "exec",
      "A command that is run for each crossing, with WATCH_VALUE and others in its environment and the JSON as its input"
    ),
    state: text("state", "The file of what was seen and is not delivered yet; default: watch.json in DATA_DIR"),
    every: Flag.String("every").pipe(
      readBy("every", Every, "a duration from 1 second to 1 day, such as 30 seconds or 5 minutes"),
      Flag.withDescription("The least time between two polls"),
      Flag.withDefault(Duration.seconds(30))
    ),
    json
  },
  Effect.fnUntraced(function* ({ conditions, every, exec, json, keyFile, post, state, url }) {
    const [read, faults] = Array.partition(conditions, conditionOf)
    if (faults.length > 0) return yield* new StartError(faults.join("\n"))
    const [{ serverAt, webAddress }, deliveries, { watch }] = yield* Effect.promise(() =>
      Promise.all([import("./AskedServer.ts"), import("./WatchDeliveries.ts"), import("./Watch.ts")])
    )
    const hook = Option.isSome(post) ? [deliveries.post(yield* webAddress("post", post.value))] : []
    return yield* untilStopped(
      watch({
        server: yield* serverAt(url, keyFile),
        conditions: Array.dedupeWith(read, (one, other) => one.text === other.text),
        every: Duration.toMillis(every),
        file: Option.isSome(state) ? state.value : `${yield* access.dataDir}/watch.json`,
        targets: [deliveries.print(json), ...hook, ...Option.toArray(exec).map(deliveries.exec)]
      })
    )
  })
).pipe(
  Command.withDescription(
    "Tell when figures of a server cross levels or move. Exit code: 0 it was stopped, 78 a condition or the server is wrong"
  ),
  Command.provide(layerErrorLog("Info"))
)
