// The doctor tries at Redis and PostgreSQL what the service will do there, and says why it fails, without secrets.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Reactivity } from "effect/reactivity"
import { postgres, redis } from "../../src/cli/DoctorDatabases.ts"
import { hasPostgres, newDatabase } from "../history/store/Databases.ts"
import * as RedisProcess from "../persistence/RedisProcess.ts"

const SECRET = "hunter2"

describe.skipIf(!RedisProcess.isInstalled)("the doctor's finding on Redis", () => {
  const acl = (rules: string) => `ACL SETUSER someone on >${SECRET} resetkeys resetchannels -@all ${rules}`
  const cases: ReadonlyArray<
    readonly [what: string, commands: ReadonlyArray<string>, user: string, level: string, words: RegExp]
  > = [
    ["a user who may do all on the service's keys", [acl("+@all ~cda:*")], "someone", "ok", /may be written to/],
    [
      "a wrong password",
      ["CONFIG SET requirepass other"],
      "default",
      "failing",
      /\(the user or the password is wrong\)/
    ],
    ["a user of other keys", [acl("+@all ~other:*")], "someone", "failing", /\(its ACL does not allow/],
    ["a user without scripts", [acl("+@all -eval -evalsha ~cda:*")], "someone", "failing", /\(its ACL does not allow/],
    ["one that is full", ["CONFIG SET maxmemory 1"], "", "failing", /\(it is full\)/],
    ["a copy", ["REPLICAOF 127.0.0.1 1"], "", "failing", /\(it is a copy/]
  ]
  it.live.each(cases)("%s", ([, commands, user, level, words]) =>
    Effect.gen(function* () {
      const server = yield* RedisProcess.make
      yield* server.start
      yield* server.ask(...commands)
      const url = user === "" ? server.url : server.url.replace("redis://", `redis://${user}:${SECRET}@`)
      const finding = yield* redis(Redacted.make(url))
      assert.strictEqual(finding.level, level, finding.text)
      assert.match(finding.text, words)
      assert.notInclude(finding.text, SECRET)
    }).pipe(Effect.scoped)
  )

  it.live("nothing there, no such machine, no TLS", () =>
    Effect.gen(function* () {
      const server = yield* RedisProcess.make
      yield* server.start
      const found = Effect.fnUntraced(function* (url: string) {
        const { level, text } = yield* redis(Redacted.make(url))
        assert.strictEqual(level, "failing")
        return text
      })
      assert.match(yield* found("redis://127.0.0.1:1"), /\(nothing listens/)
      assert.match(yield* found("redis://no-such-machine.invalid"), /\(no machine has that name\)/)
      assert.match(
        yield* found(server.url.replace("redis://", "rediss://")),
        /\((it speaks no TLS|it closed|no answer)/
      )
    }).pipe(Effect.scoped)
  )
})

describe.skipIf(!hasPostgres)("the doctor's finding on PostgreSQL", () => {
  it.live("says what is wrong: the database, the role, its rights, the port, the machine", () =>
    Effect.gen(function* () {
      const whole = new URL(yield* newDatabase)
      const sql = yield* PgClient.make({ url: Redacted.make(whole.href), maxConnections: 1 })
      const role = `cda_${whole.pathname.slice(-8)}`
      yield* Effect.acquireRelease(sql`CREATE ROLE ${sql(role)} LOGIN`, () =>
        Effect.ignore(Effect.andThen(sql`DROP OWNED BY ${sql(role)}`, sql`DROP ROLE ${sql(role)}`))
      )
      yield* sql`REVOKE CREATE ON SCHEMA public FROM PUBLIC`
      const found = Effect.fnUntraced(function* (change: (url: URL) => void, level = "failing") {
        const url = new URL(whole)
        change(url)
        const finding = yield* postgres(Redacted.make(url.href))
        assert.strictEqual(finding.level, level, finding.text)
        assert.notInclude(finding.text, SECRET)
        return finding.text
      })
      assert.match(yield* found(() => {}, "ok"), /may be written to/)
      assert.deepStrictEqual(yield* sql`SELECT relname FROM pg_class WHERE relname = 'history_doctor'`, [])
      assert.match(yield* found((url) => (url.pathname = "/nowhere")), /database "nowhere" does not exist/)
      assert.match(yield* found((url) => (url.username = "nobody_here")), /role "nobody_here" does not exist/)
      assert.match(yield* found((url) => (url.username = role)), /the role lacks a right/)
      assert.match(yield* found((url) => (url.port = "1")), /nothing listens/)
      assert.match(yield* found((url) => (url.hostname = "no-such-machine.invalid")), /no machine has that name/)
      // Afterwards the role may write but make no tables: those are there.
      yield* sql`CREATE TABLE history_progress (name TEXT PRIMARY KEY, until BIGINT NOT NULL)`
      yield* sql`GRANT SELECT ON history_progress TO ${sql(role)}`
      assert.match(yield* found((url) => (url.username = role)), /the role lacks a right/)
      yield* sql`GRANT INSERT, DELETE ON history_progress TO ${sql(role)}`
      yield* found((url) => (url.username = role), "ok")
    }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
  )
})
