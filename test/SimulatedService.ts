// A service in simulated time, over a world of its own on real sockets: hours pass in milliseconds, and no time-out fires by chance.
import { Context, Effect, Layer, References } from "effect"
import type { Fault } from "../src/sandbox/Faults.ts"
import { Sandbox } from "../src/sandbox/SandboxUpstreams.ts"
import { prefixOf, type SimulatedName } from "../src/sandbox/Wires.ts"
import * as SimulatedTime from "./faults/SimulatedTime.ts"
import { RunningService, type ServiceOptions } from "./RunningService.ts"

/** A Monday at noon, UTC. */
export const monday = Date.UTC(2026, 10, 16, 12, 0, 30)

/** A service that has had time for nothing yet. */
export interface Simulated {
  readonly service: RunningService["Service"]
  readonly time: SimulatedTime.SimulatedTime
  /** Makes upstreams misbehave, or with `null` behave. */
  readonly set: (names: ReadonlyArray<SimulatedName>, fault: Fault | null) => Effect.Effect<void>
}

interface SimulatedOptions extends ServiceOptions {
  /** Default: {@link monday}. */
  readonly start?: number
  /** How upstreams misbehave before the service starts. */
  readonly fault?: readonly [names: ReadonlyArray<SimulatedName>, fault: Fault]
}

/** Runs a test on a service of its own. */
export const inTime = <A, E, R>(
  use: (simulated: Simulated) => Effect.Effect<A, E, R>,
  { fault, seed, start = monday, ...options }: SimulatedOptions = {}
) =>
  Effect.gen(function* () {
    const time = yield* SimulatedTime.make(start)
    const inside = Effect.gen(function* () {
      const sandbox = Context.get(yield* Layer.build(RunningService.layerWorld(seed)), Sandbox)
      const set: Simulated["set"] = Effect.fnUntraced(function* (names, fault) {
        const isSilent = fault?.fault === "hang" || fault?.fault === "slow"
        time.ignore(isSilent ? names.map((name) => `/${prefixOf(name)}/`) : [])
        for (const name of names) yield* sandbox.setFault(name, fault)
      })
      if (fault !== undefined) yield* set(...fault)
      const layer = RunningService.layerOver(options).pipe(Layer.provide(Layer.succeed(Sandbox, sandbox)))
      const service = Context.get(yield* Layer.build(layer), RunningService)
      return yield* use({ service, time, set })
    })
    return yield* time.live(inside)
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None"), Effect.scoped)
