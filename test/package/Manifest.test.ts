// What package.json says of the package, and what else says it: the version, the homepage, what is packed, the publisher.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import Process from "node:process"
import { HOMEPAGE, VERSION } from "../../src/domain/version.ts"
import { documents, read } from "../docs/Markdown.ts"
import { temporaryFolder } from "../resources.ts"
import { rule } from "../rulesOf.ts"

const root = join(import.meta.dirname, "../..")

const manifest: {
  readonly version: string
  readonly homepage: string
  readonly engines: { readonly node: string }
  readonly files: ReadonlyArray<string>
  readonly scripts: Readonly<Record<string, string>>
  readonly repository: { readonly url: string }
} = JSON.parse(read("package.json"))

/** Runs a script of `build` in a copy of what it reads and writes, after a change of the manifest. */
const inCopy = Effect.fnUntraced(function* (script: string, changes: object) {
  const copy = yield* temporaryFolder
  for (const path of [script, "CHANGELOG.md", "README.md", "docs/settings.md", "src/domain/version.ts"]) {
    cpSync(join(root, path), join(copy, path), { recursive: true })
  }
  writeFileSync(join(copy, "package.json"), JSON.stringify({ ...manifest, type: "module", ...changes }))
  const { status, stderr } = spawnSync(Process.execPath, [join(copy, script)], { encoding: "utf8" })
  return { status, stderr, text: (path: string) => readFileSync(join(copy, path), "utf8") }
})

describe("package.json", () => {
  it("has the version and the homepage of src/domain/version.ts", () => {
    assert.deepStrictEqual([VERSION, HOMEPAGE], [manifest.version, manifest.homepage])
    assert.include(read("README.md"), `git clone ${manifest.repository.url.replace("git+", "")} && cd `)
  })

  it("an older Node than engines asks for is told so in a sentence, before anything is loaded", () => {
    const least = manifest.engines.node.replace(">=", "")
    /** Starts it on a Node that says that it is of a version, and ends it with 0 where it goes on. */
    const started = (version: string) => {
      const pretend = `import Module from "node:module"
        Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })
        Module.enableCompileCache = () => process.exit(0)`
      const options = ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`]
      return spawnSync(Process.execPath, [...options, join(root, "src/main.ts")], { encoding: "utf8" })
    }
    const [major = 0, minor = 0] = least.split(".").map(Number)
    for (const older of [`${major}.${minor - 1}.9`, `${major - 2}.99.0`]) {
      const { status, stderr } = started(older)
      assert.deepStrictEqual(
        [status, stderr],
        [78, `crypto-data-api needs Node ${least} or newer, and this is Node ${older}.\n`]
      )
    }
    assert.deepInclude(started(`${least}.0`), { status: 0, stderr: "" })
  })

  rule("npm version writes the version wherever it stands, and a heading in the changelog", function* () {
    const repository = { type: "git", url: "git+https://rates.example/api.git" }
    const changes = { version: "7.8.9", homepage: "https://rates.example/home", repository }
    const { status, stderr, text } = yield* inCopy("build/release.ts", changes)
    assert.strictEqual(status, 0, stderr)
    assert.include(text("src/domain/version.ts"), 'VERSION = "7.8.9"')
    assert.include(text("src/domain/version.ts"), 'HOMEPAGE = "https://rates.example/home"')
    assert.include(text("docs/settings.md"), "crypto-data-api/7.8.9; +https://rates.example/home)")
    assert.include(text("README.md"), "git clone https://rates.example/api.git && cd crypto-data-api\n")
    assert.match(text("CHANGELOG.md"), /^## Unreleased\n\n## 7\.8\.9 - \d{4}-\d{2}-\d{2}$/m)
  })

  rule("cannot be published with placeholders of the publisher, only when they are filled in", function* () {
    const refused = yield* inCopy("build/publisher.ts", {})
    const isOpen = manifest.repository.url.includes("//publisher.example/")
    assert.strictEqual(refused.status, isOpen ? 1 : 0)
    if (isOpen) assert.include(refused.stderr, "npm pkg set repository.url=... bugs.url=...")
    const repository = { type: "git", url: "git+https://git.test/crypto-data-api.git" }
    const filled = yield* inCopy("build/publisher.ts", { repository, bugs: { url: "https://git.test/issues" } })
    assert.strictEqual(filled.status, 0, filled.stderr)
  })

  it("has no script that npm runs or warns of where the package is installed, and packs what npm start runs", () => {
    const { files, scripts } = manifest
    assert.notIncludeMembers(Object.keys(scripts), ["preinstall", "install", "postinstall", "prepare"])
    for (const name of ["prestart", "start"]) {
      const [, file = ""] = scripts[name]?.split(" ") ?? []
      assert.isTrue(
        files.some((packed) => `${file}/`.startsWith(`${packed}/`)),
        file
      )
    }
  })

  it("packs every file that its documents link to", () => {
    // npm adds the first two by itself.
    const packed = ["README.md", "LICENSE", ...manifest.files]
    for (const document of documents) {
      assert.isTrue(
        packed.some((path) => document === path || document.startsWith(`${path}/`)),
        document
      )
      for (const [, target = ""] of read(document).matchAll(/\]\(((?!https?:|#)[^)#]+)/g)) {
        const file = normalize(join(dirname(document), target))
        assert.isTrue(
          packed.some((path) => file === path || file.startsWith(`${path}/`)),
          `${document}: ${file}`
        )
      }
    }
  })
})
