// The documents as they are sent: the policies of the HTML pages, `/llms.txt`, the pages of problems, the links to them, and the
// lines of the page for other programs. What people see of the pages is in `Page.test.ts`.
import { assert, describe, it as test } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { parse } from "csv-parse/sync"
import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { embedded, file } from "../../build/pages.ts"
import { explanations } from "../../src/api/Problems.ts"
import { fill } from "../../src/http/documents/Pages.ts"
import { endpoints, usesOf } from "../../src/http/page/browser/Elsewhere.ts"
import { addresses } from "./page/addresses.ts"
import { friday, RunningService, withoutEvidence, get, until } from "../RunningService.ts"
import { rulesIn } from "../rulesOf.ts"

/** How a policy allows the elements of this name in a page. */
const sourcesOf = (element: string, html: string): ReadonlyArray<string> =>
  Array.from(
    html.matchAll(new RegExp(`<${element}[^>]*>([^]*?)</${element}>`, "g")),
    ([, content = ""]) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`
  )

describe("the pages that are embedded", () => {
  test("are what `npm run pages` writes from the files in src/http", async () => {
    assert.isTrue(readFileSync(file, "utf8") === (await embedded()), "they are older than their files: npm run pages")
  })

  test("have markup for each of their slots", () => {
    assert.strictEqual(fill("<b>{{one}}</b>{{two}}", { one: "$&", two: "" }), "<b>$&</b>")
    assert.throws(() => fill("{{three}}", { one: "1" }), /three/)
  })
})

/** What each panel asks for, and what a panel may be made to ask for. */
const paths = [
  "/v1/p2p",
  "/v1/naira",
  "/v1/naira/history",
  "/v1/p2p/kes",
  "/v1/p2p/kes/history",
  "/v1/price/bitcoin/eur/history?interval=hour",
  "/v1/convert?from=bitcoin&to=NGN&amount=0.01",
  "/v1/convert?from=bitcoin&to=ngn&amount=0.02&basis=customer",
  "/v1/convert?from=EUR&to=NGN&amount=1",
  "/v1/convert?from=coin%3Abitcoin&to=fiat%3ANGN&amount=0.5",
  "/v1/coins/bitcoin",
  "/v1/why",
  "/v1/why/bitcoin",
  "/v1/global",
  "/v1/coins?limit=15&page=2"
]

/** Waits until the answer has a point, where it is a history. */
const recorded = Effect.fnUntraced(function* (path: string) {
  if (path.includes("/history")) yield* until(Effect.map(get(path), ({ text }) => text.includes(`"observed"`)))
})

const ToolResult = Schema.fromJsonString(
  Schema.Struct({ result: Schema.Struct({ content: Schema.Array(Schema.Struct({ text: Schema.String })) }) })
)

rulesIn(RunningService.layer({ at: friday, config: { ...withoutEvidence, HISTORY: "on" } }))(
  "documents",
  (rule, it) => {
    addresses(it)

    rule("link to each other, and so do the pages and a 404; answers under /v1 do not", function* () {
      const { headers } = yield* get("/")
      const links = [...String(headers.link).matchAll(/<([^>]+)>; rel="([^"]+)"; type="([^"]+)"/g)]
      const relations = links.map(([, , relation]) => relation)
      assert.sameMembers(relations, ["service-desc", "service-doc", "terms-of-service", "describedby", "status"])
      for (const [, target = "", , type = ""] of links) {
        const [path = "", anchor] = target.split("#")
        const linked = yield* get(path)
        assert.isTrue(linked.headers["content-type"]?.startsWith(type), target)
        // Scalar gives the headings of the description such names.
        if (anchor !== undefined) assert.include(linked.text, `## ${anchor.replace("description/t", "T")}`)
      }
      for (const path of ["/docs", "/llms.txt", "/openapi.json", "/problems", "/problems/internal", "/nope"]) {
        assert.strictEqual((yield* get(path)).headers.link, headers.link, path)
      }
      assert.isUndefined((yield* get("/v1/fx")).headers.link)
    })

    for (const path of ["/", "/docs", "/problems", "/problems/internal"]) {
      rule(`${path} may run its own style and script, ask its own origin, and nothing else`, function* () {
        const { headers, text } = yield* get(path)
        const isScalar = path === "/docs"
        const scripts = sourcesOf("script", text)
        assert.lengthOf(scripts, isScalar ? 2 : path === "/" ? 1 : 0)
        assert.deepStrictEqual(String(headers["content-security-policy"]).split("; "), [
          "default-src 'none'",
          "connect-src 'self'",
          "img-src data:",
          `style-src ${isScalar ? "'unsafe-inline'" : sourcesOf("style", text).join(" ")}`,
          ...(scripts.length === 0 ? [] : [`script-src ${scripts.join(" ")}`]),
          path === "/" ? "base-uri 'self'" : "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          ...(isScalar ? [] : ["require-trusted-types-for 'script'", "trusted-types 'none'"])
        ])
        assert.strictEqual(headers["referrer-policy"], "no-referrer")
        assert.notMatch(text.replaceAll(/<(style|script)[^]*?<\/\1>/g, ""), /\son\w+=|\sstyle=|\{\{|\ssrc=/)
      })
    }

    rule("/llms.txt has the form of llmstxt.org, every endpoint and rule, and links that lead somewhere", function* () {
      const { headers, text } = yield* get("/llms.txt")
      assert.match(headers["content-type"] ?? "", /^text\/plain; charset=utf-8/)
      assert.match(text, /^# crypto-data-api\n\n> .+\n/)
      const { paths } = JSON.parse((yield* get("/openapi.json")).text)
      for (const path of Object.keys(paths)) assert.include(text, `- [\`${path}\`](`)
      for (const words of ["meta.source", "null` is unknown", "not financial advice", "Retry-After", "60"]) {
        assert.include(text, words)
      }
      for (const [, target = ""] of text.matchAll(/\]\((\/[^)]*)\)/g)) {
        assert.notStrictEqual((yield* get(target)).status, 404, target)
      }
    })

    it("the page knows another use of every endpoint that a panel asks for", () => {
      const known = endpoints.filter(({ path }) => {
        const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`)
        return paths.some((one) => pattern.test(one.slice(1).replace(/\?.*/, "")))
      })
      assert.lengthOf(known, endpoints.length)
      assert.isNull(usesOf("http://localhost/", "v1/sources"))
    })

    for (const path of paths) {
      rule(
        `the page's lines for ${path}: the tool gives the same answer, formula and counterpart its figures`,
        function* () {
          const { baseUrl } = yield* RunningService
          yield* recorded(path)
          const uses = usesOf(`${baseUrl}/`, path.slice(1))
          assert.isNotNull(uses)
          const { coinGecko, formula, input, program, tool } = uses
          const { status, text } = yield* get(path)
          assert.strictEqual(status, 200, text)

          const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: input } }
          const called = yield* get("/mcp", { method: "POST", body: JSON.stringify(message) })
          const { result } = yield* Schema.decodeUnknownEffect(ToolResult)(called.text)
          const answer = JSON.parse(text)
          assert.deepStrictEqual(JSON.parse(result.content[0]?.text ?? "").data, answer.data)

          if (coinGecko !== null) {
            const counterpart = yield* get(coinGecko.replace(baseUrl, ""))
            assert.strictEqual(counterpart.status, 200, counterpart.text)
            const { active_coins, coins, mid, points, rate } = answer.data
            const newest = points?.at(-1)
            assert.include(
              counterpart.text,
              String(mid ?? rate ?? active_coins ?? newest?.close ?? newest?.mid ?? coins[0].price)
            )
          }
          // CoinGecko has no P2P rate; in its paths only the naira is one.
          assert.strictEqual(coinGecko === null, /why|EUR|customer|p2p|coins\/bitcoin/.test(path))

          const [, quoted = ""] = /"([^"]+)"/.exec(formula) ?? []
          const target = yield* get(quoted.replace(baseUrl, ""))
          assert.strictEqual(target.status, 200, target.text)
          assert.strictEqual(program, formula.includes("IMPORTDATA") ? "Google Sheets" : "Excel, Power Query")
          if (program === "Excel, Power Query") return assert.deepStrictEqual(JSON.parse(target.text).data, answer.data)

          assert.match(target.headers["content-type"] ?? "", /^text\/csv/)
          const rows: ReadonlyArray<ReadonlyArray<string>> = parse(target.text)
          const [, factor = "1", row, column] = /^=(?:([\d.]+)\*)?INDEX\(.*, (\d+), (\d+)\)$/.exec(formula) ?? []
          if (row === undefined) {
            assert.lengthOf(rows, (answer.data.points ?? answer.data.coins).length + 1)
          } else {
            const figure = Number(factor) * Number(rows[Number(row) - 1]?.[Number(column) - 1])
            const expected: number = answer.data.result ?? answer.data.mid
            assert.closeTo(figure, expected, expected * 1e-9)
          }
        }
      )
    }
  }
)

describe("codes of problems", () => {
  test("those that the service writes are those that have pages", () => {
    const files = globSync("src/{api,node,http}/**/*.ts")
    const sources = files.map((path) => readFileSync(path, "utf8")).join("\n")
    const written = [
      ...sources.matchAll(/(?:problem|refuse)\(\s*"([a-z_]+)"/g),
      ...sources.matchAll(/problem<\w+>\(\)\("\w+", "([a-z_]+)"/g),
      ...sources.matchAll(/(?:HPE|ERR)_\w+: "([a-z_]+)"/g),
      ...sources.matchAll(/\?\? "([a-z]+_request)"/g)
    ].map(([, code = ""]) => code)
    assert.sameMembers([...new Set(written)], Object.keys(explanations))
  })
})
