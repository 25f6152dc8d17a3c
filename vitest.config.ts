import { join } from "node:path"
import { env } from "node:process"
import { configDefaults, defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { isWhole } from "./test/isWhole.ts"

// Not UTC, and not whole hours from it: a time that is read or written in the zone of the machine is found out.
env["TZ"] = "Asia/Kathmandu"

// The workers keep the compiled code of libraries for the next run.
env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/crypto-data-api-test/v8")

/**
 * Files that run in `.ci/run` only, most of which take half a minute or more: the package is built, packed, installed and
 * type-checked; the service is besieged by bad clients; it is started again over what it saved; replicas lose Redis; CoinGecko's
 * SDK and another client ask all that is served, and wait for the end of a quota; Frankfurter's own test questions wait for the past;
 * every source has every fault, sends hostile bodies and arbitrary figures; feeds are down for an hour; a page is looked at in every
 * width and shade; sources are called for a day; hundreds of connections spend a quota; thousands of requests try to change another's
 * answer.
 */
const onlyWhole = [
  "test/package/Package.test.ts",
  "test/hostile/Siege.test.ts",
  "test/restarts/Restarts.test.ts",
  "test/replicas/RedisFaults.test.ts",
  "test/hostile/SharedAnswers.test.ts",
  "test/faults/HostileBodies.test.ts",
  "test/faults/UpstreamCalls.test.ts",
  "test/faults/ArbitraryFigures.test.ts",
  "test/faults/CallsOfADay.test.ts",
  "test/faults/Evidence.test.ts",
  "test/faults/MarketFaults.test.ts",
  "test/faults/VenueFaults.test.ts",
  "test/faults/HistoryFaults.test.ts",
  "test/http/PageLimits.test.ts",
  "test/http/RateLimit.test.ts",
  "test/http/compat/Clients.test.ts",
  "test/http/compat/Frankfurter.test.ts"
]

/** Tests that mostly wait, for processes that they start. */
const waits = /\/test\/(replicas|restarts|hostile|docs|cli|node|history\/store)\//

/** Tests that compute for ten seconds or more. Vitest begins with the largest files where it has no times of a run before: these are small. */
const isLong = ({ moduleId }: TestSpecification) => /\/test\/(faults\/|http\/(Endpoints|Why)\.)/.test(moduleId)

/** Every third file is one that waits, so that of four workers two or three compute, and none is left alone at the end. */
class Interleaved extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const waiting = sorted.filter(({ moduleId }) => waits.test(moduleId))
    const computing = sorted.filter(({ moduleId }) => !waits.test(moduleId))
    const others = [...computing.filter(isLong), ...computing.filter((one) => !isLong(one))]
    return [
      ...waiting.flatMap((one, n) => [one, ...others.slice(2 * n, 2 * n + 2)]),
      ...others.slice(2 * waiting.length)
    ]
  }
}

// In real time, the one limit of tests: it ends those that hang, and no other on a machine however busy.
const timeout = isWhole ? 600_000 : 240_000

// `isolate: false`: the test files of a worker share what they import, which takes longer than most tests. The third
// and the fourth worker use the processors while the tests of others wait for processes that they started.
export default defineConfig({
  test: {
    exclude: isWhole ? configDefaults.exclude : [...configDefaults.exclude, ...onlyWhole],
    globalSetup: "test/Bundle.ts",
    isolate: false,
    maxWorkers: 4,
    ...(env["TESTS_REPORT"] !== undefined && {
      reporters: ["default", ["json", { outputFile: env["TESTS_REPORT"] }]]
    }),
    sequence: { sequencer: Interleaved },
    // Before any schema is built, as in the process: a sixth of the processor time of what decodes.
    setupFiles: "effect/schema/SchemaJITCompiler/enable",
    hookTimeout: timeout,
    testTimeout: timeout
  }
})
