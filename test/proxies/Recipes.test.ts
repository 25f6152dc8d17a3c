// The recipes of docs/proxies.md: those of proxies that are installed here run before a real service, the others are read by their format.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseAllDocuments } from "yaml"
import { blocksOf } from "../docs/Markdown.ts"
import { pathOf } from "../isPresent.ts"
import { freePort, temporaryFolder } from "../resources.ts"
import { RunningService, withoutEvidence } from "../RunningService.ts"
import * as Nginx from "./Nginx.ts"

const recipes = blocksOf("docs/proxies.md")

const recipe = (language: string) => recipes.find((one) => one.language === language)?.text ?? assert.fail(language)

/** The recipe for a proxy on this port before this service. */
const placed = (language: string, port: number, baseUrl: string) =>
  recipe(language)
    .replace("listen 80;", `listen 127.0.0.1:${port};`)
    .replace("<VirtualHost *:80>", `<VirtualHost 127.0.0.1:${port}>`)
    .replace(/^rates\.example \{/m, `:${port} {`)
    .replaceAll("http://127.0.0.1:3000", baseUrl)
    .replaceAll("127.0.0.1:3000", new URL(baseUrl).host)

/** What a client sees through the proxy, whose address is trusted: its own quota, no metrics, ids with encoded characters. */
const passes = Effect.fnUntraced(function* (base: string, port: number, keepsForwarded: boolean) {
  const ask = (path: string, client: string) =>
    Effect.promise(async () => {
      const response = await fetch(`http://127.0.0.1:${port}${base}${path}`, { headers: { "x-forwarded-for": client } })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })
  const metrics = yield* ask("/metrics", "203.0.113.1")
  assert.notInclude(metrics.text, "cda_")
  assert.isFalse(metrics.headers.has("x-request-id"), "/metrics reaches the service")
  const left = (n: number) =>
    Effect.map(ask("/problems", `198.18.${port % 250}.${n}`), ({ headers }) => headers.get("x-ratelimit-remaining"))
  if (keepsForwarded) assert.deepStrictEqual([yield* left(1), yield* left(1), yield* left(2)], ["59", "58", "59"])
  // 500 addresses, the most that the service takes.
  const addresses = Array.from({ length: 500 }, (_, n) => `0x${String(n).padStart(64, "0")}`).join(",")
  const price = "/compat/coingecko/api/v3/simple/token_price/ethereum?vs_currencies=usd&contract_addresses="
  const largest = yield* ask(`${price}${addresses}`, "203.0.113.5")
  assert.isTrue(
    largest.headers.has("x-request-id"),
    `${largest.status}: the largest request does not reach the service`
  )
  const encoded = yield* ask("/v1/coins/no%2Fsuch%20coin", "203.0.113.4")
  assert.isTrue(encoded.headers.has("x-request-id"))
  assert.isAbove(encoded.status, 399)
})

layer(RunningService.layer({ config: withoutEvidence }), { excludeTestServices: true })(
  "a recipe of docs/proxies.md",
  (it) => {
    const proxied = (
      name: string,
      program: string,
      run: (baseUrl: string, port: number) => ReturnType<typeof Nginx.serving>,
      base = ""
    ) =>
      it.effect.skipIf(pathOf(program) === undefined)(name, () =>
        Effect.gen(function* () {
          const { baseUrl } = yield* RunningService
          const port = yield* freePort
          yield* run(baseUrl, port)
          // Caddy believes no header of a client: it would need a setting of its own for the tests of several.
          yield* passes(base, port, program !== "caddy")
        }).pipe(Effect.scoped)
      )

    proxied("nginx", "nginx", (baseUrl, port) => Nginx.serving(port, placed("nginx", port, baseUrl)))

    proxied(
      "nginx under a path",
      "nginx",
      (baseUrl, port) =>
        Nginx.serving(
          port,
          `server { listen 127.0.0.1:${port}; large_client_header_buffers 4 64k;\n${placed("nginx path", port, baseUrl)}\n}`
        ),
      "/crypto"
    )

    proxied("Apache", "apache2", (baseUrl, port) =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const file = join(folder, "apache.conf")
        const modules = ["mpm_event", "authz_core", "proxy", "proxy_http"].map(
          (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`
        )
        const own = [
          `ServerRoot ${folder}`,
          `PidFile ${folder}/pid`,
          `ErrorLog ${folder}/log`,
          `DefaultRuntimeDir ${folder}`
        ]
        const head = [...modules, ...own, "ServerName localhost", `Listen 127.0.0.1:${port}`]
        writeFileSync(file, [...head, placed("apache", port, baseUrl)].join("\n"))
        yield* Nginx.running(port, "apache2", "-f", file, "-DFOREGROUND")
      })
    )

    proxied("Caddy", "caddy", (baseUrl, port) =>
      Effect.gen(function* () {
        const file = join(yield* temporaryFolder, "Caddyfile")
        const options = "{\n  admin off\n}\n"
        writeFileSync(file, `${options}${placed("caddy", port, baseUrl)}`)
        yield* Nginx.running(port, "caddy", "run", "--config", file, "--adapter", "caddyfile")
      })
    )
  }
)

describe("the YAML of docs/proxies.md", () => {
  it("parses", () => {
    const read = recipes
      .filter(({ language }) => language.startsWith("yaml "))
      .flatMap(({ text }) => parseAllDocuments(text))
    assert.deepStrictEqual(
      read.flatMap(({ errors }) => errors),
      []
    )
    const kinds = read.map((document): unknown => document.toJS()["kind"])
    assert.deepStrictEqual(kinds, [undefined, "BackendConfig", undefined])
  })
})
