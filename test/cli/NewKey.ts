// Creates API keys for tests.
import { DateTime, Effect } from "effect"
import { randomInt } from "node:crypto"
import * as ApiKey from "../../src/access/ApiKey.ts"
import { ApiKeyStore } from "../../src/access/ApiKeyStore.ts"

/** Creates a key of a plan and stores its record. */
export const newKey = Effect.fnUntraced(function* (plan: "developer" | "business") {
  const store = yield* ApiKeyStore
  const key = ApiKey.fromRandom(Array.from({ length: 32 }, () => randomInt(62)))
  const created = yield* DateTime.now
  yield* store.put({ hash: ApiKey.hashOf(key), plan, label: "a test", created, expires: null, revoked: null })
  return key
})
