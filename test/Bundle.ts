// Vitest's global setup: the processes that tests start are of the bundle that the package ships, built once for the run. It
// starts in a fifth of the time that the sources take.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { env, execPath } from "node:process"

const folder = join(import.meta.dirname, "../node_modules/.cache/crypto-data-api-test/dist")

export default (): void => {
  execFileSync(execPath, ["build/bundle.ts", folder], { cwd: join(import.meta.dirname, "..") })
  env["CDA_TEST_PROGRAM"] = join(folder, "main.js")
}
