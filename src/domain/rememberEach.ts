// Memoizes functions: by argument, in a `WeakMap` by object, or the last result alone. For results that depend on snapshots use
// `services/refresh/Dependencies`.

/** The most characters of a text by which a result is kept. Callers and sources choose such texts. */
export const LONGEST_KEY = 1000

/**
 * The function, computed once per argument. At `most` results all are dropped, to bound the memory; the ones still in use are
 * soon computed again. For a text longer than {@link LONGEST_KEY} it is computed each time.
 */
export const rememberEach = <K, A extends string | number | boolean | object | null>(
  most: number,
  compute: (input: K) => A
): ((input: K) => A) => {
  const held = new Map<K, A>()
  return (input) => {
    const known = held.get(input)
    if (known !== undefined) return known
    const result = compute(input)
    if (typeof input === "string" && input.length > LONGEST_KEY) return result
    if (held.size >= most) held.clear()
    held.set(input, result)
    return result
  }
}

/** The function, computed once per object. The result lives as long as the object. */
export const rememberOf = <K extends object, A extends string | number | boolean | object | null>(
  compute: (input: K) => A
): ((input: K) => A) => {
  const held = new WeakMap<K, A>()
  return (input) => {
    const known = held.get(input)
    if (known !== undefined) return known
    const result = compute(input)
    held.set(input, result)
    return result
  }
}

/** The function, computed again only if an argument changes (`Object.is`). Without arguments it is computed once. */
export const memoized = <I extends ReadonlyArray<unknown>, B>(compute: (...input: I) => B): ((...input: I) => B) => {
  let last: { readonly input: I; readonly output: B } | undefined
  return (...input) => {
    if (last === undefined || input.some((value, at) => !Object.is(value, last?.input[at]))) {
      last = { input, output: compute(...input) }
    }
    return last.output
  }
}
