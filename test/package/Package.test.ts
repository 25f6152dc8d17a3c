// The package as others get it: packed, installed in an empty project, its declarations checked strictly, its examples run over a
// sandbox world. One pack and one install for all.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { execFile } from "node:child_process"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { execPath } from "node:process"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import * as Serving from "../cli/ServingProcess.ts"
import { blockOf } from "../docs/Markdown.ts"

const root = new URL("../..", import.meta.url).pathname

/** Every entry, so that all declarations there are get checked. */
const surface = `
import * as Library from "crypto-data-api"
import * as Api from "crypto-data-api/api"
import * as Client from "crypto-data-api/client"
import * as Server from "crypto-data-api/server"
console.log(JSON.stringify([Library, Api, Client, Server].map((entry) => Object.keys(entry).length > 0)))
`

const tsconfig = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    module: "nodenext",
    target: "es2024",
    lib: ["es2024", "DOM", "DOM.Iterable"],
    types: ["node"],
    noEmit: true
  },
  include: ["*.ts"]
}

/** Runs a program to its end; what it wrote, or a failure with what it wrote. */
const run = (file: string, args: ReadonlyArray<string>, cwd: string, env: Readonly<Record<string, string>> = {}) =>
  Effect.callback<string, Error>((resume) => {
    // oxlint-disable-next-line no-restricted-globals -- npm needs the environment of whoever runs the tests
    const child = execFile(file, args, { cwd, env: { ...process.env, ...env } }, (failure, stdout, stderr) =>
      resume(
        failure === null ? Effect.succeed(stdout) : Effect.fail(new Error(`${failure.message}\n${stdout}${stderr}`))
      )
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** The project the package is installed in. */
class Project extends Context.Service<
  Project,
  {
    readonly folder: string
    /** Runs one of its files over the sandbox. */
    readonly node: (file: string, env?: Readonly<Record<string, string>>) => Effect.Effect<string, Error>
  }
>()("test/Project") {
  static readonly layer = Layer.effect(
    Project,
    Effect.gen(function* () {
      const folder = yield* Serving.folder
      yield* run("npm", ["pack", "--pack-destination", folder], root)
      const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
      const tarball = `./crypto-data-api-${version}.tgz`
      writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }))
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig))
      writeFileSync(join(folder, "embed.ts"), blockOf("ts embed"))
      writeFileSync(join(folder, "client.ts"), blockOf("ts client"))
      writeFileSync(join(folder, "surface.ts"), surface)
      copyFileSync(new URL("hosts.ts", import.meta.url), join(folder, "hosts.ts"))
      const quietly = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"]
      yield* run("npm", ["install", ...quietly, tarball, "effect@4.1.0"], folder)
      const settings = yield* Serving.settings
      return Project.of({ folder, node: (file, env) => run(execPath, [file], folder, { ...settings, ...env }) })
    })
  ).pipe(Layer.provideMerge(Serving.layerWorld))
}

const Hosts = Schema.fromJsonString(
  Schema.Struct({
    embedded: Schema.Struct({ coin: Schema.Finite, mid: Schema.Finite }),
    mounted: Schema.Struct({
      coin: Schema.fromJsonString(
        Schema.Struct({ data: Schema.Struct({ coins: Schema.Tuple([Schema.Struct({ price: Schema.Finite })]) }) })
      ),
      mid: Schema.fromJsonString(Schema.Struct({ data: Schema.Struct({ mid: Schema.Finite }) }))
    }),
    own: Schema.String
  })
)

layer(Project.layer, { excludeTestServices: true, timeout: "120 seconds" })("the package", (it) => {
  it.effect("has declarations that a strict project takes without skipLibCheck, in all its entries", () =>
    Effect.gen(function* () {
      const { folder, node } = yield* Project
      yield* run(execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "."], folder)
      assert.strictEqual(yield* node("surface.ts"), "[true,true,true,true]\n")
    })
  )

  it.effect("has an embedding example that prints a naira rate and a price, and ends by itself", () =>
    Effect.gen(function* () {
      const { node } = yield* Project
      const output = yield* node("embed.ts")
      assert.match(output, /^1 USDT sells for [\d.]+ NGN, says Bybit P2P.* at \d{4}-[\d-]+T[\d:.]+Z$/m)
      assert.match(output, /^1 BTC is \d{7,}[\d.]* NGN, says CoinGecko \+ Bybit P2P/m)
    })
  )

  it.effect("has a command that serves, and a client example that asks it", () =>
    Effect.gen(function* () {
      const { folder, node } = yield* Project
      const { port } = yield* Serving.servingFrom(join(folder, "node_modules/.bin/crypto-data-api"))
      const output = yield* node("client.ts", { CRYPTO_DATA_URL: `http://127.0.0.1:${port}` })
      assert.match(output, /^BTC: [\d.]+ USD, says CoinGecko\nEUR to EUR: 1\nPerhaps bitcoin\?\n$/)
    })
  )

  it.effect("asks each source once for a program that embeds services and mounts the routes too", () =>
    Effect.gen(function* () {
      const { node } = yield* Project
      const sandbox = yield* Sandbox
      const before = (yield* sandbox.requests).COINGECKO.length
      const { embedded, mounted, own } = yield* Schema.decodeEffect(Hosts)(yield* node("hosts.ts"))
      assert.strictEqual(mounted.coin.data.coins[0].price, embedded.coin)
      // What is derived is rounded at the edge.
      assert.strictEqual(mounted.mid.data.mid, Number(embedded.mid.toPrecision(12)))
      assert.strictEqual(own, "the host's own")
      const asked = (yield* sandbox.requests).COINGECKO.slice(before)
      const lists = asked.filter(({ path }) => path.includes("/coins/markets?") && path.includes("precision=full"))
      assert.lengthOf(lists, 1)
    })
  )
})
