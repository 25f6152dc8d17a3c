// The package as users get it: packed, installed in an empty project, type-checked strictly, its examples run over the
// sandbox. All tests share one pack and one install. Between them the programs import every entry of the package.
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Schedule, Schema } from "effect"
import { execFile } from "node:child_process"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { join } from "node:path"
import { execPath } from "node:process"
import { rows, written } from "../../build/layers.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import * as Serving from "../cli/ServingProcess.ts"
import { temporaryFolder, freePort } from "../resources.ts"
import { rulesIn } from "../rulesOf.ts"

const root = new URL("../..", import.meta.url).pathname

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

/**
 * Runs a program to its end, with the environment of the test run or with exactly this one. Returns its standard output; fails with
 * both outputs.
 */
const run = (file: string, args: ReadonlyArray<string>, cwd: string, env?: Readonly<Record<string, string>>) =>
  Effect.callback<string, Error>((resume) => {
    const child = execFile(file, args, env === undefined ? { cwd } : { cwd, env }, (failure, stdout, stderr) =>
      resume(
        failure === null ? Effect.succeed(stdout) : Effect.fail(new Error(`${failure.message}\n${stdout}${stderr}`))
      )
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** A project with the package installed. */
class Project extends Context.Service<
  Project,
  {
    readonly folder: string
    /** Runs a file of the project over the sandbox. */
    readonly node: (file: string, env?: Readonly<Record<string, string>>) => Effect.Effect<string, Error>
  }
>()("test/Project") {
  static readonly layer = Layer.effect(
    Project,
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* run("npm", ["pack", "--pack-destination", folder], root)
      const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
      const tarball = `./crypto-data-api-${version}.tgz`
      writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }))
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig))
      for (const name of [
        "embed",
        "record",
        "client",
        "server",
        "own-source",
        "testing-layers",
        "testing-source",
        "testing-client"
      ]) {
        copyFileSync(join(root, `docs/examples/${name}.ts`), join(folder, `${name}.ts`))
      }
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
    own: Schema.String,
    endpoints: Schema.Array(Schema.String)
  })
)

rulesIn(Project.layer, { excludeTestServices: true })("the package", (rule) => {
  rule("type-checks in a strict project without skipLibCheck, in all its entries", function* () {
    const { folder } = yield* Project
    yield* run(execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "."], folder)
  })

  rule("has an embedding example that prints a naira rate and a price, and ends", function* () {
    const { node } = yield* Project
    const output = yield* node("embed.ts")
    assert.match(output, /^1 USDT sells for [\d.]+ NGN, says .*P2P.* at \d{4}-[\d-]+T[\d:.]+Z$/m)
    assert.match(output, /^1 BTC is \d{7,}[\d.]* NGN, says [A-Z][\w +.]* \+ .*P2P/m)
  })

  rule("has an example of a program for books that values an amount at the close of a day", function* () {
    const { node } = yield* Project
    const output = yield* node("record.ts")
    const [, rate = "", value = "", source = ""] =
      /^\d{4}-\d\d-\d\d: 0.25 BTC at ([\d.]+) is ([\d.]+) USD, says (.+)$/m.exec(output) ?? []
    assert.closeTo(Number(value) / Number(rate), 0.25, 1e-9, output)
    assert.notStrictEqual(source, "")
  })

  rule("has examples of tests: a service, a source and a client that are replaced", function* () {
    const { node } = yield* Project
    assert.strictEqual(yield* node("testing-layers.ts"), "we pay 1485 NGN\nclosed for 30 s\n")
    assert.strictEqual(yield* node("testing-source.ts"), "1 USD is 0.9 EUR, says My bank\n")
    assert.strictEqual(yield* node("testing-client.ts"), "do not pay: the rate is 1398.84425\n")
  })

  rule("has layers that need what docs/embedding.md lists (`npm run layers`)", function* () {
    assert.strictEqual(yield* Effect.sync(written), yield* Effect.sync(rows))
  })

  rule("has an example of a source of one's own", function* () {
    const { node } = yield* Project
    // The program is another process, with the time of the machine. A rate far from the other source would not be believed.
    const today = new Date().toISOString().slice(0, 10)
    const bank = yield* Effect.acquireRelease(
      Effect.callback<Server>((resume) => {
        const server = createServer((_request, response) => response.end(`{"rate":1370.25,"date":"${today}"}`))
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close())
    )
    const address = bank.address()
    const port = typeof address === "object" ? address?.port : undefined
    const output = yield* node("own-source.ts", { MY_BANK_URL: `http://127.0.0.1:${port}/` })
    assert.strictEqual(output, "1370.25 NGN, says My bank\n")
  })

  rule("has an example of a server whose own route and the API's share the services", function* () {
    const { folder } = yield* Project
    const port = yield* freePort
    const env = { ...(yield* Serving.settings), PORT: String(port) }
    yield* Serving.started([], env, join(folder, "server.ts"))
    const ask = (path: string) =>
      Serving.request(port, path, 1).pipe(
        Effect.filterOrFail(({ status }) => status === 200),
        Effect.retry(Schedule.spaced("100 millis")),
        Effect.timeout("30 seconds"),
        Effect.map(({ text }) => JSON.parse(text))
      )
    const { sell } = yield* ask("/quote")
    assert.isAbove(sell, 0)
    assert.isAbove((yield* ask("/v1/naira")).data.buy, 0)
  })

  rule("has a command that serves, and a client example that calls it", function* () {
    const { folder, node } = yield* Project
    const { port } = yield* Serving.servingFrom(join(folder, "node_modules/.bin/crypto-data-api"))
    const output = yield* node("client.ts", { CRYPTO_DATA_URL: `http://127.0.0.1:${port}` })
    assert.match(output, /^BTC: [\d.]+ USD, says [A-Z][\w +.]+\nEUR to EUR: 1\nPerhaps bitcoin\?\n$/)
  })

  rule("shares services between its entries: a program that mounts the routes polls each source once", function* () {
    const { node } = yield* Project
    const sandbox = yield* Sandbox
    const before = (yield* sandbox.requests).COINGECKO.length
    const { embedded, endpoints, mounted, own } = yield* Schema.decodeEffect(Hosts)(yield* node("hosts.ts"))
    assert.strictEqual(mounted.coin.data.coins[0].price, embedded.coin)
    // Computed numbers are rounded in the response.
    assert.strictEqual(mounted.mid.data.mid, Number(embedded.mid.toPrecision(12)))
    assert.strictEqual(own, "the host's own")
    assert.include(endpoints, "/v1/naira")
    const requests = (yield* sandbox.requests).COINGECKO.slice(before)
    const lists = requests.filter(({ path }) => path.includes("/coins/markets?") && path.includes("precision=full"))
    assert.lengthOf(lists, 1)
  })
})
