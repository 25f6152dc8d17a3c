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
import type { components, operations, paths } from "./api.ts"

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

const run = (...command: ReadonlyArray<string>) =>
  Effect.callback<string>((resume) => {
    execFile(execPath, command, { cwd: root }, (error, out, complaint) =>
      resume(error === null ? Effect.succeed(out) : Effect.die(new Error(`${command.join(" ")}: ${out} ${complaint}`)))
    )
  })

const generate = (document: string, types: string) =>
  run("--import", "./test/api/typescript5.ts", "node_modules/openapi-typescript/bin/cli.js", document, "-o", types)

rulesIn(RunningService.layer({ config: withoutEvidence }), { excludeTestServices: true })(
  "a client generated from the document",
  (rule) => {
    rule("compiles under strict TypeScript, and gets typed answers and problems from the service", function* () {
      const { baseUrl } = yield* RunningService
      const { text } = yield* get("/openapi.json")
      const place = yield* temporaryFolder
      const file = (name: string) => join(place, name)
      yield* Effect.sync(() => {
        symlinkSync(join(root, "node_modules"), file("node_modules"))
        writeFileSync(file("openapi.json"), text)
        writeFileSync(file("package.json"), '{ "type": "module" }')
        writeFileSync(file("tsconfig.json"), JSON.stringify(tsconfig))
        writeFileSync(file("client.ts"), client)
      })
      yield* generate(file("openapi.json"), file("api.ts"))
      yield* run("node_modules/typescript/lib/tsc.js", "-p", place)
      const said = JSON.parse(yield* run(file("client.ts"), baseUrl))
      for (const figure of ["cost", "change", "cap", "mid", "result", "left"]) assert.isNumber(said[figure], figure)
      assert.deepStrictEqual([said.code, said.tier], ["unknown_coin", "free"])
      assert.match(said.source, / \(sandbox\)$/)
    })

    rule("has the same types where it is generated from /openapi-3.0.json, which is valid", function* () {
      const place = yield* temporaryFolder
      const typesOf = Effect.fnUntraced(function* (path: string, name: string) {
        const { text } = yield* get(path)
        // A response of several problems is one schema with the members of all in 3.0, and a union in 3.1.
        const document = JSON.parse(text, (key, value) => (key === "application/problem+json" ? undefined : value))
        yield* Effect.sync(() => writeFileSync(join(place, `${name}.json`), JSON.stringify(document)))
        yield* generate(join(place, `${name}.json`), join(place, `${name}.ts`))
        const types = yield* Effect.sync(() => readFileSync(join(place, `${name}.ts`), "utf8"))
        // Without comments, and the parentheses of a union that may be null.
        return types
          .replaceAll(/\/\*\*.*?\*\//gs, "")
          .replaceAll(/\(([^()]*)\) \| null/g, "$1 | null")
          .replaceAll(/\s+/g, " ")
      })
      assert.strictEqual(yield* typesOf("/openapi-3.0.json", "old"), yield* typesOf("/openapi.json", "new"))
      const { text } = yield* get("/openapi-3.0.json")
      const validator = new Validator()
      const verdict = yield* Effect.promise(() => validator.validate(JSON.parse(text)))
      assert.deepStrictEqual([verdict.valid, validator.version], [true, "3.0"], JSON.stringify(verdict.errors))
    })
  }
)
