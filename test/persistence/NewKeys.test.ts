// New keys and wrong keys at two replicas that share one store, in files and in Redis.
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { ApiKeys } from "../../src/access/ApiKeys.ts"
import { ApiKeyStore } from "../../src/access/ApiKeyStore.ts"
import { isWhole } from "../isWhole.ts"
import { randomKey, recordOf } from "../cli/NewKey.ts"
import { keyStores } from "./keyStores.ts"

/** How many keys are created, and how many wrong keys are presented within 10 s. */
const [NEW, WRONG] = isWhole ? [1000, 100_000] : [20, 2000]

const address = () => "ip:192.0.2.1"

/** A replica over the store, and the number of look-ups it made there. */
const replica = Effect.fnUntraced(function* (storeLayer: Layer.Layer<ApiKeyStore>) {
  const store = Context.get(yield* Layer.build(Layer.fresh(storeLayer)), ApiKeyStore)
  let lookups = 0
  const counting = ApiKeyStore.of({
    ...store,
    find: (hash) =>
      Effect.suspend(() => {
        lookups++
        return store.find(hash)
      })
  })
  const context = yield* Layer.build(ApiKeys.layerNoDeps.pipe(Layer.provide(Layer.succeed(ApiKeyStore, counting))))
  return { authenticate: Context.get(context, ApiKeys).authenticate, lookups: () => lookups, store }
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
      }),
    600_000
  )

  it.effect.skipIf(!isPossible)(
    `${WRONG} wrong ones of one address within 10 s cost 10 look-ups`,
    () =>
      Effect.gen(function* () {
        const { authenticate, lookups } = yield* replica(yield* place)
        for (let n = 0; n < WRONG; n++) {
          if (n % (WRONG / 100) === 0) yield* TestClock.adjust("100 millis")
          const result = yield* authenticate(randomKey(), address)
          assert.deepStrictEqual(result, { _tag: "Refused", reason: "unknown" })
        }
        assert.strictEqual(lookups(), 10)
      }),
    600_000
  )
})
