/** A map of at most `2 * most` entries, of which the older half is dropped whole when the younger is full. */
export const make = <A>(most: number) => {
  let young = new Map<string, A>()
  let old = new Map<string, A>()
  return {
    get: (key: string): A | undefined => young.get(key) ?? old.get(key),
    set: (key: string, value: A): void => {
      if (young.size >= most && !young.has(key)) {
        old = young
        young = new Map()
      }
      young.set(key, value)
    }
  }
}
