// What counts as a request of a key.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as ApiKey from "../../src/access/ApiKey.ts"
import { newKeyIn } from "../cli/NewKey.ts"
import { RunningService, get, until, onFriday } from "../RunningService.ts"
import { rulesIn } from "../rulesOf.ts"

rulesIn(onFriday)("the operator's count of a key", (rule) => {
  rule("has each request that its quota has, refused ones too, and none that is free or another's", function* () {
    const { dataDir } = yield* RunningService
    const file = join(dataDir, "key-usage.json")
    const key = yield* newKeyIn(dataDir)
    const asked = ["/v1/naira", "/v1/naira", "/v1/coins/no-such-coin", "/v1/coins?limit=0", "/docs", "/no-such-path"]
    let left = ""
    for (const path of asked) {
      const { headers } = yield* get(path, { headers: { "x-api-key": key } })
      left = headers["x-ratelimit-remaining"]?.toString() ?? ""
    }
    assert.strictEqual(left, String(600 - asked.length))
    yield* get("/healthz", { headers: { "x-api-key": key } })
    yield* get("/v1/naira", { method: "OPTIONS", headers: { "x-api-key": key } })
    yield* get("/v1/naira")
    yield* get("/v1/naira", { headers: { "x-api-key": ApiKey.fromRandom(Array.from({ length: 32 }, () => 1)) } })
    yield* until(Effect.sync(() => existsSync(file)))
    const text = readFileSync(file, "utf8")
    const uses = JSON.parse(text)
    assert.deepStrictEqual(Object.keys(uses), [ApiKey.hashOf(key)])
    assert.deepStrictEqual(uses[ApiKey.hashOf(key)].days, { "2026-11-20": asked.length })
    assert.notInclude(text, key)
  })

  rule("has no request beyond its quota", function* () {
    const { dataDir } = yield* RunningService
    const key = yield* newKeyIn(dataDir, "developer", { limit: 2 })
    const statuses: Array<number> = []
    for (let n = 0; n < 5; n++) statuses.push((yield* get("/v1/naira", { headers: { "x-api-key": key } })).status)
    assert.deepStrictEqual(statuses, [200, 200, 429, 429, 429])
    const daysOf = () => JSON.parse(readFileSync(join(dataDir, "key-usage.json"), "utf8"))[ApiKey.hashOf(key)]?.days
    yield* until(Effect.sync(() => daysOf() !== undefined))
    assert.deepStrictEqual(daysOf(), { "2026-11-20": 2 })
  })
})
