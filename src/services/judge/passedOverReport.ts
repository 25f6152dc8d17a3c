// Logs and counts the rows that a choice passes over for the first time.
import { Effect } from "effect"
import * as RefreshMetrics from "../refresh/RefreshMetrics.ts"
import type { PassedOver } from "./Judge.ts"
import type { Why } from "./Verdict.ts"

const texts: Readonly<Record<Why, string>> = {
  jump: "jumped implausibly, not served until confirmed",
  alone: "contradict two sources that agree, not served",
  differs: "differ from another source and are further from what is known, not served"
}

/** Reports the rows that are passed over now and were not at the last choice. */
export const passedOverReport = (name: string) => {
  let reported: ReadonlySet<string> = new Set()
  return Effect.fnUntraced(function* (passedOver: ReadonlyArray<PassedOver>) {
    const nameOf = ({ key, source, why }: PassedOver) => `${source} ${why} ${key}`
    const news = Map.groupBy(
      passedOver.filter((one) => !reported.has(nameOf(one))),
      ({ source, why }) => `${source} ${why}`
    )
    reported = new Set(passedOver.map(nameOf))
    for (const [first, ...others] of news.values()) {
      if (first === undefined) continue
      const { source, why } = first
      yield* RefreshMetrics.passedOver({ question: name, source, why }, 1 + others.length)
      yield* Effect.logWarning(`${name}: ${1 + others.length} figures of ${source} ${texts[why]}`)
    }
  })
}
