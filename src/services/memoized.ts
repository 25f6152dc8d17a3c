// Keeps the last result of a function, such as an index that is built once per snapshot.

/** The function, computed again only when an argument is another one (`Object.is`). */
export const memoized = <I extends ReadonlyArray<unknown>, B>(f: (...input: I) => B): ((...input: I) => B) => {
  let last: { readonly input: I; readonly output: B } | undefined
  return (...input) => {
    if (last === undefined || input.some((value, at) => !Object.is(value, last?.input[at]))) {
      last = { input, output: f(...input) }
    }
    return last.output
  }
}
