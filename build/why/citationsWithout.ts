// `node build/why/citationsWithout.ts KIND`: what the engine cites, by case, when the words of one kind are emptied as
// their file is loaded; `none` empties nothing. JSON: case id to [item id, kind of driver].
import { Console, Effect, Schema } from "effect"
import { registerHooks } from "node:module"

// oxlint-disable-next-line no-restricted-globals -- a script's argument
const kind = process.argv[2] ?? "none"

const Kinds = Schema.fromJsonString(
  Schema.Struct({ kinds: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Unknown)) })
)

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    if (!url.endsWith("/data/kinds.json")) return loaded
    const { kinds } = Schema.decodeUnknownSync(Kinds)(String(loaded.source))
    const emptied = kinds[kind] === undefined ? kinds : { ...kinds, [kind]: { ...kinds[kind], needs: [] } }
    return { ...loaded, source: JSON.stringify({ kinds: emptied }) }
  }
})

const { allCases } = await import("../../test/why/allCases.ts")
const { BenchFile, casesOf, inputOf, predictionOf } = await import("./BenchCase.ts")
const { explain } = await import("../../src/why/Explain.ts")

const cited = casesOf(Schema.decodeUnknownSync(BenchFile)(allCases)).map((bench) => {
  const { drivers } = predictionOf(explain(inputOf(bench)))
  return [bench.id, drivers.flatMap(({ citations, kind }) => citations.map((id) => [id, kind]))]
})

Effect.runSync(Console.log(JSON.stringify(Object.fromEntries(cited))))
