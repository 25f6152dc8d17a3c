// `npm run truth -- --worlds 1000 --seed 1 --days 7`: tries the service's pure code in simulated worlds.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Clock, Console, Data, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { VERSION } from "../../src/domain/version.ts"
import { reportOf } from "./report.ts"
import { scenes } from "./scenes.ts"
import * as Tally from "./Tally.ts"
import { shrink } from "./shrink.ts"

class BrokenInvariants extends Data.TaggedError("BrokenInvariants")<{ readonly count: number }> {}

const command = Command.make(
  "truth",
  {
    worlds: Flag.Int("worlds").pipe(Flag.withDescription("How many seeds"), Flag.withDefault(100)),
    seed: Flag.Int("seed").pipe(Flag.withDescription("The first seed"), Flag.withDefault(1)),
    days: Flag.Int("days").pipe(Flag.withDescription("Simulated days of a world"), Flag.withDefault(7)),
    scene: Flag.Literals("scene", [...scenes.keys()]).pipe(Flag.withDescription("One scene alone"), Flag.optional)
  },
  Effect.fnUntraced(function* ({ days, scene, seed, worlds }) {
    const began = yield* Clock.currentTimeMillis
    const chosen = [...scenes].filter(([name]) => Option.getOrElse(scene, () => name) === name)
    const tallies = new Map(chosen.map(([name]) => [name, Tally.make()] as const))
    let count = 0
    for (let next = seed; next < seed + worlds; next++) {
      for (const [name, play] of chosen) {
        const broken = play(next, days, undefined, undefined, tallies.get(name)?.note)
        if (broken === undefined) continue
        count++
        yield* Console.log(reportOf(next, name, shrink(play, next, days, broken)).join("\n"))
      }
    }
    const minutes = ((yield* Clock.currentTimeMillis) - began) / 60_000
    yield* Console.log(
      `${worlds} worlds of ${days} days: ${count} broken invariants; ${Math.round((worlds * days) / minutes)} simulated days a minute`
    )
    for (const [name, { lines }] of tallies) yield* Console.log([name, ...lines()].join("\n"))
    if (count > 0) return yield* new BrokenInvariants({ count })
  })
).pipe(Command.withDescription("Try what is believed in simulated worlds"))

Command.run(command, { version: VERSION }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
