// The commands `keys create|list|revoke`. Most run in this process; one run as a real process holds the exit codes and
// what reaches which stream.
import { assert, describe } from "@effect/vitest"
import { Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Fs from "node:fs"
import { join } from "node:path"
import * as ApiKey from "../../src/access/ApiKey.ts"
import { keys } from "../../src/cli/KeysCommand.ts"
import { started } from "./ServingProcess.ts"
import { temporaryFolder } from "../resources.ts"
import { inProcess } from "./inProcess.ts"
import { liveRule, rule } from "../rulesOf.ts"

const run = (data: string, ...args: ReadonlyArray<string>) => inProcess(keys, { DATA_DIR: data }, args)

const create = (data: string, ...more: ReadonlyArray<string>) =>
  run(data, "create", "--plan", "developer", "--label", "Acme", ...more)

const Row = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^[0-9a-f]{12}$/)),
  plan: Schema.Literals(["developer", "business"]),
  label: Schema.String,
  created: Schema.DateTimeUtcFromString,
  expires: Schema.NullOr(Schema.String),
  revoked: Schema.NullOr(Schema.String),
  state: Schema.Literals(["live", "expired", "revoked"])
})
const Listed = Schema.Struct({
  ...Row.fields,
  requests_today: Schema.Finite,
  requests_30_days: Schema.Finite,
  last_used: Schema.NullOr(Schema.DateTimeUtcFromString)
})
const exact = { onExcessProperty: "error" } as const
const rowsOf = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Array(Listed)))
const createdOf = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ key: Schema.String, ...Row.fields }))
)

/** The names and contents of all files in the folder. */
const stored = (data: string): string =>
  Fs.readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name + Fs.readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n")

const idOf = (key: string) => ApiKey.hashOf(key).slice(0, 12)

