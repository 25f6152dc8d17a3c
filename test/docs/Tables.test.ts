// The tables, terms and links of the documents say what the code says. Their commands are run in `Commands.test.ts`.
import { assert, describe, it } from "@effect/vitest"
import { Config, ConfigProvider, Duration, Effect, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { existsSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { tableIn, tables as endpointTables } from "../../build/endpoints.ts"
import { Api } from "../../src/api/Api.ts"
import examples from "../../src/api/data/examples.json" with { type: "json" }
import { explanations } from "../../src/api/Problems.ts"
import { disclaimer } from "../../src/api/Terms.ts"
import { tools } from "../../src/mcp/Tools.ts"
import * as Settings from "../../src/node/Settings.ts"
import { maxAges } from "../../src/services/refresh/MaxAges.ts"
import { sourceCatalog, tables } from "../../src/sources/catalog/SourceCatalog.ts"
import { userAgent } from "../../src/sources/client/SourceSettings.ts"
import * as CoinGeckoPlan from "../../src/sources/market/CoinGeckoPlan.ts"
import { anchorsOf, blockOf, codesIn, documents, read, tableUnder } from "./Markdown.ts"
import { settingNames } from "./settingNames.ts"
import { rule } from "../rulesOf.ts"

/** The operations of `/v1` by path. */
const operations = new Map(
  Object.entries(OpenApi.fromApi(Api).paths).flatMap(([path, { get }]) =>
    path.startsWith("/v1/") ? [[path, get?.operationId ?? ""] as const] : []
  )
)

const declared = [...operations.keys()]

const settingRows = ["Settings", "Age of data", "Sources", "OpenTelemetry"].flatMap((heading) =>
  tableUnder("docs/settings.md", heading)
)

const rowOf = (name: string): ReadonlyArray<string> =>
  settingRows.find(([names = ""]) => codesIn(names).includes(name)) ?? []

const baseUrlNames = sourceCatalog.map(({ id }) => `${id}_BASE_URL`)

describe("docs/settings.md", () => {
  rule("lists every setting that is read at the start, and no other, each with its meaning", function* () {
    const listed = settingRows.flatMap(([name = ""]) => codesIn(name))
    const documented = listed.flatMap((name) => (name === "<SOURCE>_BASE_URL" ? baseUrlNames : [name]))
    assert.deepStrictEqual(documented.toSorted(), (yield* settingNames).toSorted())
    for (const row of settingRows) {
      assert.lengthOf(row, 3, row[0])
      for (const cell of row) assert.isNotEmpty(cell, row[0])
    }
  })

  it.effect("has the defaults that the service starts with", () =>
    Effect.gen(function* () {
      const { access, serving } = Settings
      const defaults = yield* Config.all({
        HOST: serving.host,
        PORT: serving.port,
        LOG_LEVEL: serving.logLevel,
        LOG_REQUESTS: serving.logRequests,
        DATA_DIR: access.dataDir,
        RATE_LIMIT_MAX_KEYS: access.maxKeys,
        COINGECKO_PLAN: CoinGeckoPlan.plan,
        USER_AGENT: userAgent
      })
      for (const [name, value] of Object.entries(defaults)) {
        assert.strictEqual(rowOf(name)[1], `\`${String(value)}\``, name)
      }
      for (const [question, read] of Object.entries(maxAges)) {
        // The setting of books is named after the first of them.
        const setting = `MAX_AGE_${question === "book" ? "NAIRA" : question.toUpperCase()}`
        const [shown = ""] = codesIn(rowOf(setting)[1] ?? "")
        const documented = yield* Schema.decodeEffect(Schema.DurationFromString)(shown)
        assert.strictEqual(Duration.toMillis(documented), Duration.toMillis(yield* read), question)
      }
    }).pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))))
  )
})

describe("docs/sources.md", () => {
  it("has the tables of the catalog (npm run sources writes them)", () => {
    for (const [name, rows] of Object.entries(tables)) {
      const table = new RegExp(`<!-- ${name}:begin -->\\n\\|.*\\n\\|.*\\n([^]*)<!-- ${name}:end -->`)
      assert.strictEqual(table.exec(read("docs/sources.md"))?.[1], rows, name)
    }
    for (const { name } of sourceCatalog) assert.isAbove(tables.questions.split(name).length, 1, name)
  })
})

