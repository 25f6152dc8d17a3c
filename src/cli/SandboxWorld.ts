// What `sandbox` serves: the same program over a simulated world. The upstreams are simulated on loopback, the settings point at them, and
// every source's name says so; all else is what serves live.
import { NodeHttpServer } from "@effect/platform-node"
import { Clock, ConfigProvider, Effect, Layer } from "effect"
import { createServer } from "node:http"
import { Sandbox, upstreamNames } from "../sandbox/SandboxUpstreams.ts"
import { SourceLabel } from "../sources/catalog/SourceTerms.ts"
import { layerAccess } from "../node/StateLayers.ts"
import * as Serve from "./Serve.ts"
import * as Settings from "../node/Settings.ts"

// The script begins six hours before the start, so that the last day holds a fall of the whole market, a coin that moved for a
// published reason and one that moved for none.
const layerUpstreams = Layer.unwrap(
  Effect.map(Clock.currentTimeMillis, (now) => Sandbox.layerWith({ seed: 1, script: { start: now - 6 * 3_600_000 } }))
).pipe(Layer.provide(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 })))

/** Points every source at its simulation. The simulated CoinGecko has no quota, so the plan with the widest one is in use. */
const layerSettings = Layer.unwrap(
  Effect.map(Sandbox, ({ baseUrls, newsFeeds }) =>
    ConfigProvider.layerAdd(
      ConfigProvider.fromUnknown({
        ...Object.fromEntries(upstreamNames.map((name) => [`${name}_BASE_URL`, baseUrls[name]])),
        NEWS_FEEDS: newsFeeds.join(","),
        COINGECKO_PLAN: "pro",
        COINGECKO_API_KEY: "sandbox"
      }),
      { asPrimary: true }
    )
  )
)

/** Serves until interrupted. */
export const run = Settings.check.pipe(
  Effect.andThen(Serve.run("A simulated world, no figure in it is real,", layerAccess)),
  Effect.provide(Layer.succeed(SourceLabel, (name: string) => `${name} (sandbox)`)),
  Effect.provide(layerSettings.pipe(Layer.provideMerge(layerUpstreams)))
)
