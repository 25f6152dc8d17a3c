// Creates API keys for tests.
import { NodeServices } from "@effect/platform-node"
import { DateTime, Effect, Layer } from "effect"
import { randomInt } from "node:crypto"
import * as ApiKey from "../../src/access/ApiKey.ts"
import { ApiKeyStore } from "../../src/access/ApiKeyStore.ts"
import * as ApiKeyFiles from "../../src/persistence/ApiKeyFiles.ts"

/** Creates a key of a plan and stores its record. */
export const newKey = Effect.fnUntraced(function* (plan: "developer" | "business") {
  const store = yield* ApiKeyStore
  const key = ApiKey.fromRandom(Array.from({ length: 32 }, () => randomInt(62)))
  const created = yield* DateTime.now
  yield* store.put({ hash: ApiKey.hashOf(key), plan, label: "a test", created, expires: null, revoked: null })
  return key
})

/** The same in the data folder of a service. */
export const newKeyIn = (dataDir: string, plan: "developer" | "business" = "developer") =>
  Effect.provide(newKey(plan), ApiKeyFiles.layer(`${dataDir}/keys`).pipe(Layer.provide(NodeServices.layer)))
