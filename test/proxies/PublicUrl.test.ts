// The service under a path, behind a real nginx that strips it and one that passes it on: every address that the service emits leads
// back to it, and not to another service of the same host.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { compatApis } from "../../src/api/compat/compatApis.ts"
import { publicAddressOf } from "../../src/http/PublicUrl.ts"
import { message } from "../mcp/Agent.ts"
import { freePort } from "../resources.ts"
import { RunningService, withoutEvidence } from "../RunningService.ts"
import * as Nginx from "./Nginx.ts"
import { rulesOf } from "../rulesOf.ts"

const BASE = "/crypto"
const PUBLIC_URL = `https://rates.example${BASE}/`

/** All texts in a group of a pattern. */
const allIn = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  Array.from(text.matchAll(pattern), ([, found = ""]) => found)

interface Page {
  readonly url: string
  readonly text: string
  readonly response: Response
}

const open = (url: string, init?: RequestInit) =>
  Effect.promise(async (): Promise<Page> => {
    const response = await fetch(url, { ...init, redirect: "manual" })
    return { url, response, text: await response.text() }
  })

/** The addresses in a document, by what it is. */
const addressesIn = ({ response, text, url }: Page): ReadonlyArray<string> => {
  const links = allIn(response.headers.get("link") ?? "", /<([^>]+)>/g)
  const type = response.headers.get("content-type") ?? ""
  const inText = type.startsWith("text/html")
    ? allIn(text, /(?:href|src|action)="([^"#{][^"]*)"/g).filter((address) => !address.startsWith("data:"))
    : type.startsWith("text/plain")
      ? allIn(text, /\]\(([^)]+)\)/g)
      : type.startsWith("application/problem+json")
        ? [String(JSON.parse(text).type)]
        : []
  const [base = url] = allIn(text, /<base href="([^"]+)"/g)
  const at = type.startsWith("text/html") ? new URL(base, url).href : url
  return [...links.map((address) => new URL(address, url).href), ...inText.map((address) => new URL(address, at).href)]
}

const proxied = Effect.gen(function* () {
  const { baseUrl } = yield* RunningService
  const [stripping, passing] = [yield* freePort, yield* freePort]
  // As docs/running.md has it, with the slash at the end and without.
  const server = (port: number, target: string) => `server {
    listen 127.0.0.1:${port};
    location ${BASE}/ {
      proxy_pass ${target};
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }`
  yield* Nginx.serving(passing, [server(stripping, `${baseUrl}/`), server(passing, baseUrl)].join("\n"))
  return [stripping, passing].map((port) => `http://127.0.0.1:${port}`)
})

const documents = [
  ..."/ /naira /llms.txt /problems /problems/not_found /openapi.json".split(" "),
  ..."/v1/coins?limit=2&page=2 /v1/nothing-here /v1/coins?limit=none".split(" "),
  ...compatApis.map(({ dialect }) => dialect.document)
]

const config = { ...withoutEvidence, PLAN_FREE: "10000", PUBLIC_URL }

describe.skipIf(!Nginx.isInstalled)("under a path, behind nginx", () => {
  layer(RunningService.layer({ config }), { excludeTestServices: true })((it) => {
    const rule = rulesOf(it, Effect.void)

    rule("every address leads back to the service, whether nginx strips the path or passes it on", function* () {
      yield* Effect.repeat(
        RunningService.use(({ get }) => get("/readyz")),
        { until: ({ status }) => status === 200 }
      )
      for (const origin of yield* proxied) {
        const seen = new Set<string>()
        for (const path of documents) {
          const page = yield* open(`${origin}${BASE}${path}`)
          assert.isTrue(page.response.headers.has("x-request-id"), `${page.url} is not the service's`)
          for (const address of addressesIn(page)) if (address.startsWith(origin)) seen.add(address)
        }
        assert.isAbove(seen.size, 40)
        for (const address of seen) {
          assert.isTrue(address.startsWith(`${origin}${BASE}/`), `${address} leads out`)
          if (new URL(address).pathname.startsWith(`${BASE}/v1/`)) continue
          const { response } = yield* open(address)
          assert.include([200, 405, 503], response.status, address)
        }
      }
    })

    rule("the page's addresses and pictures are below the path", function* () {
      for (const origin of yield* proxied) {
        const { text } = yield* open(`${origin}${BASE}/p2p/kes`)
        assert.include(text, `<base href="${BASE}/" />`)
        assert.include(text, `content="https://rates.example${BASE}/preview/p2p/kes.svg"`)
        for (const [, address = ""] of text.matchAll(/ href="([^"#][^"]*)"/g)) {
          assert.isTrue(address.startsWith("data:") || address === `${BASE}/` || !address.startsWith("/"), address)
        }
      }
    })

    rule("OpenAPI documents name the path as their server, /docs too, and MCP answers there", function* () {
      for (const origin of yield* proxied) {
        for (const path of ["/openapi.json", ...compatApis.map(({ dialect }) => dialect.document)]) {
          const { externalDocs, info, servers } = JSON.parse((yield* open(`${origin}${BASE}${path}`)).text)
          assert.deepStrictEqual(
            [servers[0].url, info.termsOfService, externalDocs.url],
            [BASE, `${PUBLIC_URL}docs#description/terms`, `${PUBLIC_URL}docs`]
          )
        }
        const { text } = yield* open(`${origin}${BASE}/docs`)
        assert.include(text, `"servers":[{"url":"${BASE}"}]`)
        const body = JSON.stringify(message("tools/call", { name: "coin", arguments: { id: "no-such-coin" } }))
        const headers = { "content-type": "application/json" }
        const answer = yield* open(`${origin}${BASE}/mcp`, { method: "POST", headers, body })
        assert.include(answer.text, `${BASE}/problems/`, answer.text)
      }
    })
  })
})

describe("the path of PUBLIC_URL", () => {
  layer(RunningService.layer({ config: { ...withoutEvidence, PUBLIC_URL: "https://rates.example/v1" } }), {
    excludeTestServices: true
  })((it) => {
    it.effect("may be one that the service has itself", () =>
      RunningService.use(({ get }) =>
        Effect.gen(function* () {
          for (const path of ["/v1/sources", "/v1/v1/sources", "/v1/docs", "/v1"]) {
            assert.strictEqual((yield* get(path)).status, 200, path)
          }
          assert.strictEqual((yield* get("/v1extra/docs")).status, 404)
        })
      )
    )

    it("has no slash at its end, and none without a path", () => {
      const paths = ["https://a.example", "https://a.example/", "https://a.example/x//", "https://a.example/x/%7ey/"]
      assert.deepStrictEqual(
        paths.map((url) => publicAddressOf(new URL(url)).path),
        ["", "", "/x", "/x/~y"]
      )
    })
  })
})
