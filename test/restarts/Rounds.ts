// Rounds of a service that is killed at a random moment: under load, while keys are made by other processes and what is held is
// being refreshed. After each, every file must be whole and every key that was handed out must be there; the next start serves.
import { Effect, Random, Ref, Schedule, type Scope } from "effect"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { folder, request, servingWith, settings as worldSettings, started } from "../cli/ServingProcess.ts"
import { allFine, askAll, untilFine } from "../replicas/Endpoints.ts"
import type { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"

/** What all rounds came to. `strays`: the most temporary files that were ever left at once. */
export interface Tally {
  readonly rounds: number
  readonly answers: number
  readonly keys: number
  readonly killedCommands: number
  readonly snapshotWrites: number
  /** Rounds that ended after some of the refreshes were saved and before others were. */
  readonly killedInTheMiddle: number
  readonly strays: number
  readonly slowestStart: number
}

const entries = (directory: string): ReadonlyArray<string> => (existsSync(directory) ? readdirSync(directory) : [])

/** Sets the times of every snapshot back by two hours, so that the next start has everything to refresh. */
const age = (snapshots: string) => {
  for (const name of entries(snapshots).filter((name) => !name.startsWith("."))) {
    const saved: Record<string, unknown> = JSON.parse(readFileSync(join(snapshots, name), "utf8"))
    const earlier = (key: string) => new Date(Date.parse(String(saved[key])) - 7_200_000).toISOString()
    const times = { observedAt: earlier("observedAt"), retrievedAt: earlier("retrievedAt") }
    writeFileSync(join(snapshots, name), JSON.stringify({ ...saved, ...times }))
  }
}

/** Dies of the first thing that is not as it must be. */
export const run = (rounds: number): Effect.Effect<Tally, unknown, Sandbox | Scope.Scope> =>
  Effect.gen(function* () {
    const data = yield* folder
    const snapshots = join(data, "snapshots")
    const keysFolder = join(data, "keys")
    const ages = ["COINS", "GLOBAL", "NAIRA", "OFFICIAL", "FX"].map((name) => [`MAX_AGE_${name}`, "3650 days"])
    const upstreams = yield* worldSettings
    const settings = { DATA_DIR: data, LOG_FORMAT: "json", ...Object.fromEntries(ages) }
    const handedOut: Array<string> = []
    const answers = yield* Ref.make(0)
    let killedCommands = 0
    let snapshotWrites = 0
    let killedInTheMiddle = 0
    let strays = 0
    let slowestStart = 0

    const fail = (text: string) => Effect.die(new Error(text))

    const check = Effect.gen(function* () {
      let left = 0
      for (const directory of [snapshots, keysFolder]) {
        for (const name of entries(directory)) {
          if (name.startsWith(".")) left++
          else if (!name.endsWith(".json")) yield* fail(`a file of unknown kind: ${name}`)
          else JSON.parse(readFileSync(join(directory, name), "utf8"))
        }
      }
      strays = Math.max(strays, left)
      const recorded = new Set(entries(keysFolder))
      for (const key of handedOut) {
        const name = `${createHash("sha256").update(key).digest("hex")}.json`
        if (!recorded.has(name)) yield* fail("a key that was handed out is lost")
      }
    })

    /** A key made by another process, which is killed too every other time. */
    const makeKey = (round: number) =>
      Effect.gen(function* () {
        const args = ["keys", "create", "--plan", "developer", "--label", `round ${round}`]
        const { child, ended, written } = yield* started(args, { DATA_DIR: data })
        if (round % 2 === 0) {
          yield* Effect.sleep(yield* Random.nextIntBetween(300, 2500))
          child.kill("SIGKILL")
        }
        const { code } = yield* ended
        const key = written.stdout.trim()
        if (code !== 0) killedCommands++
        // What was printed counts, whatever became of the process.
        if (/^cda_\w{38}$/.test(key)) handedOut.push(key)
        else if (code === 0) yield* fail(`no key was printed: ${written.stderr}`)
      })

    const load = (port: number, number: number) =>
      Effect.forever(
        Effect.flatMap(request(port, "/v1/coins?limit=20", number), ({ status }) =>
          typeof status === "number" && status >= 500
            ? fail(`a ${status} under load`)
            : Effect.andThen(
                Ref.update(answers, (count) => count + (status === 200 ? 1 : 0)),
                Effect.sleep(status === 200 ? 15 : 100)
              )
        )
      )

    /** Starts it, sees it serve, and kills it at some moment under load. */
    const serving = Effect.fnUntraced(function* (number: number) {
      const from = performance.now()
      const { child, ended, port, written } = yield* servingWith(settings)
      slowestStart = Math.max(slowestStart, performance.now() - from)
      if (number === 0) yield* untilFine(port)
      else {
        const { statuses } = yield* askAll(port)
        if (JSON.stringify(statuses) !== JSON.stringify(allFine)) yield* fail(JSON.stringify(statuses))
      }
      yield* Effect.forkScoped(
        Effect.all(
          Array.from({ length: 4 }, () => load(port, number)),
          { concurrency: 4 }
        )
      )
      yield* Effect.sleep(number === 0 ? 500 : yield* Random.nextIntBetween(0, 700))
      child.kill("SIGKILL")
      yield* ended
      const complaints = written.stdout.split("\n").filter((line) => /"level":"(WARN|ERROR|FATAL)/i.test(line))
      if (complaints.length > 0) yield* fail(complaints.join("\n"))
    }, Effect.scoped)

    /** Starts it, and kills it while it starts or writes what it has refreshed first. */
    const starting = Effect.gen(function* () {
      // Nobody asks it anything: any port will do, and a clash is seen below.
      const port = String(yield* Random.nextIntBetween(20_000, 32_000))
      const environment = { ...upstreams, ...settings, HOST: "127.0.0.1", PORT: port }
      const { child, ended, written } = yield* started(["serve"], environment)
      const writes = Effect.sync(() => changes().length > 0)
      // Half of them as soon as the first file is there: the others are being written.
      if (yield* Random.nextBoolean) {
        yield* Effect.repeat(writes, { until: (has) => has, schedule: Schedule.spaced("5 millis") }).pipe(
          Effect.timeoutOrElse({
            duration: "30 seconds",
            orElse: () => fail(`nothing was saved: ${written.stdout}${written.stderr}`)
          })
        )
        yield* Effect.sleep(yield* Random.nextIntBetween(0, 40))
      } else yield* Effect.sleep(yield* Random.nextIntBetween(200, 1800))
      child.kill("SIGKILL")
      yield* ended
      if (written.stderr !== "") yield* fail(written.stderr)
    }).pipe(Effect.scoped)

    let aged = new Map<string, string>()
    const changes = () =>
      entries(snapshots).filter(
        (name) => !name.startsWith(".") && aged.get(name) !== readFileSync(join(snapshots, name), "utf8")
      )

    const round = Effect.fnUntraced(function* (number: number) {
      age(snapshots)
      aged = new Map(
        entries(snapshots)
          .filter((name) => !name.startsWith("."))
          .map((name) => [name, readFileSync(join(snapshots, name), "utf8")])
      )
      yield* number % 2 === 0 ? serving(number) : starting
      const written = changes().length
      snapshotWrites += written
      if (written > 0 && written < aged.size) killedInTheMiddle++
    })

    for (let number = 0; number < rounds; number++) {
      yield* Effect.all([round(number), Effect.scoped(makeKey(number))], { concurrency: 2 })
      yield* check
    }

    // Every key that was handed out is honoured.
    const { port } = yield* servingWith(settings)
    for (const key of handedOut) {
      const { status } = yield* withKey(port, key)
      if (status !== 200) yield* fail(`a key that was handed out is answered with ${status}`)
    }
    return {
      rounds,
      answers: yield* Ref.get(answers),
      keys: handedOut.length,
      killedCommands,
      snapshotWrites,
      killedInTheMiddle,
      strays,
      slowestStart: Math.round(slowestStart)
    }
  })

const withKey = (port: number, key: string) =>
  Effect.promise(async () => fetch(`http://127.0.0.1:${port}/v1/fx`, { headers: { "x-api-key": key } }))
