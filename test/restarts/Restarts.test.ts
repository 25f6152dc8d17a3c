// The real service, stopped and started again over the same folder: what was known is served at once with its true times, with
// every source down; what is damaged, foreign or too old is not; and a folder that cannot be used costs a warning.
import { assert, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Schedule } from "effect"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { layerWorld } from "../cli/ServingProcess.ts"
import { exchanges, RunningService } from "../RunningService.ts"
import { allFine, askAll, endpoints, untilFine } from "../replicas/Endpoints.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { simulatedNames } from "../../src/sandbox/Wires.ts"
import { temporaryFolder } from "../resources.ts"

const allOut = (fault: "refuse" | "hang") =>
  Effect.flatMap(Sandbox, ({ setFault }) => Effect.forEach(simulatedNames, (name) => setFault(name, { fault })))

/** What `use` makes of a service that ends afterwards, and what that service warned of. */
const during = <A, E, R>(config: Readonly<Record<string, string>>, use: (port: number) => Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const warnings: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => {
        if (logLevel !== "Info") warnings.push([message].flat().map(String).join(" "))
      })
      const context = yield* Layer.build(
        RunningService.layerOver({ config, kept: "state" }).pipe(Layer.provide(Logger.layer([logger])))
      )
      const { baseUrl } = Context.get(context, RunningService)
      return { result: yield* use(Number(new URL(baseUrl).port)), warnings }
    })
  )

/** Tickers are believed for two minutes: what is saved for longer is what the aggregators said. */
const withoutExchanges = { SOURCES_DISABLED: exchanges }

/** A folder in which a service has saved all it needs, and the times in its answers. */
class Saved extends Context.Service<
  Saved,
  { readonly data: string; readonly before: Readonly<Record<string, string>> }
>()("test/Saved") {
  static readonly layer = Layer.effect(
    Saved,
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      const { result } = yield* during({ DATA_DIR: data, ...withoutExchanges }, (port) =>
        Effect.gen(function* () {
          yield* untilFine(port)
          // The history that explanations need is saved last.
          const hasAll = Effect.sync(() => existsSync(join(data, "snapshots", "coingecko-history.json")))
          yield* Effect.repeat(hasAll, { until: (has) => has, schedule: Schedule.spaced("50 millis") })
          // Nothing newer is saved after the answers.
          yield* allOut("hang")
          yield* Effect.sleep("500 millis")
          return yield* askAll(port)
        })
      )
      return Saved.of({ data, before: result.updated })
    })
  ).pipe(Layer.provideMerge(layerWorld))
}

/** A copy of the saved folder, over sources that are well. A snapshot is read only over the sources it came from. */
const kept = Effect.gen(function* () {
  const { setFault } = yield* Sandbox
  yield* Effect.forEach(simulatedNames, (name) => setFault(name, null))
  const { before, data: original } = yield* Saved
  const data = yield* temporaryFolder
  cpSync(original, data, { recursive: true })
  return { before, data, snapshots: join(data, "snapshots") }
})

/** A saved text with all its times set back: ISO times, and the last column of tickers, epoch milliseconds. */
const aged = (text: string, millis: number): string =>
  text.replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|(?<=\\t)\d{13}(?=\\n|")/g, (time) =>
    time.endsWith("Z") ? new Date(Date.parse(time) - millis).toISOString() : String(Number(time) - millis)
  )

/** Not what a writer that was killed left behind. */
const isSnapshot = (name: string) => !name.startsWith(".")

it.live("over a folder that cannot be used serves all the same, with a warning for what it means", () =>
  Effect.gen(function* () {
    const data = join(yield* temporaryFolder, "data")
    writeFileSync(data, "a file where the folder should be")
    const { result, warnings: all } = yield* during({ DATA_DIR: data, HISTORY: "on" }, untilFine)
    assert.deepStrictEqual(result[0].statuses, allFine)
    // A busy machine keeps sources waiting.
    const warnings = all.filter((line) => !/did not answer within|got no answer in time|exchanges answer,/.test(line))
    assert.strictEqual(warnings.filter((line) => line.includes("cannot be used")).length, warnings.length)
    // Keys, snapshots and the history.
    assert.isAtMost(warnings.length, 3, warnings.join("\n"))
  }).pipe(Effect.scoped, Effect.provide(layerWorld))
)

