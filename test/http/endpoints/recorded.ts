// Every answer of one moment, word for word. A change that is meant is recorded anew with
// `npx vitest run test/http/Endpoints.test.ts -u`; whoever reviews it sees what callers will see.
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { compatApis } from "../../../src/api/compat/compatApis.ts"
import { isAlwaysNew, type It, requests } from "../../api/endpoints.ts"
import { recordedText } from "../../recordedText.ts"
import { get } from "../../RunningService.ts"
import cases from "../cases.json" with { type: "json" }

/** Differs from run to run: the port, the id of a request, when the next poll is due, and when the service itself saw something. */
const CHANGING =
  /(?<=127\.0\.0\.1:)\d+|(?<="instance":")[^"]+|(?<=Ask again in )\d+|(?<=public, max-age=|stale-if-error=)\d+|(?<=2026-11-20T)12:[\d:.]+/g

const shown = (text: string): string => recordedText(text.replaceAll(CHANGING, "?"), 1200)

/** Answers from the record of the past, which fills meanwhile, and of explanations, which are made anew. */
const isMoving = (path: string): boolean =>
  isAlwaysNew(path) || /history|statement|[?&]at=|market_chart|ohlc|\/2026-|\/v1\/why/.test(path)

// `/docs` is the document of `/openapi.json` and the script of a library.
const documents = ["/llms.txt", "/openapi.json", ...compatApis.map(({ dialect }) => dialect.document)]

const answered = [...documents, ...requests.map(([path]) => path), ...cases.answered]

const paths = [...answered.filter((path) => !isMoving(path)), ...Object.values(cases.refused).flat()]

export const recorded = (it: It) => {
  it.effect("every answer is as it is recorded", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(new Set(paths), (path) =>
        Effect.map(get(path), ({ headers, status, text }) => {
          const about = ["cache-control", "content-type", "link", "x-source", "x-updated"]
            .flatMap((name) => (headers[name] === undefined ? [] : `${name}: ${[headers[name]].flat().join(", ")}`))
            .join("; ")
          return `${path}\n${status} ${shown(about)}\n${shown(text)}\n`
        })
      )
      yield* Effect.promise(() => expect(answers.join("\n")).toMatchFileSnapshot("endpoints/answers.txt"))
    })
  )
}
