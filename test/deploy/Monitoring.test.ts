// The alerts and the dashboard in `deploy`: Prometheus' own programs read them, and every metric that they name is documented.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { hasPrograms } from "../isPresent.ts"
import { isDocumented } from "./documentedMetrics.ts"

const file = (path: string) => new URL(`../../${path}`, import.meta.url)
const read = (path: string) => readFileSync(file(path), "utf8")

const promtool = (...args: ReadonlyArray<string>) =>
  execFileSync("promtool", args, { cwd: file(""), encoding: "utf8", stdio: "pipe" })

const Panel = Schema.Struct({
  id: Schema.Int,
  title: Schema.NonEmptyString,
  gridPos: Schema.Struct({ x: Schema.Int, y: Schema.Int, w: Schema.Int, h: Schema.Int }),
  targets: Schema.Array(Schema.Struct({ refId: Schema.NonEmptyString, expr: Schema.NonEmptyString }))
})
const { panels } = Schema.decodeSync(Schema.fromJsonString(Schema.Struct({ panels: Schema.Array(Panel) })))(
  read("deploy/grafana.json")
)
const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

describe("deploy", () => {
  it("names documented metrics alone", () => {
    const alerts = read("deploy/alerts.yml").replace(/^ *(?:#|summary:).*$/gm, "")
    const named = [alerts, ...expressions].flatMap((text) => text.match(/\b(?:cda|process|nodejs)_[a-z0-9_]+/g) ?? [])
    assert.isAbove(named.length, 20)
    for (const name of named) assert.isTrue(isDocumented(name.replace(/_bucket$/, "")), name)
  })

  it("has a dashboard of panels that do not overlap", () => {
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`)
    )
    assert.strictEqual(new Set(cells).size, cells.length)
    assert.strictEqual(new Set(panels.map(({ id }) => id)).size, panels.length)
    for (const { gridPos } of panels) assert.isAtMost(gridPos.x + gridPos.w, 24)
  })

  describe.skipIf(!hasPrograms("promtool"))("Prometheus", () => {
    it("accepts the configuration", () =>
      assert.include(promtool("check", "config", "deploy/prometheus.yml"), "SUCCESS"))

    it("fires each alert when it should and not otherwise", () => {
      const alerts = [...read("deploy/alerts.yml").matchAll(/alert: (\w+)/g)].map(([, name]) => name)
      const tested = read("test/deploy/alerts.test.yml")
      for (const name of alerts) assert.include(tested, `alertname="${name}"`)
      assert.include(promtool("test", "rules", "test/deploy/alerts.test.yml"), "SUCCESS")
    })

    it("parses every expression of the dashboard", () => {
      const folder = mkdtempSync(join(tmpdir(), "dashboard-"))
      const rules = expressions.map((expr, n) => ({ record: `panel:${n}`, expr }))
      writeFileSync(join(folder, "rules.yml"), JSON.stringify({ groups: [{ name: "dashboard", rules }] }))
      assert.include(promtool("check", "rules", join(folder, "rules.yml")), `${rules.length} rules found`)
      rmSync(folder, { recursive: true })
    })
  })
})
