// The image, as far as a machine without a container engine can test it: its steps run in a temporary folder.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs"
import { basename, join } from "node:path"
import Process from "node:process"
import * as Serving from "../cli/ServingProcess.ts"
import { temporaryFolder } from "../resources.ts"
import { rulesIn } from "../rulesOf.ts"
import { containerfile, type Stage } from "./Containerfile.ts"
import { read } from "./Markdown.ts"

const root = join(import.meta.dirname, "../..")

/** Commands of the image that are not run here, and what is done instead. */
const replaced: Readonly<Record<string, (folder: string) => void>> = {
  // CI runs it; what it installs is here already.
  "npm ci --ignore-scripts": (folder) => symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
}

/** Runs the instructions of a stage in a folder of its own; `others` are the folders of the stages before it. */
const build = (stage: Stage, image: string, others: ReadonlyMap<string, string>): string => {
  let workdir = image
  for (const instruction of stage.instructions) {
    const [name = "", ...words] = instruction.split(" ")
    const text = words.join(" ")
    if (name === "WORKDIR") {
      workdir = join(image, text)
      mkdirSync(workdir, { recursive: true })
    } else if (name === "COPY") {
      const [, from = ""] = /^--from=(\w+) /.exec(text) ?? []
      const paths = words.filter((word) => !word.startsWith("--"))
      const target = paths.at(-1) ?? ""
      for (const path of paths.slice(0, -1)) {
        const folder = target.startsWith("/") ? image : workdir
        // Of a folder with a slash at its end the content is copied.
        const isFile = target.endsWith("/") && !path.endsWith("/")
        cpSync(join(others.get(from) ?? root, path), join(folder, target, isFile ? basename(path) : ""), {
          recursive: true
        })
      }
    } else if (name === "RUN" && text in replaced) {
      replaced[text]?.(workdir)
    } else if (name === "RUN") {
      const { status, stderr } = spawnSync("sh", ["-c", text.replace(/^node /, `'${Process.execPath}' `)], {
        cwd: workdir,
        encoding: "utf8"
      })
      assert.strictEqual(status, 0, stderr)
    } else assert.include(["ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD", "LABEL"], name)
  }
  return workdir
}

const Words = Schema.fromJsonString(Schema.Array(Schema.String))

describe("deploy/Containerfile", () => {
  it("begins from the Node that the tests run on, to the patch", () => {
    const { devDependencies } = JSON.parse(read("package.json"))
    for (const { from } of containerfile.stages) assert.strictEqual(from, `node:${devDependencies.node}-trixie-slim`)
  })

  it("says what package.json says, and has a numeric user of group 0, who writes only to the volume", () => {
    const { description, license, name } = JSON.parse(read("package.json"))
    const { instructions } = containerfile.final
    for (const [label, value] of Object.entries({ title: name, description, licenses: license })) {
      assert.include(instructions, `LABEL org.opencontainers.image.${label}="${value}"`)
    }
    assert.includeMembers([...instructions], ["USER 1000:0", "VOLUME /data"])
    // On another platform than the builder's a program would run in an emulator.
    assert.isFalse(instructions.some((line) => line.startsWith("RUN ")))
  })

  it("is given what it copies, and nothing else of the folder", () => {
    const [all, ...given] = read(".dockerignore")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
    assert.strictEqual(all, "*")
    const copied = containerfile.stages
      .flatMap(({ instructions }) => instructions)
      .filter((line) => line.startsWith("COPY ") && !line.includes("--from="))
      .flatMap((line) => line.split(" ").slice(1, -1))
    assert.sameMembers(
      given,
      copied.map((path) => `!${path}`)
    )
  })
})

rulesIn(Serving.layerWorld, { excludeTestServices: true })("deploy/Containerfile", (rule) => {
  rule("makes an image whose command serves without node_modules, and which finds itself healthy", function* () {
    const folders = new Map<string, string>()
    let workdir = ""
    for (const stage of containerfile.stages) {
      const image = yield* temporaryFolder
      workdir = build(stage, image, folders)
      folders.set(stage.name, image)
    }
    assert.isFalse(existsSync(join(workdir, "node_modules")))
    assert.match(
      readFileSync(join(workdir, "dist/THIRD-PARTY-NOTICES"), "utf8"),
      /^effect 4\.\S+ \(MIT\)\n\nMIT License/m
    )
    assert.include(readFileSync(join(workdir, "dist/sbom.cdx.json"), "utf8"), '"purl": "pkg:npm/effect@4.')
    assert.strictEqual(statSync(join(folders.get("build") ?? "", "build/volume/data")).mode & 0o777, 0o770)
    const command = containerfile.final.instructions.find((line) => line.startsWith("CMD ")) ?? ""
    const words = Schema.decodeSync(Words)(command.slice(4))
    const [program, main = "", ...args] = words
    assert.deepStrictEqual([program, ...args], ["node", "serve"])
    const { port } = yield* Serving.servingFrom(join(workdir, main))

    const check = containerfile.final.instructions.find((line) => line.startsWith("HEALTHCHECK ")) ?? ""
    const [shell = "", ...options] = Schema.decodeSync(Words)(check.slice(check.indexOf("[")))
    const isHealthy = (where: number) => spawnSync(shell, options, { env: { PORT: String(where) } }).status === 0
    assert.isTrue(isHealthy(port))
    assert.isFalse(isHealthy(1))
  })
})
