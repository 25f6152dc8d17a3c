// The `mcp` command as agents start it: a real process with the protocol on its standard streams.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { memberOf } from "../faults/Answers.ts"
import * as Agent from "../mcp/Agent.ts"
import { layerWorld, settings, started } from "./ServingProcess.ts"

const ours = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))

describe("the mcp command", () => {
  it.live("answers an agent over standard input and output, logs to standard error only, and ends with its input", () =>
    Effect.gen(function* () {
      // A source that cannot be reached makes it log a warning.
      const env = { ...(yield* settings), LUNO_BASE_URL: "http://127.0.0.1:1" }
      const { child, ended, written } = yield* started(["mcp"], env)
      const errors: Array<Error> = []
      const first = once(child.stdout, "data")
      child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"ping"}\n`)
      const [pong]: ReadonlyArray<unknown> = yield* Effect.promise(() => first)
      assert.strictEqual(String(pong), `{"jsonrpc":"2.0","id":1,"result":{}}\n`)
      yield* Effect.gen(function* () {
        const client = yield* Agent.overStdio(child, errors)
        const { name, version } = client.getServerVersion() ?? {}
        assert.deepStrictEqual({ name, version }, { name: ours.name, version: ours.version })
        assert.isAbove((yield* Effect.promise(() => client.listTools())).tools.length, 6)
        const naira = yield* Agent.call(client, "naira")
        assert.isNumber(memberOf(naira.structured, ["data", "mid"]), naira.text)
        assert.strictEqual(memberOf(naira.structured, ["meta", "tier"]), "free")
        const unknown = yield* Agent.call(client, "price", { id: "btc", fiat: "usd" })
        assert.deepStrictEqual([unknown.isError, memberOf(JSON.parse(unknown.text), ["code"])], [true, "unknown_coin"])
      }).pipe(Effect.scoped)
      assert.deepStrictEqual(yield* ended, { code: 0, signal: null }, written.stderr)
      assert.isEmpty(errors)
      for (const line of written.stdout.trim().split("\n")) assert.match(line, /^\{"jsonrpc":"2\.0",/)
      assert.match(written.stderr, /Luno could not be reached/)
    }).pipe(Effect.scoped, Effect.provide(layerWorld))
  )
})
