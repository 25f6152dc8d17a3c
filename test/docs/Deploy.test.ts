// The files in deploy/, as far as a machine without a container engine can test them: the unit is verified by systemd, and compose.yaml
// and kubernetes.yaml refer to settings, files and services that exist. The image is in Containerfile.test.ts.
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Runtime } from "effect"
import { spawnSync } from "node:child_process"
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Process from "node:process"
import { parse, parseAllDocuments } from "yaml"
import { OPTIONS, VARIABLES } from "../../src/node/engineOptions.ts"
import { StartError } from "../../src/node/StartError.ts"
import { hasPrograms } from "../isPresent.ts"
import { containerfile } from "./Containerfile.ts"
import { blocksOf, read } from "./Markdown.ts"
import { settingNames } from "./settingNames.ts"
import { temporaryFolder } from "../resources.ts"
import { rule } from "../rulesOf.ts"

const root = join(import.meta.dirname, "../..")

const unit = read("deploy/crypto-data-api.service")

describe("deploy/crypto-data-api.service", () => {
  it("starts the bundle of a clone in /opt/crypto-data-api with the Node that npm installed", () => {
    assert.match(
      unit,
      /^ExecStart=\/opt\/crypto-data-api\/node_modules\/\.bin\/node \/opt\/crypto-data-api\/dist\/main\.js serve$/m
    )
    assert.isTrue(existsSync(join(root, "node_modules/.bin/node")))
  })

  it.effect.skipIf(!hasPrograms("systemd-analyze"))("and its backup are units that systemd accepts", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      for (const name of ["", "-backup"].map((part) => `crypto-data-api${part}.service`)) {
        const text = read(`deploy/${name}`)
        writeFileSync(
          join(folder, name),
          text.replaceAll("/opt/crypto-data-api/node_modules/.bin/node", Process.execPath)
        )
      }
      cpSync(join(root, "deploy/crypto-data-api-backup.timer"), join(folder, "crypto-data-api-backup.timer"))
      const files = ["crypto-data-api.service", "crypto-data-api-backup.timer"].map((name) => join(folder, name))
      const { stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", ...files], { encoding: "utf8" })
      assert.strictEqual(stderr, "")
    })
  )
})

describe("the unit's protection", () => {
  it("keeps what the service writes to its user, and takes from it what it does not need", () => {
    for (const line of [
      "StateDirectoryMode=0700",
      "UMask=0077",
      "ProtectKernelModules=yes",
      "RestrictNamespaces=yes",
      "SystemCallFilter=@system-service"
    ]) {
      assert.include(unit.split("\n"), line)
    }
    const { error, stdout } = spawnSync(
      "systemd-analyze",
      ["security", "--offline=true", join(root, "deploy/crypto-data-api.service")],
      { encoding: "utf8" }
    )
    if (error !== undefined) return
    const [, exposure] = /Overall exposure level for .*: ([\d.]+)/.exec(stdout) ?? []
    assert.isAtMost(Number(exposure), 2, stdout)
  })

  it("does not start again what cannot start: the exit code of settings that are not valid ends it", () => {
    const error = new StartError("no")
    assert.include(unit, `\nRestartPreventExitStatus=${error[Runtime.errorExitCode]}\n`)
  })

  rule("has a script that runs commands with the unit's settings, folder and user", function* () {
    const bin = yield* temporaryFolder
    writeFileSync(join(bin, "systemd-run"), '#!/bin/sh\nprintf "%s\\n" "$@"\n')
    chmodSync(join(bin, "systemd-run"), 0o755)
    const { stdout } = spawnSync(join(root, "deploy/crypto-data-api"), ["keys", "create", "--label", "A b"], {
      env: { PATH: `${bin}:/usr/bin:/bin` },
      encoding: "utf8"
    })
    const words = stdout.trimEnd().split("\n")
    const [node = "", main = "", ...args] = words.slice(words.findIndex((word) => !word.startsWith("--")))
    assert.include(unit, `ExecStart=${node} `)
    assert.include(unit, ` ${main} serve\n`)
    assert.deepStrictEqual(args, ["keys", "create", "--label", "A b"])
    const properties = words.flatMap((word) => /^--property=(.*)/.exec(word)?.[1] ?? [])
    for (const name of ["User", "StateDirectory", "StateDirectoryMode", "UMask", "EnvironmentFile"]) {
      const property = properties.find((line) => line.startsWith(`${name}=`))
      assert.include(unit.split("\n"), property, name)
    }
    // The unit sets more variables on the same line.
    assert.isTrue(unit.includes(`${properties.find((line) => line.startsWith("Environment="))} `))
  })
})

describe("the options of the engine", () => {
  it("come from the program alone, and running.md explains each", () => {
    const options = [...OPTIONS, ...Object.entries(VARIABLES).map(([name, value]) => `${name}=${value}`)]
    assert.lengthOf(options, 5)
    for (const option of options) {
      assert.include(read("docs/running.md"), `| \`${option}\` |`)
      const [name = ""] = option.split("=")
      for (const file of ["package.json", "deploy/crypto-data-api.service", "deploy/Containerfile"]) {
        assert.notInclude(read(file), name)
      }
    }
  })
})

