// Logs and counts the rows that are passed over for the first time.
import { Effect } from "effect"
import * as RefreshMetrics from "../refresh/RefreshMetrics.ts"
import type { PassedOver } from "./Judge.ts"
import { EXCHANGES } from "./Rules.ts"
import type { Why } from "./Verdict.ts"

const texts: Readonly<Record<Why, string>> = {
  jump: "jumped implausibly, not served until confirmed",
  alone: "contradict two sources that agree, not served",
  differs: "differ from another source and are further from what is known, not served"
}

/** The exchanges behind a consensus change all the time, so they have one name. */
const nameOf = ({ dataSet, source }: PassedOver): string => (dataSet === EXCHANGES ? EXCHANGES : source)

/** Reports the rows that are passed over now and were not before. */
export const passedOverReport = (name: string) => {
  let reported: ReadonlySet<string> = new Set()
  return Effect.fnUntraced(function* (passedOver: ReadonlyArray<PassedOver>) {
    const idOf = (one: PassedOver) => `${nameOf(one)} ${one.why} ${one.key}`
    const news = Map.groupBy(
      passedOver.filter((one) => !reported.has(idOf(one))),
      (one) => `${nameOf(one)} ${one.why}`
    )
    reported = new Set(passedOver.map(idOf))
    for (const [first, ...others] of news.values()) {
      if (first === undefined) continue
      const [source, { why }] = [nameOf(first), first]
      yield* RefreshMetrics.passedOver({ question: name, source, why }, 1 + others.length)
      yield* Effect.logWarning(`${name}: ${1 + others.length} figures of ${source} ${texts[why]}`)
    }
  })
}
