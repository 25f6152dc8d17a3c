// `keys create|list|revoke`. A new key is printed once, alone on standard output. Only its SHA-256 is stored, so it
// cannot be shown again.
import { Clock, Console, DateTime, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { randomInt } from "node:crypto"
import * as ApiKey from "../access/ApiKey.ts"
import { ApiKeyStore, type ApiKeyStoreError, type KeyUse } from "../access/ApiKeyStore.ts"
import { dayOf, daysAt, idOf } from "../access/KeyUsage.ts"
import { layerKeyStore } from "../node/StateLayers.ts"
import { json, readBy, withResultAlone } from "./CommandOutput.ts"
import { userError } from "../node/StartError.ts"

const stateOf = ({ expires, revoked }: ApiKey.KeyRecord, now: DateTime.Utc) => {
  if (revoked !== null) return "revoked"
  return expires !== null && DateTime.isLessThanOrEqualTo(expires, now) ? "expired" : "live"
}

const encode = Schema.encodeSync(ApiKey.KeyRecord)

const keyRow = (record: ApiKey.KeyRecord, now: DateTime.Utc) => {
  const { hash: _hash, ...rest } = encode(record)
  return { id: idOf(record.hash), ...rest, state: stateOf(record, now) }
}

const failed = Effect.mapError(({ message }: ApiKeyStoreError) => userError(`${message}.`))

const create = Command.make(
  "create",
  {
    plan: Flag.Literals("plan", ["developer", "business"]).pipe(Flag.withDescription("The plan of the key")),
    label: Flag.String("label").pipe(
      // The list is a table, with a label at the end of each line.
      readBy("label", Schema.String.check(Schema.isPattern(/^\P{Cc}{1,200}$/u)), "one line of 1 to 200 characters"),
      Flag.withDescription("Whose key this is: one line of 1 to 200 characters")
    ),
    expires: Flag.String("expires").pipe(
      readBy("expires", Schema.DateTimeUtcFromString, "a day or a time, such as 2027-01-31 or 2027-01-31T12:00:00Z"),
      Flag.withDescription("When the key expires, such as 2027-01-31 or 2027-01-31T12:00:00Z; default: never"),
      Flag.optional
    ),
    limit: Flag.Int("limit").pipe(
      readBy("limit", ApiKey.Limit, "a whole number from 1 to 1000000"),
      Flag.withDescription("Requests a minute for this key, instead of the limit of its plan"),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(function* ({ expires, json, label, limit, plan }) {
    const store = yield* ApiKeyStore
    const now = yield* DateTime.now
    const ends = Option.getOrNull(expires)
    if (ends !== null && DateTime.isLessThanOrEqualTo(ends, now)) {
      return yield* userError("--expires must be in the future.")
    }
    // Effect's Random is not cryptographically secure.
    const key = yield* Effect.sync(() => ApiKey.fromRandom(Array.from({ length: 32 }, () => randomInt(62))))
    const record = {
      hash: ApiKey.hashOf(key),
      plan,
      ...Option.match(limit, { onNone: () => ({}), onSome: (limit) => ({ limit }) }),
      label,
      created: now,
      expires: ends,
      revoked: null
    }
    yield* failed(store.put(record))
    yield* Console.log(json ? JSON.stringify({ key, ...keyRow(record, now) }) : key)
  })
).pipe(Command.withDescription("Create a key and print it on standard output. It cannot be shown again"))

/** The requests of a key today and in 30 days, and the time of the last one. */
const usageOf = (use: KeyUse | undefined, today: string) => ({
  requests_today: use?.days[today] ?? 0,
  requests_30_days: Object.values(use?.days ?? {}).reduce((sum, requests) => sum + requests, 0),
  last_used: use === undefined ? null : DateTime.formatIso(DateTime.makeUnsafe(use.last))
})

/** Lines of cells in columns; numbers are right-aligned. */
const table = (rows: ReadonlyArray<ReadonlyArray<string | number>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, n) => Math.max(...rows.map((row) => String(row[n]).length)))
  return rows.map((row) =>
    row
      .map((cell, n) =>
        typeof cell === "number" ? String(cell).padStart(widths[n] ?? 0) : cell.padEnd(widths[n] ?? 0)
      )
      .join("  ")
      .trimEnd()
  )
}

const heading = ["id", "plan", "state", "created", "expires", "today", "30 days", "last used", "label"]

const list = Command.make(
  "list",
  { json },
  Effect.fnUntraced(function* ({ json }) {
    const store = yield* ApiKeyStore
    const millis = yield* Clock.currentTimeMillis
    const now = DateTime.makeUnsafe(millis)
    const records = yield* failed(store.all)
    const uses = yield* failed(store.uses(daysAt(millis)))
    const rows = records
      .toSorted((a, b) => a.created.epochMilliseconds - b.created.epochMilliseconds)
      .map((record) => ({ ...keyRow(record, now), ...usageOf(uses.get(record.hash), dayOf(millis)) }))
    if (json) return yield* Console.log(JSON.stringify(rows))
    if (rows.length === 0)
      return yield* Console.log("No keys yet. Create one with: keys create --plan developer --label NAME")
    const lines = rows.map((row) => [
      row.id,
      row.limit === undefined ? row.plan : `${row.plan}, ${row.limit}/min`,
      row.state,
      row.created.slice(0, 10),
      row.expires?.slice(0, 10) ?? "never",
      row.requests_today,
      row.requests_30_days,
      row.last_used ?? "never",
      row.label
    ])
    for (const line of table([heading, ...lines])) yield* Console.log(line)
  })
).pipe(
  Command.withDescription(
    "List all keys by id, with their requests today (UTC) and in 30 days. The keys themselves are not stored"
  )
)

const revoke = Command.make(
  "revoke",
  {
    id: Argument.String("id").pipe(
      Argument.withDescription("The key's id, as `keys list` shows it, or the key itself")
    ),
    json
  },
  Effect.fnUntraced(function* ({ id, json }) {
    const store = yield* ApiKeyStore
    const now = yield* DateTime.now
    const records = yield* failed(store.all)
    const wanted = ApiKey.isWellFormed(id) ? ApiKey.hashOf(id) : id.toLowerCase()
    const [record, ...others] = wanted.length < 6 ? [] : records.filter(({ hash }) => hash.startsWith(wanted))
    if (record === undefined) return yield* userError("No key has that id. `keys list` shows all ids.")
    if (others.length > 0) return yield* userError("Several ids begin like that. Give more characters.")
    const revoked = { ...record, revoked: record.revoked ?? now }
    yield* failed(store.put(revoked))
    yield* Console.log(json ? JSON.stringify(keyRow(revoked, now)) : `Revoked ${idOf(record.hash)} (${record.label}).`)
  })
).pipe(Command.withDescription("Revoke a key; running servers refuse it within 10 seconds"))

export const keys = Command.make("keys").pipe(
  Command.withDescription("Create, list and revoke API keys"),
  Command.withSubcommands([create, list, revoke]),
  Command.provide(layerKeyStore),
  withResultAlone
)