const compose = parse(read("deploy/compose.yaml"))

describe("deploy/compose.single.yaml", () => {
  it("is the service of compose.yaml without its databases, with a volume that the image keeps its state in", () => {
    const { services } = parse(read("deploy/compose.single.yaml"))
    assert.deepStrictEqual(Object.keys(services), ["api"])
    const { depends_on: _, environment: __, ...both } = compose.services.api
    const { environment, volumes, ...alone } = services.api
    assert.deepStrictEqual(alone, both)
    assert.deepStrictEqual([environment, volumes], [{ PORT: "3000", DATA_DIR: "/data" }, ["data:/data"]])
    assert.include(containerfile.final.instructions, "ENV DATA_DIR=/data")
  })
})

describe("deploy/backup", () => {
  rule("writes the history and the keys, and keeps the last 14 copies", function* () {
    const [dataDir, backups] = [yield* temporaryFolder, yield* temporaryFolder]
    mkdirSync(join(dataDir, "keys"))
    for (let n = 10; n < 30; n++) writeFileSync(join(backups, `history-2026-11-${n}T000000Z.sqlite`), "")
    const command = join(dataDir, "command")
    writeFileSync(command, '#!/bin/sh\n[ "$1 $2" = "history backup" ] && echo copy >"$3"\n')
    chmodSync(command, 0o755)
    const env = { PATH: Process.env["PATH"] ?? "", DATA_DIR: dataDir, BACKUPS: backups }
    const { status, stderr } = spawnSync(join(root, "deploy/backup"), [command], { env, encoding: "utf8" })
    assert.strictEqual(status, 0, stderr)
    const files = readdirSync(backups).toSorted()
    const histories = files.filter((file) => file.startsWith("history-"))
    assert.lengthOf(histories, 14)
    assert.isFalse(existsSync(join(backups, "history-2026-11-16T000000Z.sqlite")))
    assert.lengthOf(files, 15)
    assert.include(read("deploy/crypto-data-api-backup.service"), "/opt/crypto-data-api/deploy/backup ")
  })
})

interface ComposeService {
  readonly image: string
  readonly build?: object
  readonly restart: string
  readonly mem_limit: string
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly volumes?: ReadonlyArray<string>
  readonly logging: { readonly driver: string; readonly options: object }
}

describe("deploy/compose.yaml", () => {
  const { api, postgres, redis } = compose.services

  rule("sets settings that exist, to the addresses of its own services", function* () {
    const { DATABASE_URL, PORT, REDIS_URL, ...others } = api.environment
    assert.deepStrictEqual([PORT, others], ["3000", {}])
    const names = [...(yield* settingNames)]
    assert.includeMembers(names, Object.keys(api.environment))
    const slots = [...read("deploy/.env.example").matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name = ""]) => name)
    assert.includeMembers(["POSTGRES_PASSWORD", ...names], slots)
    assert.strictEqual(new URL(REDIS_URL).hostname, "redis")
    const { POSTGRES_DB, POSTGRES_PASSWORD, POSTGRES_USER } = postgres.environment
    // The password comes from the environment of the command; without it compose refuses to start.
    assert.strictEqual(POSTGRES_PASSWORD, "${POSTGRES_PASSWORD:?}")
    assert.strictEqual(DATABASE_URL, `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}`)
    assert.include(redis.command, "--appendonly")
  })

  rule("gets a password for its database by the command of running.md, and no other setting", function* () {
    const folder = yield* temporaryFolder
    cpSync(join(root, "deploy/.env.example"), join(folder, "deploy/.env.example"))
    const block = blocksOf("docs/running.md").find(({ text }) => text.startsWith("sed "))
    const [command = ""] = block?.text.split("\n") ?? []
    const { status, stderr } = spawnSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" })
    assert.strictEqual(status, 0, stderr)
    const made = readFileSync(join(folder, "deploy/.env"), "utf8")
    assert.match(made, /^POSTGRES_PASSWORD=[0-9a-f]{32}$/m)
    assert.strictEqual(made.replace(/(?<=PASSWORD=).*/, ""), read("deploy/.env.example"))
  })

  it("waits for services, mounts volumes and builds from a file that exist, within bounds of memory and log", () => {
    for (const [name, service] of Object.entries<ComposeService>(compose.services)) {
      assert.includeMembers(Object.keys(compose.services), Object.keys(service.depends_on ?? {}), name)
      for (const { condition } of Object.values(service.depends_on ?? {}))
        assert.strictEqual(condition, "service_healthy")
      // A patch release comes with the next pull, a new version with a change of this file.
      if (service.build === undefined) assert.match(service.image, /^[a-z]+:\d+\.\d+(-[a-z]+)?$/)
      for (const volume of service.volumes ?? []) assert.property(compose.volumes, volume.split(":")[0] ?? "", name)
      assert.deepStrictEqual([service.restart, service.logging.driver], ["unless-stopped", "json-file"])
      assert.match(service.mem_limit, /^\d+[mg]$/)
      assert.hasAllKeys(service.logging.options, ["max-size", "max-file"])
    }
    assert.strictEqual(
      join(root, "deploy", api.build.context, api.build.dockerfile),
      join(root, "deploy/Containerfile")
    )
  })

  it("publishes the port that the service listens on by default, and has a read-only root", () => {
    assert.isTrue(api.read_only)
    assert.deepStrictEqual(api.ports, ["127.0.0.1:${PORT:-3000}:3000"])
    assert.include(read("deploy/.env.example"), "\nPORT=3000\n")
    assert.include(containerfile.final.instructions, "EXPOSE 3000")
  })
})

