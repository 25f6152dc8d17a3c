import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { HttpBody } from "effect/http"
import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { CachedResponse } from "../../../src/http/response/CachedResponse.ts"
import { make } from "../../../src/http/response/ResponseCache.ts"
import { type Route, routeOf } from "../../../src/http/request/Routes.ts"
import { Dependencies, VersionedRef } from "../../../src/services/refresh/Dependencies.ts"

const route = routeOf("/v1/fx") as Route

const answerOf = (bytes: number, reads = new Dependencies()) =>
  new CachedResponse(route, HttpBody.text("x".repeat(bytes), "text/plain"), {}, reads, {})

describe("the cache of answers", () => {
  it("holds no more than its bound, and drops the least recently used first", () => {
    const bound = 200_000
    const answers = make(bound)
    answers.add("/hot", answerOf(100), 0)
    for (let n = 0; n < 2000; n++) {
      answers.add(`/${n}`, answerOf(100 + (n % 3000)), 0)
      assert.isAtMost(answers.size(), bound)
      assert.isDefined(answers.find("/hot", 0))
    }
    assert.isUndefined(answers.find("/0", 0))
  })

  it.prop(
    "holds no more bytes of keys than its bound, however long they are",
    { length: Schema.Int.check(Schema.isBetween({ minimum: 500, maximum: 16_384 })) },
    ({ length }) => {
      const bound = 100_000
      const answers = make(bound)
      const keys = Array.from({ length: 300 }, (_, n) => String(n).padStart(length, "k"))
      for (const key of keys) answers.add(key, answerOf(10), 0)
      const held = keys.filter((key) => answers.find(key, 0) !== undefined)
      // Two bytes a character at most.
      assert.isAtMost(held.length * 2 * length, bound)
    }
  )

  it("does not hold an answer whose snapshot was replaced meanwhile, nor one that is too large", () => {
    const answers = make(100_000)
    const origin = new VersionedRef(1)
    const reads = new Dependencies()
    reads.note(origin, 0)
    origin.replace(2)
    answers.add("/overtaken", answerOf(100, reads), 0)
    answers.add("/large", answerOf(60_000), 0)
    assert.strictEqual(answers.size(), 0)
  })

  it("does not keep a replaced snapshot in memory", async () => {
    setFlagsFromString("--expose-gc")
    const collect: unknown = runInNewContext("gc")
    assert(typeof collect === "function")
    const answers = make(100_000)
    const origin = new VersionedRef({ coins: 1 })
    const reads = new Dependencies()
    reads.note(origin, 0)
    answers.add("/", answerOf(100, reads), 0)
    const replaced = new WeakRef(origin.value)
    origin.replace({ coins: 2 })
    // A `WeakRef` holds its object until the end of the turn.
    await setImmediate()
    collect()
    assert.isUndefined(replaced.deref())
    assert.isUndefined(answers.find("/", 0))
    assert.isAbove(answers.size(), 0)
  })

  it("counts a key once, however often its answer is replaced", () => {
    const answers = make(100_000)
    for (let n = 0; n < 1000; n++) answers.add("/", answerOf(100), 0)
    assert.isAtMost(answers.size(), 2000)
  })
})

describe("an answer", () => {
  it("is compressed again after a compression that failed", async () => {
    // Bytes that Node's compressors refuse, until they can be read.
    let isBroken = true
    const bytes = new Proxy(new Uint8Array(5000), {})
    const body = HttpBody.uint8Array(new Uint8Array(5000), "text/plain")
    const answer = new CachedResponse(route, body, {}, undefined, {})
    Object.defineProperty(answer.body.identity, "content", { get: () => (isBroken ? bytes : new Uint8Array(5000)) })
    const failed = await Promise.resolve(answer.body.encoded("gzip")).then(
      () => false,
      () => true
    )
    assert.isTrue(failed)
    isBroken = false
    assert.isBelow((await answer.body.encoded("gzip")).length, 5000)
  })
})
