// What the gate reads in a request's target: its question, or the faults of its parameters.
import type { Faults } from "../../../src/http/request/faults.ts"
import { parsePath } from "../../../src/http/request/ParsedPath.ts"
import { isFaulty, questionOf } from "../../../src/http/request/Question.ts"
import { prefersCsv } from "../../../src/http/request/weightsOf.ts"
import * as Target from "../../../src/http/request/Target.ts"

export const routed = (text: string) => parsePath(Target.parse(text).path)

/** The question of a request, or its faults. */
const asked = (text: string, accept?: string) => {
  const parsed = routed(text)
  if (parsed.route === undefined) throw new Error(`${text} has no route`)
  return questionOf(parsed, parsed.route, Target.parse(text).query, prefersCsv(accept ?? ""))
}

export const questionIn = (text: string, accept?: string) => {
  const read = asked(text, accept)
  if (isFaulty(read)) throw new Error(`${text}: ${[...read.details].join("; ")}`)
  return read
}

export const keyOf = (text: string, accept?: string) => questionIn(text, accept).key

export const faultsIn = (text: string): Faults["details"] | undefined => {
  const read = asked(text)
  return isFaulty(read) ? read.details : undefined
}
