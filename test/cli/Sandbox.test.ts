// The `sandbox` command as a real process.
import { assert, describe } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { generateKeyPairSync } from "node:crypto"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { newKeyIn } from "./NewKey.ts"
import { memberOf } from "../faults/Answers.ts"
import { started } from "./ServingProcess.ts"
import { temporaryFolder, freePort } from "../resources.ts"
import { liveRule } from "../rulesOf.ts"

const paths = [
  "/v1/global",
  "/v1/coins",
  "/v1/coins/bitcoin",
  ...["usd", "ngn", "eur", "gbp", "inr", "zar", "aed", "cad", "jpy"].map((fiat) => `/v1/price/bitcoin/${fiat}`),
  "/v1/naira",
  "/v1/fx",
  "/v1/convert?from=eur&to=ngn&amount=100"
]

describe("the sandbox command", () => {
  liveRule(
    "answers every endpoint without any setting, names the sandbox as the source, and stops on SIGTERM",
    function* () {
      const port = yield* freePort
      const metricsPort = yield* freePort
      const dataDir = yield* temporaryFolder
      const key = yield* newKeyIn(dataDir)
      const signingKey = join(yield* temporaryFolder, "key.pem")
      const { privateKey, publicKey } = generateKeyPairSync("ed25519")
      writeFileSync(signingKey, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 })
      const env = {
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        KEEP_ALIVE: "650 seconds",
        HOST: "127.0.0.1",
        DATA_DIR: dataDir,
        SIGNING_KEY_FILE: signingKey
      }
      const { child, ended, written } = yield* started(["sandbox"], env)
      const get = (path: string) =>
        Effect.tryPromise(async () => {
          const response = await fetch(`http://127.0.0.1:${port}${path}`)
          const body: unknown = await response.json()
          return { status: response.status, body }
        })
      for (const path of paths) {
        const { body } = yield* get(path).pipe(
          Effect.filterOrFail(({ status }) => status === 200),
          Effect.retry(Schedule.spaced("100 millis")),
          Effect.raceFirst(Effect.flatMap(ended, () => Effect.die(new Error(written.stdout + written.stderr))))
        )
        assert.match(String(memberOf(body, ["meta", "source"])), /\(sandbox\)/, path)
      }
      assert.match(written.stdout, /simulated data/)
      const { body } = yield* get("/.well-known/jwks.json")
      const { x = "no key" } = publicKey.export({ format: "jwk" })
      assert.include(JSON.stringify(body), x, "it signs, so that verify can be tried")
      yield* Effect.promise(async () => {
        await fetch(`http://127.0.0.1:${port}/v1/naira`, { headers: { "x-api-key": key } })
        const unknown = await fetch(`http://127.0.0.1:${port}/metrics`)
        assert.strictEqual(unknown.status, 404)
        assert.strictEqual(unknown.headers.get("keep-alive"), "timeout=650")
        assert.strictEqual((await fetch(`http://127.0.0.1:${metricsPort}/v1/naira`)).status, 404)
        const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
        for (const line of [
          "cda_ready 1",
          'cda_rate{pair="USDT/NGN",kind="mid"} 1',
          "process_resident_memory_bytes ",
          "nodejs_eventloop_lag_max_seconds "
        ]) {
          assert.include(metrics, `\n${line}`)
        }
      })
      child.kill("SIGTERM")
      assert.deepStrictEqual(yield* ended, { code: 0, signal: null }, written.stdout + written.stderr)
      assert.deepStrictEqual(readdirSync(dataDir), ["keys"])
    }
  )
})
