// The Containerfile, read.
import { read } from "./Markdown.ts"

export interface Stage {
  /** The image it begins from. */
  readonly from: string
  /** `AS`, or empty. */
  readonly name: string
  readonly instructions: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

/** The stages of the Containerfile. */
export const containerfile = (() => {
  const [, ...parts] = read("deploy/Containerfile").split(/^FROM /m)
  const stages = parts.map((text): Stage => {
    const [from = "", ...lines] = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
    const variables = lines.flatMap((line) => /^ENV (\w+)=(\S+)$/.exec(line) ?? [])
    return {
      from: from.split(" ").find((word) => !word.startsWith("--")) ?? "",
      name: from.split(" AS ")[1] ?? "",
      instructions: lines,
      env: variables.length === 0 ? {} : { [variables[1] ?? ""]: variables[2] ?? "" }
    }
  })
  const final = stages.at(-1)
  if (final === undefined) throw new Error("The Containerfile has no stage")
  return { stages, final }
})()
