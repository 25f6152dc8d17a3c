// Keeps the results of a function: by its argument, with the argument, or the last one alone, such as an index that is built once per
// snapshot or a list that a start need not wait for. What is computed from values that are replaced is kept by
// `services/refresh/Dependencies`.

/**
 * The function, computed once for each argument. When there are `most` results, all are dropped: that bounds the memory,
 * and results that are needed again are soon computed again.
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
    if (held.size >= most) held.clear()
    held.set(input, result)
    return result
  }
}

/** The function, computed once for each object. The result lives as long as the object. */
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

/** The function, computed again only when an argument is another one (`Object.is`). Without arguments it is computed once. */
export const memoized = <I extends ReadonlyArray<unknown>, B>(compute: (...input: I) => B): ((...input: I) => B) => {
  let last: { readonly input: I; readonly output: B } | undefined
  return (...input) => {
    if (last === undefined || input.some((value, at) => !Object.is(value, last?.input[at]))) {
      last = { input, output: compute(...input) }
    }
    return last.output
  }
}
