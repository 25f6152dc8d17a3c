// The data set as the package exports it: its type, and `DataSet.make` for your own sources in programs and tests.
import * as Sets from "./DataSet.ts"

/** One data set of one source. */
export interface DataSet<out A> extends Sets.DataSet<A> {}

export const DataSet = {
  /** Makes a data set. Its `fetch` succeeds with a snapshot, or fails with a `SourceError`. Nothing is fetched before the first call. */
  make: <A>(options: Pick<Parameters<typeof Sets.make<A>>[0], "key" | "source" | "every" | "fetch" | "isOff">) =>
    Sets.make<A>(options)
}
