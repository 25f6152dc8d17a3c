// `node build/bench/undisturbed.ts [ROUNDS]`: what other callers notice of long histories and of a database that is away. The
// latency of a price at a fixed rate is measured in turn alone, beside histories of 3,660 days that are not cached, and while
// PostgreSQL is stopped. Prints milliseconds: the median over the rounds, and each round.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Clock, Console, Effect, FileSystem, Redacted, Schema } from "effect"
import { join } from "node:path"
import Process from "node:process"
import { noSides, type Point } from "../../src/history/model/Point.ts"
import * as History from "../../src/history/store/History.ts"
import * as SeriesName from "../../src/history/store/SeriesName.ts"
import { isInstalled, make as makePostgres } from "../../test/history/store/PostgresProcess.ts"
import { PRICE } from "./Cases.ts"
import * as Load from "./Load.ts"
import { ask, firstAnswer, onLoadCore } from "./Processes.ts"
import { start } from "./Servers.ts"
import * as World from "./World.ts"

const DAY = 86_400_000

/** Days of a history. */
const SPAN = 3660

/** Histories that begin on different days, so that none is cached. */
const DIFFERENT = 400

/** Prices a second: about a third of what one core answers. */
const RATE = 3000

const SECONDS = 5

/** Between one long history and the next, in ms. */
const PAUSE = 250

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** A close for each day before `today`. */
const closes = (series: string, today: number): ReadonlyArray<Point> =>
  Array.from({ length: SPAN + DIFFERENT }, (_, n) => {
    const bucket = today - (n + 1) * DAY
    return {
      series,
      bucket,
      origin: "CoinGecko",
      revision: 0,
      source: "CoinGecko",
      open: null,
      high: null,
      low: null,
      close: 20_000 + (n % 977),
      ...noSides,
      observedAt: bucket + DAY,
      recordedAt: today
    }
  })

const fill = Effect.fnUntraced(
  function* (url: string, today: number) {
    const history = yield* Effect.fromNullishOr(yield* History.History)
    yield* history.offer(closes(SeriesName.coin("bitcoin"), today))
    yield* Effect.repeat(Effect.sleep("20 millis"), {
      while: () => Effect.succeed(history.pendingSince() !== undefined)
    })
  },
  (effect, url) => Effect.provide(effect, History.layerPostgres(Redacted.make(url)))
)

const Latencies = Schema.fromJsonString(Schema.Struct({ p50: Schema.Finite, p99: Schema.Finite }))

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const program = Effect.gen(function* () {
  if (!isInstalled) return yield* Console.log("PostgreSQL is not installed.")
  const rounds = Number(Process.argv[2] ?? 5)
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped()
  const postgres = yield* makePostgres
  yield* postgres.start
  const today = Math.floor((yield* Clock.currentTimeMillis) / DAY) * DAY
  yield* fill(postgres.url, today)
  const env = { ...(yield* World.settings), DATABASE_URL: postgres.url }
  const folders = { dataDir: folder, peerFile: join(folder, "peers.json"), log: join(folder, "log"), isBare: false }
  const service = yield* start("service", folders, env)
  yield* firstAnswer(service, "/readyz", performance.now())
  const { folder: loadFolder } = Load.writeFiles(folder, [], [])

  const price = onLoadCore(Process.execPath, [
    join(import.meta.dirname, "OpenLoop.ts"),
    String(service.port),
    PRICE,
    String(RATE),
    String(SECONDS),
    join(loadFolder, "addresses")
  ]).pipe(Effect.flatMap(Schema.decodeEffect(Latencies)))

  let asked = 0
  const history = (expected: number) =>
    Effect.promise(async () => {
      const to = today - (1 + (asked++ % DIFFERENT)) * DAY
      const path = `/v1/price/bitcoin/usd/history?from=${isoDay(to - (SPAN - 1) * DAY)}&to=${isoDay(to)}`
      const headers = { "x-forwarded-for": `192.0.2.${asked % 250}` }
      const { body, status } = await ask(service.port, path, { headers })
      if (status !== expected) throw new Error(`${path}: ${status} instead of ${expected}: ${body.toString()}`)
      return body.length
    })

  const beside = (expected: number) =>
    Effect.raceFirst(price, Effect.forever(Effect.andThen(history(expected), Effect.sleep(PAUSE))))

  const away = Effect.acquireUseRelease(
    postgres.stop,
    () => Effect.andThen(Effect.sleep("1 second"), price),
    // Histories come back by themselves.
    () =>
      Effect.andThen(
        postgres.start,
        Effect.promise(() => firstHistory())
      )
  )
  const firstHistory = async () => {
    const path = `/v1/price/bitcoin/usd/history?from=${isoDay(today - 9 * DAY)}&to=${isoDay(today - 2 * DAY)}`
    while ((await ask(service.port, path)).status !== 200) await new Promise((done) => setTimeout(done, 2000))
  }

  yield* Console.log(`a history of ${SPAN} days has ${yield* history(200)} bytes`)
  const phases = { alone: price, "beside histories": beside(200), "database away": away }
  const found: Record<string, Array<{ readonly p50: number; readonly p99: number }>> = {}
  yield* price
  for (let round = 0; round < rounds; round++) {
    for (const [name, phase] of Object.entries(phases)) (found[name] ??= []).push(yield* phase)
  }
  for (const [name, all] of Object.entries(found)) {
    const of = (key: "p50" | "p99") => all.map((one) => one[key] / 1000)
    yield* Console.log(
      `${name}: p50 ${median(of("p50")).toFixed(2)}, p99 ${median(of("p99")).toFixed(2)} (${of("p99").join(", ")})`
    )
  }
})

NodeRuntime.runMain(program.pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
