// Creates API keys for tests.
import { NodeServices } from "@effect/platform-node"
import { DateTime, Effect, Layer } from "effect"
import { randomInt } from "node:crypto"
import * as ApiKey from "../../src/access/ApiKey.ts"
import { ApiKeyStore } from "../../src/access/ApiKeyStore.ts"
import * as ApiKeyFiles from "../../src/persistence/ApiKeyFiles.ts"

/** The record of a key that is in force. */
export const recordOf = (
  key: string,
  plan: ApiKey.KeyRecord["plan"] = "developer",
  more: Pick<ApiKey.KeyRecord, "limit"> = {}
): ApiKey.KeyRecord => ({
  hash: ApiKey.hashOf(key),
  plan,
  ...more,
  label: "Acme",
  created: DateTime.makeUnsafe("2026-11-20T12:00:00Z"),
  expires: null,
  revoked: null
})

/** A key that nobody has guessed. */
export const randomKey = () => ApiKey.fromRandom(Array.from({ length: 32 }, () => randomInt(62)))

/** Creates a key of a plan and stores its record. */
export const newKey = Effect.fnUntraced(function* (...how: [plan: ApiKey.KeyRecord["plan"], more?: { limit: number }]) {
  const store = yield* ApiKeyStore
  const key = randomKey()
  yield* store.put(recordOf(key, ...how))
  return key
})

/** The same in the data folder of a service. */
export const newKeyIn = (dataDir: string, plan: ApiKey.KeyRecord["plan"] = "developer", more?: { limit: number }) =>
  Effect.provide(newKey(plan, more), ApiKeyFiles.layer(`${dataDir}/keys`).pipe(Layer.provide(NodeServices.layer)))
