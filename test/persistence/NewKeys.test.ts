// New keys at two replicas that share one store, in files and in Redis.
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { ApiKeys } from "../../src/access/ApiKeys.ts"
import { ApiKeyStore } from "../../src/access/ApiKeyStore.ts"
import { isWhole } from "../isWhole.ts"
import { randomKey, recordOf } from "../cli/NewKey.ts"
import { keyStores } from "./keyStores.ts"

/** How many keys are created. */
const NEW = isWhole ? 1000 : 20

const address = () => "ip:192.0.2.1"

/** A replica over the store. */
const replica = Effect.fnUntraced(function* (layer: Layer.Layer<ApiKeyStore>) {
  const context = yield* Layer.build(ApiKeys.layerNoDeps.pipe(Layer.provideMerge(Layer.fresh(layer))))
  return { authenticate: Context.get(context, ApiKeys).authenticate, store: Context.get(context, ApiKeyStore) }
})

describe.each(keyStores)("keys in %s", (_name, isPossible, place) => {
  it.effect.skipIf(!isPossible)(
    `${NEW} created in a row are each accepted by the first request to either replica`,
    () =>
      Effect.gen(function* () {
        const layer = yield* place
        const [one, two] = yield* Effect.all([replica(layer), replica(layer)])
        for (let n = 0; n < NEW; n++) {
          const key = randomKey()
          yield* one.store.put(recordOf(key))
          assert.strictEqual((yield* one.authenticate(key, address))._tag, "Valid", `key ${n}`)
          assert.strictEqual((yield* two.authenticate(key, address))._tag, "Valid", `key ${n} at the other replica`)
        }
      })
  )
})
