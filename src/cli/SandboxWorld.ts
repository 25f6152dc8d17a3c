// What `sandbox` runs: the same service over simulated upstreams on loopback. The settings point at the simulation and
// every source's name says so; everything else is what `serve` runs. Nothing is saved: the next simulated world is a
// different one. API keys are only read, and requests count in this process alone.
import { NodeHttpServer } from "@effect/platform-node"
import { Clock, ConfigProvider, Effect, Layer } from "effect"
import { createServer } from "node:http"
import * as Serve from "../node/Serve.ts"
import * as SettingsCheck from "../node/SettingsCheck.ts"
import { layerSandbox } from "../node/StateLayers.ts"
import { Sandbox } from "../sandbox/SandboxUpstreams.ts"
import { upstreamNames } from "../sandbox/Wires.ts"
import { SourceLabel } from "../sources/catalog/SourceRecord.ts"

// The script starts six hours before the process, so that the last 24 hours contain a fall of the whole market, a coin
// that moves for a published reason and one that moves for none.
const layerUpstreams = Layer.unwrap(
  Effect.map(Clock.currentTimeMillis, (now) => Sandbox.layerWith({ seed: 1, script: { start: now - 6 * 3_600_000 } }))
).pipe(Layer.provide(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 })))

/**
 * Points every source at its simulation. The simulated CoinGecko has no quota, so the plan with the highest one is set.
 */
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

export const run = SettingsCheck.check.pipe(
  Effect.andThen(Serve.run("Serving simulated data (no figure is real)", layerSandbox, true)),
  Effect.provide(Layer.succeed(SourceLabel, (name: string) => `${name} (sandbox)`)),
  Effect.provide(layerSettings.pipe(Layer.provideMerge(layerUpstreams)))
)
