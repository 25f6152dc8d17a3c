// What the README tells those who connect agents: its table is the list of tools, its commands and settings are what runs.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import { tools } from "../../src/mcp/Tools.ts"
import { memberOf } from "../faults/Answers.ts"
import { friday, RunningService } from "../RunningService.ts"
import { post } from "./Agent.ts"

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8")
const section = /\n## For agents\n([^]*?)\n## /.exec(readme)?.[1] ?? ""

const fences = (language: string) =>
  [...section.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, "g"))].map(([, inside = ""]) => inside)

const Servers = Schema.fromJsonString(
  Schema.Struct({ mcpServers: Schema.Struct({ "crypto-data": Schema.Record(Schema.String, Schema.Unknown) }) })
)

describe("the README, for agents", () => {
  it("lists every tool with its endpoint and title", () => {
    const rows = tools.map(({ name, path, title }) => `| \`${name}\` | \`${path}\` | ${title} |`)
    assert.include(section, `| tool | endpoint | |\n|---|---|---|\n${rows.join("\n")}\n\n`)
  })

  it.effect("says where a service has them, and how a client starts one", () =>
    Effect.gen(function* () {
      const servers = yield* Effect.forEach(fences("json"), (json) => Schema.decodeUnknownEffect(Servers)(json))
      const [running, started] = servers.map(({ mcpServers }) => mcpServers["crypto-data"])
      assert.deepStrictEqual(running, { type: "http", url: "http://localhost:3000/mcp" })
      assert.deepStrictEqual(started?.["args"], ["/path/to/crypto-data-api/src/main.ts", "mcp"])
      assert.strictEqual(started?.["command"], "/path/to/crypto-data-api/node_modules/.bin/node")
      // What it answers to this is tested with the command.
      assert.strictEqual(
        fences("sh")[1],
        `echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | npx node src/main.ts mcp\n`
      )
    })
  )
})

layer(RunningService.layer({ at: friday }))("the README, for agents", (it) => {
  it.effect("has a command that shows what an agent sees", () =>
    Effect.gen(function* () {
      const [, body = ""] = /^curl http:\/\/localhost:3000\/mcp -d '(.*)'\n$/.exec(fences("sh")[0] ?? "") ?? []
      const { status, text } = yield* post(body, { "content-type": "application/x-www-form-urlencoded" })
      const shown = memberOf(JSON.parse(text), ["result", "content", 0, "text"])
      assert.strictEqual(status, 200)
      assert.isNumber(memberOf(JSON.parse(String(shown)), ["data", "mid"]))
    })
  )
})