describe("deploy/kubernetes.yaml", () => {
  const named = (kind: string) => {
    const documents = parseAllDocuments(read("deploy/kubernetes.yaml"))
    const found = documents.map((document) => document.toJS()).find((object) => object.kind === kind)
    return found ?? assert.fail(`no ${kind}`)
  }
  const { spec } = named("Deployment")
  const pod = spec.template.spec
  const [container] = pod.containers

  it("runs as the image's user on a read-only root, with a volume at the image's folder", () => {
    assert.include(containerfile.final.instructions, `USER ${pod.securityContext.runAsUser}:0`)
    assert.isTrue(pod.securityContext.runAsNonRoot && container.securityContext.readOnlyRootFilesystem)
    assert.deepStrictEqual(container.volumeMounts, [{ name: "data", mountPath: "/data" }])
    assert.strictEqual(pod.volumes[0].persistentVolumeClaim.claimName, named("PersistentVolumeClaim").metadata.name)
    assert.deepStrictEqual(spec.selector.matchLabels, spec.template.metadata.labels)
    assert.deepStrictEqual(named("Service").spec.selector, spec.template.metadata.labels)
  })

  rule("has probes and settings that exist, and ends after the requests under way", function* () {
    const env = Object.fromEntries(
      container.env.map(({ name, value }: { name: string; value: string }) => [name, value])
    )
    assert.includeMembers([...(yield* settingNames)], Object.keys(env))
    const ports = container.ports.map(({ containerPort }: { containerPort: number }) => String(containerPort))
    assert.deepStrictEqual(ports, [env.PORT, env.METRICS_PORT])
    const { livenessProbe, readinessProbe, startupProbe } = container
    const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)
    assert.deepStrictEqual(paths, ["/healthz", "/healthz", "/readyz"])
    const delay = Duration.toSeconds(Duration.fromInputUnsafe(env.SHUTDOWN_DELAY))
    assert.isAtLeast(pod.terminationGracePeriodSeconds, delay + 10 + 5)
  })

  it("becomes three replicas without a volume of one of them by a patch of what it has", () => {
    const patch = parse(read("deploy/kubernetes.replicas.yaml")).spec
    assert.deepStrictEqual([patch.replicas, patch.strategy.type], [3, "RollingUpdate"])
    assert.deepStrictEqual(
      patch.template.spec.volumes.map(({ name }: { name: string }) => name),
      pod.volumes.map(({ name }: { name: string }) => name)
    )
    assert.strictEqual(spec.strategy.type, "Recreate")
  })
})

describe(".github/workflows/release.yml", () => {
  const { jobs, on } = parse(read(".github/workflows/release.yml"))

  it("publishes only what was tested, built and tried, and no placeholders", () => {
    assert.deepStrictEqual(on.push.tags, ["v*"])
    const { publish, ...before } = jobs
    assert.deepStrictEqual(publish.needs, Object.keys(before))
    assert.strictEqual(publish.if, "startsWith(github.ref, 'refs/tags/v')")
    const steps = publish.steps.map(({ run }: { run?: string }) => run ?? "")
    const first = (words: string) => steps.findIndex((step: string) => step.includes(words))
    assert.isBelow(first("build/publisher.ts"), first(" --push "))
    assert.isBelow(first(" --push "), first("npm@11 publish"))
  })

  it("has commands that a shell reads, of the Node that the tests run on", () => {
    const { devDependencies } = JSON.parse(read("package.json"))
    for (const [name, { container, steps }] of Object.entries<{ container?: string; steps: Array<{ run?: string }> }>(
      jobs
    )) {
      if (container !== undefined) assert.strictEqual(container, `node:${devDependencies.node}-trixie`)
      for (const { run = "" } of steps) {
        const { stderr } = spawnSync("bash", ["-n", "-c", run.replaceAll(/\$\{\{.*?\}\}/g, "x")], { encoding: "utf8" })
        assert.strictEqual(stderr, "", name)
      }
    }
  })
})
