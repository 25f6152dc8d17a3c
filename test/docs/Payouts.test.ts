// The payout programs of docs/payouts.md, run as they are shown, in three languages: each pays, and refuses when the rate moved, is old or
// is uncertain.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFile, spawnSync } from "node:child_process"
import { join } from "node:path"
import { env, execPath } from "node:process"
import { get, pass, RunningService, untilAnswered, friday, withoutEvidence } from "../RunningService.ts"
import { hasPrograms, isPresent } from "../isPresent.ts"
import { blockOf, read } from "./Markdown.ts"

const folder = join(import.meta.dirname, "../../docs/examples")

const programs = [
  ["js payout", "payout.mjs", execPath],
  ["py payout", "payout.py", "python3"],
  ["php payout", "payout.php", "php"]
] as const

const hasCurl = () => spawnSync("php", ["-m"], { encoding: "utf8" }).stdout.includes("curl")

const isThere = (command: string) =>
  command === execPath || (hasPrograms(command) && (command !== "php" || isPresent("PHP's extension curl", hasCurl())))

/** What a program prints, without the end of its line; a refusal ends it with status 1. */
const run = Effect.fnUntraced(function* (command: string, file: string, ...given: ReadonlyArray<string>) {
  const { baseUrl, serving } = yield* RunningService
  const done = Effect.callback<readonly [number, string]>((resume) => {
    execFile(command, [join(folder, file), ...given], { env: { ...env, RATES_URL: baseUrl } }, (error, out, errors) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1
      resume(Effect.succeed([code, out.trim() + errors.trim()]))
    })
  })
  return yield* serving(done)
})

layer(RunningService.layer({ at: friday, config: { ...withoutEvidence, COINGECKO_PLAN: "pro", P2P_MARKETS: "NGN" } }))(
  "the payout programs",
  (it) => {
    const each = <E>(
      name: string,
      check: (
        of: (...given: ReadonlyArray<string>) => ReturnType<typeof run>,
        language: string
      ) => Effect.Effect<void, E, RunningService>
    ) =>
      describe(name, () => {
        for (const [language, file, command] of programs) {
          it.effect.skipIf(!isThere(command))(language, () =>
            check((...given) => run(command, file, ...given), language)
          )
        }
      })

    const quotedFor = Effect.fnUntraced(function* (amount: string) {
      const { text } = yield* get(`/v1/convert?from=USD&to=NGN&amount=${amount}&basis=customer`)
      const { rate, result } = JSON.parse(text).data
      return { rate: String(rate), paid: `pay: ${result.toFixed(2)} NGN at ${rate}` }
    })

    each("are the files of docs/examples", (_, language) =>
      Effect.gen(function* () {
        yield* untilAnswered("/v1/convert?from=USD&to=NGN")
        yield* pass("20 seconds")
        const [, file = ""] = programs.find(([name]) => name === language) ?? []
        assert.strictEqual(`${blockOf(language)}\n`, read(`docs/examples/${file}`))
      })
    )

    each("quote, and pay at the rate that was agreed to", (program) =>
      Effect.gen(function* () {
        const { paid, rate } = yield* quotedFor("200")
        assert.deepStrictEqual(yield* program("200"), [0, `quote: ${rate}`])
        assert.deepStrictEqual(yield* program("200", rate), [0, paid])
      })
    )

    each("refuse when the rate moved", (program) =>
      Effect.gen(function* () {
        const { rate } = yield* quotedFor("200")
        const [code, text] = yield* program("200", String(Number(rate) * 1.006))
        assert.strictEqual(code, 1)
        assert.match(text, /^do not pay: rate_moved: /)
      })
    )

    each("refuse when the data is old", (program, language) =>
      Effect.gen(function* () {
        const { sandbox } = yield* RunningService
        if (language === programs[0][0]) {
          for (const venue of ["BYBIT_P2P", "BITGET_P2P", "QUIDAX"] as const)
            yield* sandbox.setFault(venue, { fault: "server_error" })
          yield* pass("6 minutes")
        }
        const amount = "200"
        for (const given of [[amount], [amount, (yield* quotedFor(amount)).rate]]) {
          const [code, text] = yield* program(...given)
          assert.strictEqual(code, 1)
          assert.match(text, /^do not pay: too_old: /)
        }
      })
    )

    each("refuse when the rate is uncertain: one order book alone is left", (program, language) =>
      Effect.gen(function* () {
        if (language === programs[0][0]) yield* pass("12 minutes")
        // An order book has no ads for more than a usual order.
        const amount = "50"
        for (const given of [[amount], [amount, (yield* quotedFor(amount)).rate]]) {
          const [code, text] = yield* program(...given)
          assert.strictEqual(code, 1)
          assert.match(text, /^do not pay: too_uncertain: /)
        }
      })
    )
  }
)
