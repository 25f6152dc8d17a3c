// `node build/why/leaveOneOut.ts`: the test of generality (WHY.md §3.10). Each kind's words are taken away in turn; the
// evidence of its cases must still be cited, as another kind or as `other`, and no wrong item more. Prints a row for each
// kind and ends with 1 where one falls short.
import { Console, Effect, Schema } from "effect"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { allCases } from "../../test/why/allCases.ts"

/** The least share of a kind's cases whose evidence is cited without the words of that kind. */
const LEAST = 0.7

/** Kinds that have less: three titles on insolvency name only the exchange that issued the coin, and an outage of a mainnet reads as an upgrade. */
const LESS: Readonly<Record<string, number>> = { insolvency: 0.6, outage: 0.6 }

const KINDS_AT_ONCE = 2

// oxlint-disable-next-line no-restricted-globals -- the path to this very node
const node = process.execPath

/** What one run cites, by case. */
const Cited = Schema.fromJsonString(
  Schema.Record(Schema.String, Schema.Array(Schema.Tuple([Schema.String, Schema.String])))
)

const GOOD: ReadonlySet<string> = new Set(["driver", "driver_dup", "support", "price_report", "context_coin"])

const Gold = Schema.Struct({
  id: Schema.String,
  gold: Schema.Struct({
    labels: Schema.Record(Schema.String, Schema.String),
    drivers: Schema.Array(
      Schema.Struct({ kinds_ok: Schema.Array(Schema.String), evidence: Schema.Array(Schema.String) })
    )
  })
})

const cases = Schema.decodeUnknownSync(Schema.Array(Gold))(allCases.cases)

const run = Effect.fnUntraced(function* (without: string) {
  const script = new URL("citationsWithout.ts", import.meta.url).pathname
  const { stdout } = yield* Effect.promise(() => promisify(execFile)(node, [script, without], { maxBuffer: 1e8 }))
  return yield* Schema.decodeEffect(Cited)(stdout)
})

const wrongIn = (cited: typeof Cited.Type): ReadonlyArray<string> =>
  cases.flatMap(({ gold, id }) =>
    (cited[id] ?? []).flatMap(([item]) => {
      const label = gold.labels[item] ?? ""
      return GOOD.has(label) ? [] : [`${id} ${item} (${label})`]
    })
  )

const program = Effect.gen(function* () {
  const known = new Set(wrongIn(yield* run("none")))
  const kinds = [...new Set(cases.flatMap(({ gold }) => gold.drivers[0]?.kinds_ok[0] ?? []))]
  const rows = yield* Effect.forEach(
    kinds,
    Effect.fnUntraced(function* (kind) {
      const cited = yield* run(kind)
      const own = cases.filter(({ gold }) => gold.drivers[0]?.kinds_ok[0] === kind)
      const missed = own.filter(
        ({ gold, id }) =>
          !(cited[id] ?? []).some(([item]) => gold.drivers.some(({ evidence }) => evidence.includes(item)))
      )
      const wrong = wrongIn(cited).filter((one) => !known.has(one))
      return { kind, own, missed, wrong }
    }),
    { concurrency: KINDS_AT_ONCE }
  )
  for (const { kind, missed, own, wrong } of rows)
    yield* Console.log(
      `${kind}: ${own.length - missed.length} of ${own.length}; missed ${missed.map(({ id }) => id).join(" ") || "none"}; wrong ${wrong.join(", ") || "none"}`
    )
  const all = rows.reduce((sum, { own }) => sum + own.length, 0)
  yield* Console.log(`${all - rows.reduce((sum, { missed }) => sum + missed.length, 0)} of ${all}`)
  const short = rows.filter(
    ({ kind, missed, own, wrong }) => 1 - missed.length / own.length < (LESS[kind] ?? LEAST) || wrong.length > 0
  )
  if (short.length > 0) return yield* Effect.fail(`too few are cited of ${short.map(({ kind }) => kind).join(", ")}`)
})

Effect.runPromise(program).catch((failure) => {
  // oxlint-disable-next-line no-restricted-globals -- a script's exit
  process.exitCode = 1
  // oxlint-disable-next-line no-console -- a script's output
  console.error(String(failure))
})
