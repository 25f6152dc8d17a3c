// The `KeyValueStore` of files: its keys, their number, and removal.
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { KeyValueStore } from "effect/persistence"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileStore from "../../src/persistence/FileStore.ts"
import { temporaryFolder } from "../resources.ts"

it.effect("lists, counts and forgets what it was given, and leaves other files alone", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const context = yield* Layer.build(FileStore.layer(folder).pipe(Layer.provide(NodeServices.layer)))
    yield* Effect.gen(function* () {
      const store = yield* KeyValueStore.KeyValueStore
      yield* store.set("one", "1")
      yield* store.set("two", "2")
      writeFileSync(join(folder, "notes.txt"), "of somebody else")
      assert.sameMembers([...(yield* store.keys)], ["one", "two"])
      assert.strictEqual(yield* store.size, 2)
      yield* store.remove("one")
      assert.deepStrictEqual([yield* store.get("one"), yield* store.get("two")], [undefined, "2"])
      assert.sameMembers([...(yield* store.keys)], ["two"])
    }).pipe(Effect.provide(context))
  })
)
