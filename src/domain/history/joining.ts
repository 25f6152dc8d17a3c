// The sources of points that are made of several.
import { joinSources } from "../Snapshot.ts"
import type { Point } from "./Point.ts"

/** Joins the sources of points, each combination once: a history of thousands of points has only a few. */
export const joining = () => {
  const known = new Map<string, string>()
  return (...points: ReadonlyArray<Pick<Point, "source">>): string => {
    const all = points.map(({ source }) => source).join(" + ")
    const joined = known.get(all) ?? joinSources([all])
    known.set(all, joined)
    return joined
  }
}