describe("keys", () => {
  rule("are created, listed and revoked; a key is printed once and stored nowhere", function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 20, 12))
    const data = yield* temporaryFolder
    assert.include((yield* run(data, "list")).out, "No keys yet")

    // Two live keys may share a label.
    const first = yield* create(data)
    const second = yield* create(data, "--json", "--expires", "2099-01-31")
    assert.deepStrictEqual([first.succeeded, second.succeeded, first.err, second.err], [true, true, "", ""])
    assert.match(first.out, /^cda_[0-9A-Za-z]{38}\n$/)
    const key = first.out.trim()
    const other = yield* createdOf(second.out, exact)
    assert.isTrue(ApiKey.isWellFormed(key))
    assert.isTrue(ApiKey.isWellFormed(other.key))
    assert.deepStrictEqual([other.label, other.expires, other.state], ["Acme", "2099-01-31T00:00:00.000Z", "live"])

    const listed = yield* run(data, "list")
    const json = yield* run(data, "list", "--json")
    const rows = yield* rowsOf(json.out, exact)
    assert.sameMembers(
      rows.map(({ id }) => id),
      [idOf(key), idOf(other.key)]
    )
    assert.match(listed.out, /^id +plan +state +created +expires +today +30 days +last used +label\n/)
    assert.lengthOf(listed.out.trim().split("\n"), 3)
    yield* TestClock.setTime(Date.UTC(2099, 0, 31))
    const later = yield* rowsOf((yield* run(data, "list", "--json")).out, exact)
    assert.strictEqual(later.find(({ id }) => id === idOf(other.key))?.state, "expired")

    const few = yield* run(data, "revoke", idOf(key).slice(0, 5))
    assert.include(few.err + few.out, "No key has that id", "so few characters may be a slip")
    const revoked = yield* run(data, "revoke", idOf(key))
    assert.strictEqual(revoked.out, `Revoked ${idOf(key)} (Acme).\n`)
    const byKey = yield* run(data, "revoke", other.key, "--json")
    assert.include(byKey.out, '"state":"revoked"')
    yield* TestClock.adjust("1 hour")
    const again = yield* run(data, "revoke", other.key, "--json")
    assert.strictEqual(again.out, byKey.out, "it was revoked an hour ago")
    const after = yield* rowsOf((yield* run(data, "list", "--json")).out, exact)
    assert.deepStrictEqual(
      after.map(({ state }) => state),
      ["revoked", "revoked"]
    )

    const shown = [listed, json, revoked, byKey].map(({ err, out }) => out + err).join("\n") + stored(data)
    for (const secret of [key, other.key, key.slice(4, 36)]) assert.notInclude(shown, secret)
    for (const name of Fs.readdirSync(join(data, "keys"))) {
      assert.match(name, /^[0-9a-f]{64}\.json$/)
      assert.strictEqual(Fs.statSync(join(data, "keys", name)).mode & 0o777, 0o600)
    }
  })

  rule("are listed with their requests of today and of 30 days, and the time of the last one", function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 20, 12))
    const data = yield* temporaryFolder
    const key = (yield* create(data)).out.trim()
    yield* TestClock.setTime(Date.UTC(2026, 10, 20, 13))
    yield* create(data)
    const days = { "2026-11-20": 12, "2026-11-19": 30, "2026-10-22": 100, "2026-10-21": 7 }
    const uses = { [ApiKey.hashOf(key)]: { days, last: Date.UTC(2026, 10, 20, 11, 59) } }
    Fs.writeFileSync(join(data, "key-usage.json"), JSON.stringify(uses))
    const rows = yield* rowsOf((yield* run(data, "list", "--json")).out, exact)
    assert.deepStrictEqual(
      rows.map((row) => [row.requests_today, row.requests_30_days, row.last_used?.epochMilliseconds ?? null]),
      [
        [12, 142, Date.UTC(2026, 10, 20, 11, 59)],
        [0, 0, null]
      ]
    )
    const [, used, unused] = (yield* run(data, "list")).out.split("\n")
    assert.match(used ?? "", / never +12 +142 {2}2026-11-20T11:59:00.000Z {2}Acme$/)
    assert.match(unused ?? "", / never +0 +0 {2}never +Acme$/)
  })

  rule("are refused with a reason when the arguments are wrong, and nothing is stored", function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 20, 12))
    const data = yield* temporaryFolder
    const wrong: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      ...["2020-01-01", "2026-11-20T12:00:00Z"].map(
        (end) =>
          [
            ["create", "--plan", "developer", "--label", "A", "--expires", end],
            "--expires must be in the future."
          ] as const
      ),
      [["create", "--plan", "developer", "--label", "A", "--expires", "soon"], "expires"],
      [["create", "--plan", "platinum", "--label", "A"], "platinum"],
      [["create", "--plan", "developer"], "label"],
      [["create", "--plan", "developer", "--label", ""], "label"],
      [["create", "--plan", "developer", "--label", "two\nlines"], "label"],
      [["revoke", "ffffffffffff"], "No key has that id. `keys list` shows all ids."]
    ]
    for (const [args, reason] of wrong) {
      const { err, out, succeeded } = yield* run(data, ...args)
      assert.isFalse(succeeded, args.join(" "))
      assert.include(err + out, reason)
      assert.notMatch(err + out, /\n\s+at /, "no stack trace")
    }
    assert.strictEqual(stored(data), "")
  })

  rule("are not printed when they could not be stored", function* () {
    const file = join(yield* temporaryFolder, "occupied")
    Fs.writeFileSync(file, "")
    const { err, out, succeeded } = yield* create(file)
    assert.deepStrictEqual([succeeded, out], [false, ""])
    assert.match(
      err,
      /The store of API keys cannot be used: writing in \S+ fails \(E[A-Z]+\)\. Check the folder and its disk/
    )
  })

  liveRule("as a process: the key alone on standard output, exit code 1 and no stack trace on failure", function* () {
    const settings = { DATA_DIR: yield* temporaryFolder }
    const made = yield* started(["keys", "create", "--plan", "business", "--label", "Acme"], settings)
    assert.deepStrictEqual(yield* made.ended, { code: 0, signal: null })
    assert.match(made.written.stdout, /^cda_[0-9A-Za-z]{38}\n$/)
    assert.strictEqual(made.written.stderr, "")
    const faulty = yield* started(["keys", "create", "--plan", "gold", "--label", "Acme"], settings)
    assert.deepStrictEqual(yield* faulty.ended, { code: 1, signal: null })
    assert.strictEqual(faulty.written.stdout, "", "no help where a script takes the key")
    assert.match(faulty.written.stderr, /--plan: "gold"[^]*See: crypto-data-api keys create --help/)
  })
})
