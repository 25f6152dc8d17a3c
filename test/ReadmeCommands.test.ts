// Every fenced command of the README is run as it stands there, in its order: those that ask a service ask one process, the sandbox
// as the README starts it. What cannot be run here is in `elsewhere` with the reason, so that a new block is run or spoken for.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Process from "node:process"
import { Clone } from "./ReadmeClone.ts"
import { differences } from "./ReadmeShape.ts"

const root = new URL("..", import.meta.url).pathname
const read = (path: string): string => readFileSync(join(root, path), "utf8")

const blocks = [...read("README.md").matchAll(/^```(.*)\n([^]*?)\n```$/gm)].map(([, language = "", text = ""]) => ({
  language,
  text
}))

const only = (language: string): string => {
  const found = blocks.filter((block) => block.language === language)
  assert.lengthOf(found, 1, language)
  return found[0]?.text ?? ""
}

/** Without the installation: what `npm ci` brings is what the tests run on, and CI runs it. */
const sandbox = { shown: "npm ci && npm run sandbox", run: "npm run sandbox" }

/** Served until the test has asked it. */
const live = "npm start"

/** Blocks that are not run here, by their first lines, and why not. */
const elsewhere: Readonly<Record<string, string>> = {
  "useradd --system crypto-data-api": "changes the machine; its unit is verified below",
  "docker build -f Containerfile -t crypto-data-api .": "takes images from a registry; the Containerfile is read below",
  "REDIS_URL=redis://redis.internal:6379 npm start": "wants that Redis; replicas/Replicas.test.ts brings one",
  "git pull && npm ci && systemctl stop crypto-data-api && npm run build && systemctl start crypto-data-api":
    "changes the machine and the clone",
  "npm test": "one runs this test, others take minutes: the scripts are looked at below"
}

const firstLine = (text: string): string => text.split("\n")[0] ?? ""

/** What stays of a header when the moment is taken out of it. */
const timeless = (line: string): string =>
  line
    .replaceAll(/\d+/g, "0")
    .replace(/W\/".*"/, "tag")
    .trim()
    .toLowerCase()

/** An answer of the shape shown, or one that comes to it soon: what is explained is not there with the first breath. */
const eventually = <R>(answer: Effect.Effect<string, Error, R>, shown: string) =>
  answer.pipe(
    Effect.flatMap((text) => Effect.try(() => differences(JSON.parse(shown), JSON.parse(text)).join("\n"))),
    Effect.filterOrFail(
      (differing) => differing === "",
      (differing) => new Error(differing)
    ),
    Effect.retry({ schedule: Schedule.spaced("500 millis"), times: 30 })
  )

describe("what differs from what is shown", () => {
  const shown = {
    price: 1,
    at: "2026-01-01T00:00:00Z",
    list: [{ id: "a" }],
    rates: { EUR: 1, "...": "..." },
    reason: null
  }
  const answer = { ...shown, price: 2, list: [{ id: "b" }, { id: "c" }], rates: { EUR: 3, NGN: 4 }, reason: "because" }

  it("is nothing for other values, more items, members left out and what was not known", () => {
    assert.deepStrictEqual(differences(shown, answer), [])
  })

  it("is a member more, a member less, another kind, a list without such an item", () => {
    const { price: _, ...without } = answer
    const changed = [{ ...answer, more: 1 }, without, { ...answer, at: "now" }, { ...answer, list: [{ id: 1 }] }, null]
    for (const other of [...changed, { ...answer, list: [] }, { ...answer, rates: { NGN: 4 } }]) {
      assert.lengthOf(differences(shown, other), 1, JSON.stringify(other))
    }
  })
})

