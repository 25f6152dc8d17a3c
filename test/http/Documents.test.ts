// The documents as they are sent: the policies of the HTML pages, `/llms.txt`, the pages of problems, and the links to them. What people
// see of the pages is in `Page.test.ts`.
import { assert, describe, it as test } from "@effect/vitest"
import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { embedded } from "../../build/pages.ts"
import { explanations } from "../../src/api/Problems.ts"
import { fill } from "../../src/http/documents/Pages.ts"
import { addresses } from "./page/addresses.ts"
import { get, sharedRecord } from "../RunningService.ts"
import { rulesIn } from "../rulesOf.ts"

/** How a policy allows the elements of this name in a page. */
const sourcesOf = (element: string, html: string): ReadonlyArray<string> =>
  Array.from(
    html.matchAll(new RegExp(`<${element}[^>]*>([^]*?)</${element}>`, "g")),
    ([, content = ""]) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`
  )

describe("the pages that are embedded", () => {
  test("are what `npm run pages` writes from the files in src/http", async () => {
    for (const [file, text] of await embedded()) {
      assert.isTrue(readFileSync(file, "utf8") === text, `${file} is older than its sources: npm run pages`)
    }
  })

  test("have markup for each of their slots", () => {
    assert.strictEqual(fill("<b>{{one}}</b>{{two}}", { one: "$&", two: "" }), "<b>$&</b>")
    assert.throws(() => fill("{{three}}", { one: "1" }), /three/)
  })
})

rulesIn(sharedRecord)("documents", (rule, it) => {
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
      // Data in a script element runs nothing.
      const scripts = sourcesOf("script", text.replace(/<script type="application\/json"[^]*?<\/script>/, ""))
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
})

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
