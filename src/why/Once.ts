// Lazy values: the word lists are long, and a start should not wait for what it does not need.

/** The value of `make`, which runs at the first call only. */
export const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}
