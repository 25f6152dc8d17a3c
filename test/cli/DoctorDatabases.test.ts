// The doctor tries at Redis and PostgreSQL what the service will do there, and says why it fails, without secrets.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Reactivity } from "effect/reactivity"
import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from "node:fs"
import * as Net from "node:net"
import { join } from "node:path"
import { postgres, redis } from "../../src/cli/DoctorDatabases.ts"
import { certificate, trusting } from "../certificates.ts"
import { hasPostgres, newDatabase } from "../history/store/Databases.ts"
import * as PostgresProcess from "../history/store/PostgresProcess.ts"
import { hasPrograms } from "../isPresent.ts"
import { freePort, listening } from "../resources.ts"
import * as RedisProcess from "../persistence/RedisProcess.ts"
import { liveRule } from "../rulesOf.ts"

const SECRET = "hunter2"

/** The host and the port of a server that answers any bytes with these, and closes; `undefined`: that says nothing. */
const answering = (text: string | undefined) =>
  Effect.map(
    listening(
      Net.createServer((socket) =>
        socket.on("error", () => {}).once("data", () => text === undefined || socket.end(text))
      )
    ),
    (port) => `127.0.0.1:${port}`
  )

describe.skipIf(!RedisProcess.isInstalled)("the doctor's finding on Redis", () => {
  liveRule("is what the service may do there", function* () {
    const server = yield* RedisProcess.make
    yield* server.start
    const acl = (rules: string) => `ACL SETUSER someone on >${SECRET} resetkeys resetchannels -@all ${rules}`
    // The user whose password is wrong comes last: it would be asked for from then on.
    for (const [command, user, level, words] of [
      [acl("+@all ~cda:*"), "someone", "ok", /may be written to/],
      [acl("+@all ~other:*"), "someone", "failing", /\(its ACL does not allow/],
      [acl("+@all -eval -evalsha ~cda:*"), "someone", "failing", /\(its ACL does not allow/],
      ["CONFIG SET maxmemory 1", "", "failing", /\(it is full\)/],
      ["REPLICAOF 127.0.0.1 1", "", "failing", /\(it is a copy/],
      ["CONFIG SET requirepass other", "default", "failing", /\(the user or the password is wrong\)/]
    ] as const) {
      yield* server.ask("REPLICAOF NO ONE", "CONFIG SET maxmemory 0", command)
      const url = user === "" ? server.url : server.url.replace("redis://", `redis://${user}:${SECRET}@`)
      const finding = yield* redis(Redacted.make(url))
      assert.strictEqual(finding.level, level, finding.text)
      assert.match(finding.text, words)
      assert.notInclude(finding.text, SECRET)
    }
  })

  it.live.skipIf(!hasPrograms("openssl"))("names what else can be wrong: the address, the port, TLS, the number", () =>
    Effect.gen(function* () {
      const { certFile, keyFile } = yield* certificate()
      const tls = yield* freePort
      const files = ["--tls-cert-file", certFile, "--tls-key-file", keyFile, "--tls-ca-cert-file", certFile]
      const server = yield* RedisProcess.makeWith("--tls-port", String(tls), "--tls-auth-clients", "yes", ...files)
      yield* server.start
      const address = `127.0.0.1:${new URL(server.url).port}`
      const wrong: ReadonlyArray<readonly [url: string, words: RegExp]> = [
        ["redis://127.0.0.1:1", /nothing listens there/],
        ["redis://no-such-machine.invalid", /no machine has that name/],
        [`redis://:${SECRET}@${yield* answering("HTTP/1.1 400 no\r\n\r\n")}`, /closed the connection.*check the port/],
        [`redis://:${SECRET}@${yield* answering(undefined)}`, /no answer in time/],
        [
          `redis://u:${SECRET}@${yield* answering(`-ERR unknown command 'HELLO', with args: 'AUTH' 'u' '${SECRET}'\r\n`)}`,
          /lacks a command/
        ],
        [`rediss://:${SECRET}@${address}`, /it speaks no TLS|closed|no answer/],
        [`redis://:${SECRET}@127.0.0.1:${tls}`, /closed the connection.*whether it wants TLS/],
        [`rediss://:${SECRET}@127.0.0.1:${tls}`, /its certificate is self-signed/],
        [`redis://${address}/99`, /no database of that number/],
        [`redis://nobody:${SECRET}@${address}`, /the user or the password is wrong/],
        ["unix:///nowhere/redis.sock", /there is no such socket/],
        [`unix://${certFile}`, /nothing listens there/]
      ]
      const check = Effect.fnUntraced(function* ([url, words]: readonly [url: string, words: RegExp]) {
        const { level, text } = yield* redis(Redacted.make(url))
        assert.strictEqual(level, "failing", url)
        assert.match(/ \((.*)\): callers/.exec(text)?.[1] ?? text, words, url)
        assert.notInclude(text, SECRET)
      })
      yield* Effect.forEach(wrong, check, { concurrency: 4 })
      yield* trusting(readFileSync(certFile, "utf8"))
      const { text } = yield* redis(Redacted.make(`rediss://:${SECRET}@127.0.0.1:${tls}`))
      assert.match(text, /it asks for a certificate of the client/)
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

/** Who may connect to a server of its own, and how: by its `pg_hba.conf`. */
const rules = `
local all all trust
host all test 127.0.0.1/32 trust
host all hidden,few,reader,locked 127.0.0.1/32 trust
host all wary 127.0.0.1/32 scram-sha-256
hostssl all tls 127.0.0.1/32 trust
hostssl all certified 127.0.0.1/32 cert
`

describe.skipIf(!PostgresProcess.isInstalled || !hasPrograms("openssl"))("the doctor's finding on a PostgreSQL", () => {
  it.live("names what else can be wrong: TLS, the password, pg_hba.conf, connections, the socket, the port", () =>
    Effect.gen(function* () {
      const server = yield* PostgresProcess.make
      yield* server.start
      const sql = yield* PgClient.make({ url: Redacted.make(server.url), maxConnections: 1 })
      for (const name of ["tls", "certified", "reader", "locked"]) yield* sql`CREATE ROLE ${sql(name)} LOGIN SUPERUSER`
      yield* sql`CREATE ROLE few LOGIN CONNECTION LIMIT 0`
      yield* sql`CREATE ROLE wary LOGIN PASSWORD 'other'`
      yield* sql`ALTER ROLE reader SET default_transaction_read_only = on`
      yield* sql`ALTER ROLE locked NOLOGIN`
      const [row] = yield* sql<{ folder: string; socket: string }>`
        SELECT current_setting('data_directory') AS folder, current_setting('unix_socket_directories') AS socket`
      const { folder, socket } = row ?? assert.fail()
      const { cert, key } = yield* certificate()
      const { gid, uid } = statSync(folder)
      for (const [name, text] of Object.entries({ "pg_hba.conf": rules, "own.key": key, "own.crt": cert })) {
        writeFileSync(join(folder, name), text)
        chownSync(join(folder, name), uid, gid)
        chmodSync(join(folder, name), 0o600)
      }
      for (const [name, value] of Object.entries({
        ssl_key_file: "own.key",
        ssl_cert_file: "own.crt",
        ssl_ca_file: "own.crt"
      }))
        yield* sql`ALTER SYSTEM SET ${sql(name)} = ${sql.literal(`'${value}'`)}`
      const { port } = new URL(server.url)
      const as = (role: string, query = "") => `postgres://${role}:${SECRET}@127.0.0.1:${port}/postgres${query}`
      const here = `postgres://test:${SECRET}@`
      const checkOne = Effect.fnUntraced(function* ([url, words]: readonly [url: string, words: RegExp]) {
        const { level, text } = yield* postgres(Redacted.make(url))
        assert.strictEqual(level, words.source.startsWith("may be") ? "ok" : "failing", `${url}: ${text}`)
        assert.match(/ \((.*)\): nothing/.exec(text)?.[1] ?? text, words, url)
        assert.notInclude(text, SECRET)
      })
      const check = (wrong: ReadonlyArray<readonly [url: string, words: RegExp]>) =>
        Effect.forEach(wrong, checkOne, { concurrency: 4 })
      yield* sql`SELECT pg_reload_conf()`
      yield* check([[as("test", "?sslmode=require"), /it offers no TLS, which sslmode asks for/]])
      yield* sql`ALTER SYSTEM SET ssl = on`
      yield* sql`SELECT pg_reload_conf()`
      yield* check([
        [as("test"), /may be written to/],
        [as("test", "?sslmode=require"), /its certificate is self-signed/],
        [as("test", "?sslmode=required"), /its sslmode must be disable/],
        [as("stranger"), /its pg_hba.conf refuses this role, database and address without TLS/],
        [as("wary"), /the role or the password is wrong/],
        [as("wary").replace(`:${SECRET}`, ""), /it asks for a password/],
        [as("few"), /it has no free connection/],
        [as("reader"), /it is a copy that cannot be written to/],
        [as("hidden"), /role "hidden" does not exist/],
        [as("locked"), /role "locked" is not permitted to log in/],
        [as("test").replace(/postgres$/, "nowhere"), /database "nowhere" does not exist/],
        [`postgres://test@${encodeURIComponent(socket)}:${port}/postgres`, /may be written to/],
        ["postgres:///postgres?host=/nowhere&user=test", /there is no such socket/],
        [`${here}${yield* answering("HTTP/1.1 400 no\r\n\r\n")}/postgres`, /another protocol: check the port/],
        [`${here}${yield* answering("HTTP/1.1 400 no\r\n\r\n")}/postgres?sslmode=require`, /another protocol/],
        [`${here}${yield* answering("")}/postgres`, /it closed the connection/],
        [`${here}${yield* answering(undefined)}/postgres`, /no answer in time/],
        ["postgres://127.0.0.1:99999/postgres", /its address cannot be read/],
        [`postgres://a%zz:${SECRET}@127.0.0.1/postgres`, /its address cannot be read/]
      ])
      yield* trusting(cert)
      yield* check([
        [as("tls", "?sslmode=verify-full"), /may be written to/],
        [as("stranger", "?sslmode=require"), /its pg_hba.conf refuses this role, database and address$/],
        [as("certified", "?sslmode=require"), /it asks for a certificate of the client/]
      ])
    }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
  )
})
