// A client that a stranger's generator makes of the served document: it compiles under strict TypeScript and calls the service.
import { assert } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { execPath } from "node:process"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "../resources.ts"
import { RunningService, withoutEvidence, get } from "../RunningService.ts"
import { rulesIn } from "../rulesOf.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const tsconfig = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: "es2024",
    lib: ["es2024", "dom"],
    module: "nodenext",
    noEmit: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    types: ["node"]
  },
  include: ["client.ts"]
}

/** A program as somebody would write it; what it says of types only compiles where the document says it. */
const client = `
import createClient from "openapi-fetch"
import type { components, operations, paths } from "./openapi.ts"

const { GET } = createClient<paths, \`application/\${string}\`>({ baseUrl: process.argv[2] ?? "" })
const price = await GET("/v1/price/{id}/{fiat}", { params: { path: { id: "bitcoin", fiat: "ngn" } } })
const coins = await GET("/v1/coins", { params: { query: { limit: 2 } } })
const converted = await GET("/v1/convert", { params: { query: { from: "bitcoin", to: "NGN", amount: "0.25" } } })
const unknown = await GET("/v1/coins/{id}", { params: { path: { id: "btc" } } })
const naira = await GET("/v1/naira")

const cost: number | undefined = price.data?.data.price
const change: number | null | undefined = price.data?.data.change_24h
const cap: number | null | undefined = coins.data?.data.coins[0]?.market_cap
const mid: number | null | undefined = naira.data?.data.mid
const code: string | undefined = unknown.error?.code
const tier: components["schemas"]["Tier"] | undefined = price.data?.meta.tier
const left: number = Number(price.response.headers.get("x-ratelimit-remaining"))
export type Documented = operations["listCoins"]["responses"]["200"]["headers"]["X-RateLimit-Limit"]
const limit: Documented = 60

// @ts-expect-error A page is a number.
await GET("/v1/coins", { params: { query: { page: "x" } } })
// @ts-expect-error There is no such fiat.
await GET("/v1/price/{id}/{fiat}", { params: { path: { id: "bitcoin", fiat: "xyz" } } })

console.log(JSON.stringify({ cost, change, cap, mid, code, tier, left, limit, result: converted.data?.data.result, source: price.data?.meta.source }))
`

const run = (cwd: string, ...command: ReadonlyArray<string>) =>
  Effect.callback<string>((resume) => {
    execFile(execPath, command, { cwd }, (error, out, complaint) =>
      resume(error === null ? Effect.succeed(out) : Effect.die(new Error(`${command.join(" ")}: ${out} ${complaint}`)))
    )
  })

/** Types of each document in a folder, by a generator that runs once: it takes longer to start than to generate. */
const generated = `
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import openapi, { astToString } from "openapi-typescript"
for (const name of readdirSync(".").filter((file) => file.startsWith("openapi"))) {
  writeFileSync(name.replace(".json", ".ts"), astToString(await openapi(JSON.parse(readFileSync(name, "utf8")))))
}
`

rulesIn(RunningService.layer({ config: withoutEvidence }), { excludeTestServices: true })(
  "a client generated from the document",
  (rule) => {
    rule("compiles under strict TypeScript, gets typed answers, and is the same from /openapi-3.0.json", function* () {
      const { baseUrl } = yield* RunningService
      const [current, old] = [(yield* get("/openapi.json")).text, (yield* get("/openapi-3.0.json")).text]
      const place = yield* temporaryFolder
      const file = (name: string) => join(place, name)
      // A response of several problems is one schema with the members of all in 3.0, and a union in 3.1.
      const withoutProblems = (text: string) =>
        JSON.stringify(JSON.parse(text, (key, value) => (key === "application/problem+json" ? undefined : value)))
      yield* Effect.sync(() => {
        symlinkSync(join(root, "node_modules"), file("node_modules"))
        writeFileSync(file("openapi.json"), current)
        writeFileSync(file("openapi-new.json"), withoutProblems(current))
        writeFileSync(file("openapi-old.json"), withoutProblems(old))
        writeFileSync(file("package.json"), '{ "type": "module" }')
        writeFileSync(file("tsconfig.json"), JSON.stringify(tsconfig))
        writeFileSync(file("generate.js"), generated)
        writeFileSync(file("client.ts"), client)
      })
      yield* run(place, "--import", join(root, "test/api/typescript5.ts"), "generate.js")
      // Without comments, and the parentheses of a union that may be null.
      const [old30, new31] = ["old", "new"].map((name) =>
        readFileSync(file(`openapi-${name}.ts`), "utf8")
          .replaceAll(/\/\*\*.*?\*\//gs, "")
          .replaceAll(/\(([^()]*)\) \| null/g, "$1 | null")
          .replaceAll(/\s+/g, " ")
      )
      assert.strictEqual(old30, new31)
      const validator = new Validator()
      const verdict = yield* Effect.promise(() => validator.validate(JSON.parse(old)))
      assert.deepStrictEqual([verdict.valid, validator.version], [true, "3.0"], JSON.stringify(verdict.errors))

      yield* run(place, "node_modules/typescript/lib/tsc.js", "-p", place)
      const said = JSON.parse(yield* run(place, "client.ts", baseUrl))
      for (const figure of ["cost", "change", "cap", "mid", "result", "left"]) assert.isNumber(said[figure], figure)
      assert.deepStrictEqual([said.code, said.tier], ["unknown_coin", "free"])
      assert.match(said.source, / \(sandbox\)$/)
    })
  }
)
