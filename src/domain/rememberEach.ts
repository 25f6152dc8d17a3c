// Keeps the results of a function by its argument. `services/memoized` keeps the last result alone.

/**
 * The function, computed once for each argument. Where `most` results are held, all are dropped: that bounds the memory,
 * and what is asked for again is soon held again.
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

/** The function, computed once for each object; the result is held as long as the object. */
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

/** The value of `make`, which runs at the first call only: lists are long, and a start should not wait for what it does not need. */
export const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}
