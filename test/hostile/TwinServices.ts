// Two services over the same sources, on ports of their own: one to attack, one to compare with. Whatever is refreshed is refreshed
// for both, so that they differ only by what requests have left behind.
import { NodeHttpServer, NodeServices } from "@effect/platform-node"
import { Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import * as Http from "node:http"
import * as Paths from "../../src/http/request/Paths.ts"
import { Gate } from "../../src/http/gate/Gate.ts"
import * as Listener from "../../src/node/Listener.ts"
import { makeServer } from "../../src/node/ProtocolErrors.ts"
import { layerAccess, layerKeyStore } from "../../src/node/StateLayers.ts"
import * as Server from "../../src/Server.ts"
import { Lifecycle } from "../../src/services/Lifecycle.ts"
import { SourceLabel } from "../../src/sources/catalog/SourceRecord.ts"
import { newKey } from "../cli/NewKey.ts"
import * as SimulatedTime from "../faults/SimulatedTime.ts"
import {
  type Answer,
  exchange,
  type Init,
  RunningService,
  settings,
  simulated,
  withoutEvidence
} from "../RunningService.ts"

/** What came back, without what is another for every request: the id, the time and the caller's quota. */
export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Ask = (target: string, init?: Init) => Effect.Effect<Response>

export class TwinServices extends Context.Service<
  TwinServices,
  {
    readonly attacked: Ask
    readonly plain: Ask
    /** Keys that both accept, of both plans. */
    readonly keys: ReadonlyArray<string>
  }
>()("test/TwinServices") {
  /** Both in simulated time, which starts at this moment. */
  static readonly layer = (at: number) =>
    simulated(
      at,
      Layer.effect(
        TwinServices,
        Effect.gen(function* () {
          const attacked = yield* listening
          const plain = yield* listening
          const keys = yield* Effect.forEach(plans, (plan) => newKey(plan))
          return TwinServices.of({ attacked, plain, keys })
        })
      ).pipe(
        Layer.provide([Server.layerServices, Lifecycle.layer]),
        Layer.provide([layerAccess, layerKeyStore]),
        Layer.provide(NodeServices.layer),
        Layer.provide(Layer.succeed(SourceLabel, (name: string) => `${name} (sandbox)`)),
        Layer.provide(settings({ ...withoutEvidence, HISTORY: "on" })),
        Layer.provide(RunningService.layerWorld())
      )
    )
}

/** So many that the attacks of a test do not use up their quotas. */
const plans = Array.from({ length: 40 }, (_, n) => (n % 8 === 0 ? ("developer" as const) : ("business" as const)))

/** One of them. Built anew each time: gates and answers are constants, and layers are shared by reference. */
const listening = Effect.gen(function* () {
  const { address } = yield* Effect.map(
    Layer.build(
      Layer.fresh(
        Layer.provideMerge(
          Server.layerHttp,
          Layer.merge(
            Layer.provide(
              Layer.suspend(() => Listener.layer(makeServer(), { host: "127.0.0.1", port: 0 })),
              Gate.layerAlone
            ),
            NodeHttpServer.layerHttpServices
          )
        )
      )
    ),
    (built) => Context.get(built, HttpServer.HttpServer)
  )
  const port = "port" in address ? address.port : 0
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Http.Agent({ keepAlive: true, maxSockets: 1 })),
    (open) => Effect.sync(() => open.destroy())
  )
  const time = yield* SimulatedTime.current
  let clients = 0
  return (target: string, init: Init = {}) => {
    const headers = { "x-forwarded-for": `198.18.${(clients >> 8) & 255}.${clients++ & 255}`, ...init.headers }
    const asked = exchange(agent, port, target, { ...init, headers })
    return Effect.map(time?.serving(asked) ?? asked, (answer) => comparable(target, answer))
  }
})

const changing = /^(date|x-request-id|x-ratelimit-.*|connection|keep-alive|retry-after)$/

/** A problem repeats the request's id, and tells how old data is. In an answer of MCP it is text in JSON. */
const problemOf = (text: string): string =>
  text.replaceAll(/\\?"instance\\?":\\?"[\w-]+\\?"/g, "").replaceAll(/\d+ s\b/g, "s")

/** An answer without those. */
const comparable = (path: string, { bytes, headers, status }: Answer): Response => {
  const isProblem = status >= 400 || path === Paths.MCP
  const sent = Object.entries(headers).filter(
    ([name]) => !changing.test(name) && !(isProblem && name === "content-length")
  )
  const text = bytes.toString("latin1")
  return {
    status,
    // The seconds until the next refresh grow fewer while the service waits for a source.
    headers: Object.fromEntries(sent.map(([name, value]) => [name, String(value).replaceAll(/=\d+/g, "=s")])),
    body: isProblem ? problemOf(text) : text
  }
}
