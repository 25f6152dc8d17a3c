// A scrape as Prometheus reads it: by a parser of its own format, and by the rules that the parser lets pass.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { getMetricsFromIterator } from "prom2javascript"

const LINE =
  /^(?:# (?:HELP [a-z0-9_]+ \S.*|TYPE [a-z0-9_]+ (?:counter|gauge|histogram))|[a-z0-9_]+(?:\{(?:[a-z0-9_]+="(?:[^"\\\n]|\\["\\n])*",?)+\})? (?:[0-9.e+-]+|NaN))$/

type Labels = Readonly<Record<string, string>>

const matches = (labels: Labels, wanted: Labels) =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value)

/** Reads a scrape, and holds it to the format: each line, one declaration before all samples of a family, no series twice. */
export const read = Effect.fnUntraced(function* (text: string) {
  assert.isTrue(text.endsWith("\n"))
  const lines = text.slice(0, -1).split("\n")
  for (const line of lines) assert.match(line, LINE)

  const series = lines.flatMap((line) => (line.startsWith("#") ? [] : [line.slice(0, line.lastIndexOf(" "))]))
  assert.strictEqual(new Set(series).size, series.length, "a series twice")
  const declared = lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? [])
  assert.strictEqual(new Set(declared).size, declared.length, "a family twice")

  // The parser lacks NaN, which the format has.
  const known = lines.filter((line) => !line.endsWith(" NaN"))
  const families = yield* Effect.promise(() => getMetricsFromIterator(known.values()))
  assert.deepStrictEqual(Object.keys(families).sort(), declared.toSorted())
  for (const [name, { data, help, type }] of Object.entries(families)) {
    assert.match(name, /^(?:cda|process|nodejs)_/)
    assert.isNotEmpty(help, name)
    assert.strictEqual(name.endsWith("_total"), type === "counter", name)
    for (const sample of data) {
      if (!("buckets" in sample)) continue
      const bounds = Object.entries(sample.buckets).map(
        ([le, n]) => [le === "+Inf" ? Infinity : Number(le), n] as const
      )
      const rising = bounds.toSorted(([a], [b]) => a - b).map(([, n]) => n)
      assert.strictEqual(sample.buckets["+Inf"], sample.count, name)
      assert.deepStrictEqual(
        rising,
        rising.toSorted((a, b) => a - b),
        `${name}: buckets are cumulative`
      )
      assert.strictEqual(rising.at(-1), sample.count, `${name}: the last bucket holds all`)
    }
  }

  const samples = (name: string, wanted: Labels = {}) =>
    [...(families[name]?.data ?? [])].filter(({ labels }) => matches(labels, wanted))
  return {
    names: declared,
    samples,
    /** How many series of this name have these labels among theirs. */
    series: (name: string, labels: Labels = {}) => samples(name, labels).length,
    /** The sum over the series of this name with these labels among theirs; of histograms, how many were observed. */
    sum: (name: string, labels: Labels = {}) =>
      samples(name, labels).reduce((sum, sample) => sum + ("value" in sample ? sample.value : (sample.count ?? 0)), 0)
  }
})