describe("the lists of endpoints", () => {
  it("are those of the contract and its tools (npm run endpoints writes them)", () => {
    for (const [document, rows] of Object.entries(endpointTables)) {
      assert.strictEqual(tableIn.exec(read(document))?.[0], rows, document)
    }
  })

  it("are complete: each endpoint has an example, and is a tool or one of those that no agent needs", () => {
    const requests: Readonly<Record<string, { readonly request: string }>> = examples.operations
    assert.sameMembers(Object.keys(requests), Array.from(operations.values()))
    for (const [path, id] of operations) {
      assert.match(requests[id]?.request ?? "", new RegExp(`^GET ${path.replaceAll(/\{\w+\}/g, "[^/]+")}(\\?.*)?$`))
    }
    const unneeded = ["coins/{id}/tickers", "contract/{platform}/{address}", "fx/history", "sources", "methods"]
    assert.sameMembers([...tools.map(({ path }) => path), ...unneeded.map((path) => `/v1/${path}`)], declared)
  })
})

describe("docs/endpoints.md", () => {
  it("lists every endpoint that has CSV", () => {
    const listed = tableUnder("docs/endpoints.md", "CSV").map(([path = ""]) => codesIn(path)[0])
    const { paths } = OpenApi.fromApi(Api)
    const withCsv = declared.filter((path) => {
      const parameters = paths[path as `/${string}`]?.get?.parameters ?? []
      return parameters.some(({ name }) => name === "format")
    })
    assert.sameMembers(listed, withCsv)
  })
})

describe("docs/embedding.md", () => {
  it("lists every service of the package with its members", () => {
    const source = (path: string) => read(join("src", path))
    const services = [...source("index.ts").matchAll(/export \{([^}]*)\} from "(\.\/(?:services|history)\/[^"]+)"/g)]
      .flatMap(([, names = "", file = ""]) => {
        const text = source(file)
        return names.split(",").flatMap((name) => {
          const [, members] =
            new RegExp(`export class ${name.trim()} extends Context.Service<\\n([^]*?)\\n>\\(\\)`).exec(text) ?? []
          return members === undefined ? [] : [[name.trim(), members] as const]
        })
      })
      .map(([name, text]) => [name, ...[...text.matchAll(/^ {4}readonly (\w+):/gm)].map(([, member = ""]) => member)])
    const listed = tableUnder("docs/embedding.md", "Services").map(([name = "", members = ""]) => [
      ...codesIn(name),
      ...codesIn(members.split(":")[0] ?? "").map((member) => member.replace(/\(.*/, ""))
    ])
    const inOrder = (rows: ReadonlyArray<ReadonlyArray<string>>) => rows.map((row) => row.toSorted()).toSorted()
    assert.isAbove(services.length, 8)
    assert.deepStrictEqual(inOrder(listed), inOrder(services))
  })
})

describe("the program of docs/embedding.md", () => {
  it("is a file that is type-checked", () => {
    assert.strictEqual(`${blockOf("ts embed")}\n`, read("docs/examples/embed.ts"))
  })
})

describe("README.md, and the tables that it leads to", () => {
  it("lists every problem with its status", () => {
    const listed = tableUnder("docs/errors.md", "Codes").flatMap(([status = "", codes = ""]) =>
      codesIn(codes).map((code) => `${status} ${code}`)
    )
    const declared = Object.entries(explanations).map(([code, { status }]) => `${status} ${code}`)
    assert.deepStrictEqual(listed.toSorted(), declared.toSorted())
  })

  it("says on what terms the data is given, in the words of the contract", () => {
    assert.include(read("README.md").replaceAll("\n", " "), disclaimer)
  })

  it("is read in five minutes, and links to every other document", () => {
    assert.isAtMost(read("README.md").split(/\s+/).length, 900)
    for (const document of documents.slice(1)) assert.include(read("README.md"), `](${document})`)
  })

  it("shows the commands in the order a newcomer needs them", () => {
    const order = [
      "git clone ",
      "npm ci && npm run sandbox",
      "docker run ",
      "curl http://localhost:3000/v1/naira",
      "npm start",
      "npx node src/main.ts doctor",
      "npm test"
    ]
    const places = order.map((command) => read("README.md").indexOf(command))
    assert.deepStrictEqual(
      places,
      places.toSorted((a, b) => a - b)
    )
    assert.isTrue(places.every((place) => place > 0))
  })
})

describe("links", () => {
  for (const document of documents) {
    it(`of ${document} lead to files and headings that exist`, () => {
      for (const [, target = ""] of read(document).matchAll(/\]\(((?!https?:)[^)]+)\)/g)) {
        const [path = "", anchor] = target.split("#")
        const file = path === "" ? document : normalize(join(dirname(document), path))
        assert.isTrue(existsSync(join(import.meta.dirname, "../..", file)), target)
        if (anchor !== undefined) assert.include(anchorsOf(file), anchor, target)
      }
    })
  }
})