layer(Saved.layer, { excludeTestServices: true })("a restart over saved data", (it) => {
  it.effect("serves at once what was known, with its true times, every source down; and not once it is too old", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { before, data, snapshots } = yield* kept
        yield* allOut("hang")
        const { result } = yield* during({ DATA_DIR: data, ...withoutExchanges }, askAll)
        assert.deepStrictEqual(result.statuses, allFine)
        // Explanations are made anew, of what was kept: their time is that of the making.
        assert.deepStrictEqual({ ...result.updated, "/v1/why": "" }, { ...before, "/v1/why": "" })
        // Whoever waited for a source would wait for five seconds.
        assert.isBelow(result.longest, 4500)

        // The maximum ages are settings: one day for coins, less than the data is old for the rest.
        for (const name of readdirSync(snapshots).filter(isSnapshot)) {
          const file = join(snapshots, name)
          writeFileSync(file, aged(readFileSync(file, "utf8"), 8 * 86_400_000))
        }
        yield* allOut("refuse")
        const old = yield* during({ DATA_DIR: data, MAX_AGE_COINS: "10 days", ...withoutExchanges }, askAll)
        assert.deepStrictEqual(old.result.statuses, {
          ...Object.fromEntries(endpoints.map((path) => [path, 503])),
          "/v1/coins": 200,
          "/v1/coins/bitcoin": 200,
          "/v1/sources": 200,
          "/v1/why": 200
        })
      })
    )
  )

  it.effect("with a damaged, foreign, empty or huge file is a cold start for that one, with one warning", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { before, data, snapshots } = yield* kept
        yield* allOut("refuse")
        const file = (name: string) => join(snapshots, `${name}.json`)
        const text = (name: string) => readFileSync(file(name), "utf8")
        // A fallback is asked and its data are saved when a source is slow to answer, as it is on a busy machine.
        for (const name of readdirSync(snapshots).filter((name) => /^(coinpaprika|currency_api)-/.test(name))) {
          rmSync(join(snapshots, name))
        }
        writeFileSync(file("coingecko-markets"), "")
        writeFileSync(file("coingecko-global"), text("coingecko-global").slice(0, -20))
        writeFileSync(file("frankfurter-rates"), text("quidax-book-ngn"))
        truncateSync(file("bybit_p2p-book-ngn"), 3_000_000_000)
        writeFileSync(file("bitget_p2p-book-ngn"), "[".repeat(1_000_000))
        rmSync(file("quidax-book-ngn"))
        mkdirSync(file("quidax-book-ngn"))
        writeFileSync(file("luno-book-ngn"), text("luno-book-ngn").replace(/"observedAt":"20/, '"observedAt":"21'))
        const { result, warnings } = yield* during({ DATA_DIR: data, ...withoutExchanges }, askAll)
        assert.strictEqual(result.statuses["/v1/sources"], 200)
        for (const path of ["/v1/coins", "/v1/global", "/v1/naira", "/v1/fx"])
          assert.strictEqual(result.statuses[path], 503, path)
        const left = warnings.filter((line) => line.includes("the saved"))
        assert.strictEqual(left.length, 7, warnings.join("\n"))
        for (const name of [
          "coingecko-markets",
          "coingecko-global",
          "frankfurter-rates",
          "bybit_p2p-book-ngn",
          "luno-book-ngn"
        ]) {
          assert.strictEqual(left.filter((line) => line.includes(name)).length, 1, name)
        }

        // With the sources up again all is well, and what was damaged is replaced.
        const { setFault } = yield* Sandbox
        yield* Effect.forEach(simulatedNames, (name) => setFault(name, null))
        const fine = yield* during({ DATA_DIR: data, ...withoutExchanges }, untilFine)
        assert.isTrue((fine.result[0].updated["/v1/coins"] ?? "") >= (before["/v1/coins"] ?? ""))
        JSON.parse(text("coingecko-markets"))
      })
    )
  )
})
