// How `watch` delivers a crossing to a web address and to a command.
import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Crossing } from "../../src/cli/WatchCrossings.ts"
import { exec, post, type Target } from "../../src/cli/WatchDeliveries.ts"
import { temporaryFolder } from "../resources.ts"
import { liveRule, rule } from "../rulesOf.ts"

const crossing: Crossing = {
  id: "2026-11-20T12:00:00.000Z naira.mid > 1500",
  text: "naira.mid > 1500",
  condition: "naira.mid > 1500",
  figure: "naira.mid",
  value: 0.00000015,
  updated: "2026-11-20T12:00:00Z",
  source: "A"
}

/** Why a delivery failed; nothing if it succeeded. */
const faultOf = ({ deliver }: Target, one: Crossing = crossing) =>
  Effect.match(Effect.provide(deliver(one), NodeServices.layer), {
    onFailure: ({ detail }) => detail,
    onSuccess: () => undefined
  })

rule("a post is delivered by a 2xx of the address itself; nothing is sent to where it redirects", function* () {
  const bodies: Array<string> = []
  const answers = [204, 302, 307, 404, 503].map(
    (status) => new Response(null, { status, headers: { location: "http://b/" } })
  )
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    assert.strictEqual(init?.redirect, "manual")
    assert.strictEqual(new Headers(init?.headers).get("content-type"), "application/json")
    bodies.push(await new Response(init?.body).text())
    const next = answers.shift()
    if (next === undefined) throw new Error("away")
    return next
  }
  const faults = Effect.forEach(Array.from({ length: 6 }), () => faultOf(post(new URL("http://a/secret"))))
  assert.deepStrictEqual(yield* Effect.provideService(faults, FetchHttpClient.Fetch, fetch), [
    undefined,
    "was answered by http://a with 302, a redirect, which is not followed",
    "was answered by http://a with 307, a redirect, which is not followed",
    "was answered by http://a with 404",
    "was answered by http://a with 503",
    "found no answer from http://a"
  ])
  assert.include(bodies[0], '"value":0.00000015,')
  assert.deepStrictEqual(JSON.parse(bodies[0] ?? ""), crossing)
})

rule("a post that nobody answers ends after 10 seconds", function* () {
  const fiber = yield* faultOf(post(new URL("http://a/"))).pipe(
    Effect.provideService(FetchHttpClient.Fetch, () => new Promise(() => {})),
    Effect.forkChild({ startImmediately: true })
  )
  yield* TestClock.adjust("10 seconds")
  assert.strictEqual(yield* Fiber.join(fiber), "took longer than 10 seconds")
})

liveRule("a command gets the crossing in its environment and input, never as text of the shell", function* () {
  const folder = yield* temporaryFolder
  const [made, file] = [join(folder, "made"), join(folder, "file")]
  const hostile = { ...crossing, condition: `price.$(touch${"${IFS}"}${made}).usd > 1; touch ${made}` }
  const command = `cat > ${file}; echo "$WATCH_CONDITION $WATCH_VALUE" >> ${file}`
  assert.isUndefined(yield* faultOf(exec(command), hostile))
  const [json = "", variables] = readFileSync(file, "utf8").split("\n")
  assert.deepStrictEqual(JSON.parse(json), hostile)
  assert.strictEqual(variables, `${hostile.condition} 0.00000015`)
  assert.isFalse(existsSync(made))
  assert.isUndefined(yield* faultOf(exec("true"), { ...crossing, source: "x".repeat(100_000) }))
  assert.strictEqual(yield* faultOf(exec("exit 3")), "ended with the exit code 3")
})

rule("a command that takes longer than a minute is ended", function* () {
  const fiber = yield* Effect.forkChild(faultOf(exec("sleep 1000")), { startImmediately: true })
  yield* TestClock.adjust("1 minute")
  assert.strictEqual(yield* Fiber.join(fiber), "took longer than 1 minute")
})
