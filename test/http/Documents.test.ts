// The documents beside the contract's: `/llms.txt`, the pages of problems, the links to them all, and `/docs` in a browser.
import { assert, describe, it as test, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { globSync, readFileSync } from "node:fs"
import { explanations } from "../../src/api/Problems.ts"
import { friday, RunningService } from "../RunningService.ts"
import { Chromium, isInstalled } from "./Chromium.ts"

layer(RunningService.layer({ at: friday }))("documents", (it) => {
  for (const path of ["/", "/docs", "/llms.txt", "/openapi.json", "/problems", "/problems/internal", "/nope"]) {
    it.effect(`${path} says where the documents are, and they are there`, () =>
      Effect.gen(function* () {
        const { get } = yield* RunningService
        const links = [...String((yield* get(path)).headers.link).matchAll(/<([^>]+)>; rel="([^"]+)"; type="([^"]+)"/g)]
        const relations = links.map(([, , relation]) => relation)
        assert.sameMembers(relations, ["service-desc", "service-doc", "terms-of-service", "describedby", "status"])
        for (const [, target = "", , type = ""] of links) {
          const { headers, text } = yield* get(target.replace(/#.*/, ""))
          assert.isTrue(headers["content-type"]?.startsWith(type), target)
          const [, anchor] = target.split("#")
          if (anchor !== undefined) assert.include(text, `id="${anchor}"`)
        }
      })
    )
  }

  it.effect("answers under /v1 do without links to them", () =>
    Effect.gen(function* () {
      const { get } = yield* RunningService
      assert.isUndefined((yield* get("/v1/fx")).headers.link)
    })
  )

  it.effect(
    "/llms.txt begins as llmstxt.org has it, tells every endpoint and rule, and links to nothing that is not there",
    () =>
      Effect.gen(function* () {
        const { get } = yield* RunningService
        const { headers, text } = yield* get("/llms.txt")
        assert.match(headers["content-type"] ?? "", /^text\/plain; charset=utf-8/)
        assert.match(text, /^# crypto-data-api\n\n> .+\n/)
        const { paths } = JSON.parse((yield* get("/openapi.json")).text)
        for (const path of Object.keys(paths)) assert.include(text, `- [\`${path}\`](`)
        for (const words of [
          "meta.source",
          "null` is unknown",
          "not financial advice",
          "Retry-After",
          "60 times a minute"
        ]) {
          assert.include(text, words)
        }
        for (const [, target = ""] of text.matchAll(/\]\((\/[^)]*)\)/g)) {
          assert.notStrictEqual((yield* get(target)).status, 404, target)
        }
      })
  )

  it.effect("every problem has a page with what to do, and the list has them all", () =>
    Effect.gen(function* () {
      const { get } = yield* RunningService
      const list = yield* get("/problems")
      for (const code of Object.keys(explanations)) {
        assert.include(list.text, `href="/problems/${code}"`)
        const { status, text } = yield* get(`/problems/${code}`)
        assert.strictEqual(status, 200)
        assert.include(text, "What to do")
      }
    })
  )
})

describe("codes of problems", () => {
  test("those that the service writes are those that have pages", () => {
    const files = globSync("src/{api,node,http}/**/*.ts")
    const sources = files.map((file) => readFileSync(file, "utf8")).join("\n")
    const written = [
      ...sources.matchAll(/(?:problem|page)\(\s*"([a-z_]+)"/g),
      ...sources.matchAll(/(?:HPE|ERR)_\w+: "([a-z_]+)"/g),
      ...sources.matchAll(/\?\? "([a-z]+_request)"/g)
    ].map(([, code = ""]) => code)
    assert.sameMembers([...new Set(written)], Object.keys(explanations))
  })
})

layer(Layer.provideMerge(Chromium.layer, RunningService.layer()), { excludeTestServices: true })("/docs", (it) => {
  for (const colorScheme of ["light", "dark"] as const) {
    it.effect.skipIf(!isInstalled)(
      `in ${colorScheme} asks nobody else, complains of nothing, and tries an endpoint`,
      () =>
        Effect.gen(function* () {
          const { baseUrl } = yield* RunningService
          const { complaints, page, requests } = yield* (yield* Chromium).open({ colorScheme, width: 360 })
          const text = yield* Effect.promise(async () => {
            await page.goto(`${baseUrl}/docs`)
            await page.locator("#convert form button").click()
            const output = page.locator("#convert [role=status]")
            await output.getByText('"result"').waitFor()
            return output.textContent()
          })
          assert.include(text ?? "", "\n200, ")
          const wide = yield* Effect.promise(() => page.locator("html").evaluate((root) => root.scrollWidth))
          assert.strictEqual(wide, 360)
          assert.isEmpty(complaints)
          for (const address of requests)
            assert.isTrue(address.startsWith(baseUrl) || address.startsWith("data:"), address)
        })
    )
  }
})
