// The findings as a page for a terminal, and as JSON for machines.
import { type Area, exitCode, type Finding, type Level } from "./DoctorFindings.ts"

const titles: ReadonlyArray<readonly [Area, string]> = [
  ["settings", "Settings"],
  ["machine", "This machine"],
  ["sources", "Sources, each asked once"],
  ["served", "What would be served"]
]

const words: Readonly<Record<Level, string>> = { ok: "ok", degraded: "CHECK", failing: "WRONG", off: "-" }

const verdicts = {
  0: "All well.",
  1: "Degraded: what is marked CHECK is wrong, but callers are still served.",
  2: "Users would notice: see what is marked WRONG."
} as const

/** Aligned text, one line a finding. */
export const asText = (findings: ReadonlyArray<Finding>): string => {
  const width = Math.max(...findings.map(({ name }) => name.length))
  const sections = titles.flatMap(([area, title]) => {
    const lines = findings
      .filter((finding) => finding.area === area)
      .map(({ level, name, text }) => `  ${words[level].padEnd(5)}  ${name.padEnd(width)}  ${text}`)
    return lines.length === 0 ? [] : [[title, ...lines].join("\n")]
  })
  return [...sections, verdicts[exitCode(findings)]].join("\n\n")
}

const statuses = { 0: "ok", 1: "degraded", 2: "failing" } as const

/** `status` and `exit_code` say the same; findings in the order of the page. */
export const asJson = (findings: ReadonlyArray<Finding>): string => {
  const code = exitCode(findings)
  return JSON.stringify({ status: statuses[code], exit_code: code, findings }, null, 2)
}
