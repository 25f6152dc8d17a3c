// Both stores of keys, each with a place of its own.
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { join } from "node:path"
import type { ApiKeyStore } from "../../src/access/ApiKeyStore.ts"
import * as ApiKeyFiles from "../../src/persistence/ApiKeyFiles.ts"
import * as ApiKeyRedis from "../../src/persistence/ApiKeyRedis.ts"
import { temporaryFolder } from "../resources.ts"
import { patientLink } from "./patientLink.ts"
import * as RedisProcess from "./RedisProcess.ts"

export const files = (data: string) => ApiKeyFiles.layer(join(data, "keys")).pipe(Layer.provide(NodeServices.layer))

export const inFiles = Effect.map(temporaryFolder, files)

export const inRedis = Effect.gen(function* () {
  const redis = yield* RedisProcess.make
  yield* TestClock.withLive(redis.start)
  return ApiKeyRedis.layer.pipe(Layer.provide(patientLink(redis.url)))
})

/** What each is called, whether this machine has it, and how it is made. */
export const keyStores: ReadonlyArray<
  readonly [string, boolean, Effect.Effect<Layer.Layer<ApiKeyStore>, never, Scope.Scope>]
> = [
  ["files", true, inFiles],
  ["Redis", RedisProcess.isInstalled, inRedis]
]
