// `doctor`: asks every source once, runs the services over what came, and prints what would be served and what is wrong. The exit
// code is 0 when all is well, 1 when a fallback serves, 2 when users would notice.
import { Console, Data, Effect, Runtime } from "effect"
import { Command } from "effect/cli"
import { imported, json, layerErrorLog } from "./CommandOutput.ts"
import { type Area, exitCode, type Finding, type Level } from "./DoctorFindings.ts"

const titles: ReadonlyArray<readonly [Area, string]> = [
  ["network", "Network"],
  ["settings", "Settings"],
  ["machine", "This machine"],
  ["sources", "Sources, each queried once"],
  ["served", "What would be served"]
]

const words: Readonly<Record<Level, string>> = { ok: "ok", degraded: "CHECK", failing: "WRONG", off: "-" }

/** By exit code: the status in JSON and the last line of the page. */
const verdicts = {
  0: { status: "ok", text: "Everything works." },
  1: { status: "degraded", text: "Degraded: callers are still served. See the lines marked CHECK." },
  2: { status: "failing", text: "Failing: callers would notice. See the lines marked WRONG." }
} as const

/** The findings as aligned text, one line each. */
export const asText = (findings: ReadonlyArray<Finding>): string => {
  const width = Math.max(...findings.map(({ name }) => name.length))
  const sections = titles.flatMap(([area, title]) => {
    const lines = findings
      .filter((finding) => finding.area === area)
      .map(({ level, name, text }) => `  ${words[level].padEnd(5)}  ${name.padEnd(width)}  ${text}`)
    return lines.length === 0 ? [] : [[title, ...lines].join("\n")]
  })
  return [...sections, verdicts[exitCode(findings)].text].join("\n\n")
}

const asJson = (findings: ReadonlyArray<Finding>): string => {
  const code = exitCode(findings)
  return JSON.stringify({ status: verdicts[code].status, exit_code: code, findings }, null, 2)
}

/** Ends the process with the exit code of findings that were printed already. */
class Unwell extends Data.TaggedError("Unwell")<{ readonly code: number }> {
  override readonly [Runtime.errorReported] = false
  override readonly [Runtime.errorExitCode] = this.code
}

export const doctor = Command.make(
  "doctor",
  { json },
  Effect.fnUntraced(function* ({ json }) {
    const findings = yield* imported(() => import("./DoctorExamination.ts"))
    yield* Console.log(json ? asJson(findings) : asText(findings))
    const code = exitCode(findings)
    if (code !== 0) return yield* new Unwell({ code })
  })
).pipe(
  Command.withDescription(
    "Query every source once and report what would be served. Exit code: 0 well, 1 degraded, 2 failing"
  ),
  // The findings replace the log.
  Command.provide(layerErrorLog("Error"))
)
