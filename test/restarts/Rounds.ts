// Rounds of a service that is killed at a random moment: under load, while keys are made by other processes and what is held is
// being refreshed. After each, every text kept must be whole and every key that was handed out must be there; the next start serves.
import { Effect, Fiber, Random, Ref, Schedule, type Scope } from "effect"
import { createHash } from "node:crypto"
import { request, servingWith, settings as worldSettings, started } from "../cli/ServingProcess.ts"
import { aged } from "./aged.ts"
import type { Kept } from "./Kept.ts"
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
  /** Starts to which Redis did not answer in time. */
  readonly coldStarts: number
}

/**
 * What a process may say although nothing is wrong with it: that it is the turn of the one killed before it, whose turns have to
 * run out, and its calls that count in Redis; and that upstreams or Redis are slow, for on a machine that is busy with much else they are.
 */
const isExpected = (line: string): boolean =>
  [
    "nothing new to the replica that asks it",
    "its call budget is used up",
    "did not answer within",
    "got no answer in time",
    "exchanges answer,",
    "No source has answered since the start",
    "Redis cannot be used (no answer",
    "The store of API keys cannot be used"
  ].some((text) => line.includes(text))

/** Sets the times of every snapshot back by two hours, so that the next start has everything to refresh. */
const age = Effect.fnUntraced(function* (kept: Kept) {
  for (const [name, text] of yield* kept.snapshots) yield* kept.replace(name, aged(text, 7_200_000))
  return yield* kept.snapshots
})

/** Dies of the first thing that is not as it must be. */
export const run = (
  rounds: number,
  place: Effect.Effect<Kept, never, Scope.Scope>
): Effect.Effect<Tally, unknown, Sandbox | Scope.Scope> =>
  Effect.gen(function* () {
    const kept = yield* place
    const ages = ["COINS", "GLOBAL", "NAIRA", "OFFICIAL", "FX"].map((name) => [`MAX_AGE_${name}`, "30 days"])
    const upstreams = yield* worldSettings
    const settings = { ...kept.settings, LOG_FORMAT: "json", ...Object.fromEntries(ages) }
    const handedOut: Array<string> = []
    const answers = yield* Ref.make(0)
    let killedCommands = 0
    let snapshotWrites = 0
    let killedInTheMiddle = 0
    let strays = 0
    let slowestStart = 0
    let coldStarts = 0

    const fail = (text: string) => Effect.die(new Error(text))

    const check = Effect.gen(function* () {
      strays = Math.max(strays, yield* kept.strays)
      const records = yield* kept.keys
      for (const text of [...(yield* kept.snapshots).values(), ...records.values()]) JSON.parse(text)
      for (const key of handedOut) {
        const isThere = records.has(createHash("sha256").update(key).digest("hex"))
        if (!isThere) yield* fail("a key that was handed out is lost")
      }
    })

    /** A key made by another process, which is killed too every other time. */
    const makeKey = (round: number) =>
      Effect.gen(function* () {
        const args = ["keys", "create", "--plan", "developer", "--label", `round ${round}`]
        const { child, ended, written } = yield* started(args, kept.settings)
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
        // Started without the Redis that did not answer in time, it knows nothing yet.
        const isCold = /Redis cannot be used[^]*Serving live data/.test(written.stdout)
        if (isCold) coldStarts++
        else if (JSON.stringify(statuses) !== JSON.stringify(allFine)) yield* fail(JSON.stringify(statuses))
      }
      const loading = yield* Effect.forkScoped(
        Effect.all(
          Array.from({ length: 4 }, () => load(port, number)),
          { concurrency: 4 }
        )
      )
      if (number === 0) {
        const isUnderWay = Effect.zipWith(Ref.get(answers), changes, (count, saved) => count > 20 && saved.length > 10)
        yield* Effect.repeat(isUnderWay, { until: (is) => is, schedule: Schedule.spaced("20 millis") })
      } else yield* Effect.sleep(yield* Random.nextIntBetween(0, 700))
      child.kill("SIGKILL")
      yield* ended
      // It never ends by itself, so that whatever has ended it is what is wrong.
      if (loading.pollUnsafe() !== undefined) yield* Fiber.join(loading)
      const complaints = written.stdout
        .split("\n")
        .filter((line) => /"level":"(WARN|ERROR|FATAL)/i.test(line) && !isExpected(line))
      if (complaints.length > 0) yield* fail(complaints.join("\n"))
    }, Effect.scoped)

    /** Starts it, and kills it while it starts or writes what it has refreshed first. */
    const starting = Effect.gen(function* () {
      // Nobody asks it anything: any port will do, and a clash is seen below.
      const port = String(yield* Random.nextIntBetween(20_000, 32_000))
      const environment = { ...upstreams, ...settings, HOST: "127.0.0.1", PORT: port }
      const { child, ended, written } = yield* started(["serve"], environment)
      const writes = Effect.map(changes, (names) => names.length > 0)
      // Half of them as soon as the first file is there: the others are being written.
      if (yield* Random.nextBoolean) {
        yield* Effect.repeat(writes, { until: (has) => has, schedule: Schedule.spaced("5 millis") }).pipe(
          Effect.timeoutOrElse({
            duration: "2 minutes",
            orElse: () => fail(`nothing was saved: ${written.stdout}${written.stderr}`)
          })
        )
        yield* Effect.sleep(yield* Random.nextIntBetween(0, 40))
      } else yield* Effect.sleep(yield* Random.nextIntBetween(200, 1800))
      child.kill("SIGKILL")
      yield* ended
      if (written.stderr !== "") yield* fail(written.stderr)
    }).pipe(Effect.scoped)

    let before: ReadonlyMap<string, string> = new Map()
    const changes = Effect.map(kept.snapshots, (now) => [...now].filter(([name, text]) => before.get(name) !== text))

    const round = Effect.fnUntraced(function* (number: number) {
      before = yield* age(kept)
      yield* number % 2 === 0 ? serving(number) : starting
      const written = (yield* changes).length
      snapshotWrites += written
      if (written > 0 && written < before.size) killedInTheMiddle++
    })

    for (let number = 0; number < rounds; number++) {
      yield* Effect.all([round(number), Effect.scoped(makeKey(number))], { concurrency: 2 })
      yield* check
      if ((number + 1) % 50 === 0) yield* Effect.logInfo(`${number + 1} rounds`)
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
      slowestStart: Math.round(slowestStart),
      coldStarts
    }
  })

/** Asks again while it is a 503: Redis does not answer in time on a busy machine, and a start without it has no data yet. */
const withKey = (port: number, key: string) =>
  Effect.promise(async () => fetch(`http://127.0.0.1:${port}/v1/fx`, { headers: { "x-api-key": key } })).pipe(
    Effect.repeat({ while: ({ status }) => status === 503, times: 150, schedule: Schedule.spaced("100 millis") })
  )
