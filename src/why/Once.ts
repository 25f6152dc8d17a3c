// Values made when they are first asked for: the word lists are long, and a start should not wait for what it does not need.

/** The value of `make`, made at the first call. */
export const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}
