// Programs of the version before, as its documents had them: additions to the contract must not break their types.
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { join } from "node:path"
import Process from "node:process"

const compiled = (folder: string) =>
  Effect.callback<void>((resume) => {
    const compiler = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc")
    execFile(Process.execPath, [compiler, "-p", folder], (failure, stdout) =>
      resume(failure === null ? Effect.void : Effect.die(new Error(stdout)))
    )
  })

describe("the programs of the last version", () => {
  it.live("compile against this one, those with a query and those without", () =>
    compiled(join(import.meta.dirname, "lastVersion"))
  )
})
