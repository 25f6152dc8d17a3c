// Counts the work of a function on text, without a clock: the characters that JavaScript's own operations on texts go over. Of what a
// regular expression costs where it goes back, that of a pattern which begins with a run is counted.

/** Operations that go over the whole text. */
const whole = ["normalize", "trim", "toLowerCase", "toUpperCase", "split", "replaceAll", "replace"] as const

/** Operations that look for a text from a place on. */
const searches = ["indexOf", "includes"] as const

const withOwn = (prototype: object, name: string, wrap: (original: Function) => Function): (() => void) => {
  const own = Object.getOwnPropertyDescriptor(prototype, name)
  if (own === undefined || typeof own.value !== "function") return () => undefined
  Object.defineProperty(prototype, name, { ...own, value: wrap(own.value) })
  return () => Object.defineProperty(prototype, name, own)
}

/** A pattern that begins with a run of any length and goes on: where the rest fails, each place of a run is tried to its end. */
const BEGINS_WITH_RUN = /^(\\[sSdDwW]|\[(?:\\.|[^\]\\])+\])[+*](?=[^?])/

const backwards = (pattern: RegExp, passed: string): number => {
  const one = BEGINS_WITH_RUN.exec(pattern.source)?.[1]
  if (one === undefined || pattern.sticky) return 0
  const runs = new RegExp(`${one}+`, pattern.unicode ? "gu" : "g")
  return (passed.match(runs) ?? []).reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0)
}

/** The characters that `run` goes over. */
export const stepsOf = (run: () => unknown): number => {
  let steps = 0
  /** While a pattern is looked at, whose own matching is no work of `run`. */
  let isCounting = false
  const undo = [
    ...whole.map((name) =>
      withOwn(
        String.prototype,
        name,
        (original) =>
          function (this: string, ...values: ReadonlyArray<unknown>): unknown {
            const result: unknown = Reflect.apply(original, this, values)
            // A regular expression's own search is counted below. What unfolds is written at its full length.
            if (!(values[0] instanceof RegExp))
              steps += Math.max(this.length, typeof result === "string" ? result.length : 0)
            return result
          }
      )
    ),
    ...searches.map((name) =>
      withOwn(
        String.prototype,
        name,
        (original) =>
          function (this: string, part: string, from = 0): unknown {
            const found = Reflect.apply(original, this, [part, from]) as number | boolean
            steps += typeof found === "number" && found >= 0 ? found - from + 1 : this.length - from
            return found
          }
      )
    ),
    withOwn(
      RegExp.prototype,
      "exec",
      (original) =>
        function (this: RegExp, text: string): unknown {
          if (isCounting) return Reflect.apply(original, this, [text])
          const from = this.global || this.sticky ? this.lastIndex : 0
          const found = Reflect.apply(original, this, [text]) as RegExpExecArray | null
          steps += found !== null ? found.index + found[0].length - from + 1 : this.sticky ? 1 : text.length - from
          isCounting = true
          steps += backwards(this, text.slice(from, found?.index))
          isCounting = false
          return found
        }
    )
  ]
  try {
    run()
  } finally {
    for (const one of undo) one()
  }
  return steps
}