describe("blocks of the README that are not run as they stand", () => {
  it("are in it", () => {
    const lines = blocks.map(({ text }) => firstLine(text))
    for (const line of [...Object.keys(elsewhere), sandbox.shown, live]) assert.include(lines, line)
  })

  it("are of languages that are looked at: programs run from the package in package/, servers for agents in mcp/", () => {
    const languages = new Set(blocks.map(({ language }) => language))
    assert.deepStrictEqual([...languages].toSorted(), [
      "dockerfile",
      "http",
      "ini",
      "json",
      "sh",
      "ts client",
      "ts embed"
    ])
  })

  it("are answers beside the request that gives them, but for what agents are told of their servers", () => {
    for (const [index, { language, text }] of blocks.entries()) {
      if (language !== "json" && language !== "http") continue
      const before = blocks[index - 1]
      const isAnswer = before?.language === "sh" && /^curl .*localhost:3000[^\n]*$/.test(before.text)
      assert.isTrue(isAnswer || text.includes("mcpServers"), text)
    }
  })

  it("are scripts of the package, those of CI among them", () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read("package.json"))
    const commands = blocks.find(({ text }) => firstLine(text) === "npm test")?.text.split("\n") ?? []
    const ci = read(".ci/run").split("\n")
    for (const command of ci.filter((line) => /^npm (test|run)/.test(line))) assert.include(commands, command)
    for (const command of commands) assert.property(scripts, command.replace(/^npm (run )?/, "").split(" ")[0] ?? "")
  })

  it("are a unit that systemd understands", () => {
    const folder = mkdtempSync(join(tmpdir(), "crypto-data-api-"))
    const file = join(folder, "crypto-data-api.service")
    const unit = only("ini")
    assert.include(
      unit,
      "ExecStart=/opt/crypto-data-api/node_modules/.bin/node /opt/crypto-data-api/dist/main.js serve\n"
    )
    writeFileSync(file, unit.replaceAll("/opt/crypto-data-api/node_modules/.bin/node", Process.execPath))
    const { error, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" })
    rmSync(folder, { recursive: true })
    // Without systemd here, at least no line is anything but a section or a setting.
    if (error === undefined) assert.strictEqual(stderr, "")
    else for (const line of unit.split("\n")) assert.match(line, /^$|^\[\w+\]$|^[A-Z]\w+=\S/)
  })

  it("are a Containerfile that copies what there is, and runs what is run elsewhere", () => {
    const lines = only("dockerfile").split("\n")
    const given = (name: string) =>
      lines.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []))
    const copied = given("COPY").filter((line) => !line.startsWith("--from"))
    const sources = copied.flatMap((line) => line.split(" ").slice(0, -1))
    for (const source of sources) assert.isTrue(existsSync(join(root, source)), source)
    // What the build reads.
    assert.includeMembers(sources, [
      "package.json",
      "package-lock.json",
      "build.ts",
      "tsconfig.json",
      "tsconfig.build.json",
      "src"
    ])
    assert.deepStrictEqual(
      given("COPY").filter((line) => line.startsWith("--from")),
      ["--from=build /build/package.json ./", "--from=build /build/dist dist"]
    )
    assert.deepStrictEqual(given("RUN"), ["npm ci", "npm run build", "mkdir /data && chown node /data"])
    const ci = read(".ci/run").split("\n")
    assert.includeMembers(ci, ["npm ci", "npm run build"])
    // `dist/main.js` is what `package/Package.test.ts` starts as the package's command.
    const { bin }: { bin: Record<string, string> } = JSON.parse(read("package.json"))
    assert.deepStrictEqual(JSON.parse(given("CMD")[0] ?? ""), ["node", bin["crypto-data-api"], "serve"])
  })
})

/** What is written by commands whose answers are not shown beside them, by how they begin. */
const says: Readonly<Record<string, RegExp>> = {
  "curl --etag-save": /304\n$/,
  "KEY=": /  Acme\n[^]*"tier":"developer"[^]*Revoked [0-9a-f]{12} \(Acme\)\.\n$/,
  "curl http://localhost:3000/readyz": /"status":"pass"/,
  "npx node src/main.ts doctor": /explanations/,
  tar: /^keys\/[0-9a-f]+.*\.json$/m,
  "curl http://localhost:3000/mcp": /"result"/,
  echo: /"result":\{\}/,
  "npm run why:eval": /"verdict": "coin_specific"/
}

const expected = (text: string): RegExp => {
  const [, words] = Object.entries(says).find(([beginning]) => text.startsWith(beginning)) ?? []
  if (words === undefined) throw new Error(`nothing says what comes of: ${text}`)
  return words
}

layer(Clone.layerWith(sandbox.run), { excludeTestServices: true, timeout: "90 seconds" })(
  "the README's command",
  (it) => {
    for (const [index, { language, text }] of blocks.entries()) {
      if (language !== "sh" || text === sandbox.shown || firstLine(text) in elsewhere) continue
      const next = blocks[index + 1]
      const run = Effect.gen(function* () {
        const { address, shell, start } = yield* Clone
        if (text === live) {
          const page = yield* shell(`curl -fsS ${yield* start(live)}/`)
          return assert.include(page, "<!doctype html>")
        }
        const answer = shell(text.replaceAll("curl ", "curl -sS ").replaceAll("http://localhost:3000", address))
        if (next?.language === "http") {
          const lines = (yield* answer).split("\n").map(timeless)
          for (const line of next.text.split("\n")) assert.include(lines, timeless(line))
        } else if (next?.language === "json") yield* eventually(answer, next.text)
        else {
          const words = expected(text)
          // A refresh may come between two requests.
          const output = yield* Effect.repeat(answer, { until: (written) => words.test(written), times: 2 })
          assert.match(output, words)
        }
      })
      it.effect(firstLine(text), () => Effect.scoped(run), 60_000)
    }
  }
)
