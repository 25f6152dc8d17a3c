// The limits of `/` in Chromium: its width, its contrast and names by axe, and its requests in an hour. They run with `TESTS=all`.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Chromium, isInstalled, type OpenPage, scrollsSideways, settled, violations } from "./Chromium.ts"
import { rulesOf } from "../rulesOf.ts"
import { goTo, look, origin, SharedPage, withRecord } from "./SharedPage.ts"

type Page = OpenPage["page"]

const suite = isInstalled ? describe : describe.skip

suite("the page, in Chromium", () => {
  layer(Chromium.layer, { excludeTestServices: true })((whole) => {
    whole.layer(withRecord)("over the sandbox", (it) => {
      const rule = rulesOf(it, Effect.void)

      it.layer(SharedPage.layer)("on one page", (it) => {
        it.effect(
          "/ fits 390 and 1440 px and has no violation for axe, in light and dark, with everything unfolded",
          () =>
            look(async ({ page }) => {
              await page.locator("#rate .venues summary").click()
              await page.locator("#rate .venues table").waitFor()
              assert.deepStrictEqual(await violations(page, "html", ["light", 390]), [])
              assert.deepStrictEqual(await violations(page, ".first", ["dark", 1440]), [])
              const shade = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor")
              assert.strictEqual(shade, "rgb(15, 21, 18)", "the last view is dark")
              await page.setViewportSize({ width: 390, height: 844 })
              await page.evaluate("scrollTo(0, 0)")
              const rate = await page.locator("#rate .big").boundingBox()
              assert.isBelow((rate?.y ?? Infinity) + (rate?.height ?? 0), 420, "the rate is above the fold of a phone")
              await goTo(page, "coin/bitcoin")
              assert.deepStrictEqual(await violations(page, "html", ["dark", 1440], ["light", 390]), [])
              await page.locator("#venues").getByRole("button", { name: "Pairs" }).click()
              await page.locator("#venues tbody tr").first().waitFor()
              assert.deepStrictEqual(await violations(page, "#venues", ["light", 1440], ["dark", 390]), [])
              for (const path of ["p2p/kes", "convert/usd/ngn"]) {
                await goTo(page, path)
                assert.deepStrictEqual(await violations(page, ".first", ["light", 1440], ["dark", 390]), [])
              }
              const small = await page.evaluate<ReadonlyArray<string>>(
                "[...document.querySelectorAll('a, button, summary, select, input:not(.slider)')].filter((one) => one.checkVisibility() && !one.closest('p, ol, sup, .skip, footer') && one.getBoundingClientRect().height < 24).map((one) => one.outerHTML)"
              )
              assert.deepStrictEqual(small, [], "targets are 24 px high")
              for (const path of ["/problems", "/problems/not_found", "/nosuchpage"]) {
                await page.goto(origin(page) + path)
                assert.deepStrictEqual(await violations(page, "html", ["light", 390], ["dark", 1440]), [])
              }
              await page.goto(`${origin(page)}/docs`)
              await page.locator("h2", { hasText: "A first request" }).waitFor()
              await page.setViewportSize({ width: 390, height: 844 })
              assert.isFalse(await page.evaluate(scrollsSideways), "/docs")
              assert.strictEqual(await page.locator("header a").first().getAttribute("href"), "/")
            })
        )
      })

      rule("an hour open costs at most 120 requests, whatever one clicks, and a coin seen before none", function* () {
        const prepare = (page: Page) => page.clock.install()
        const { page, requests } = yield* (yield* Chromium).open({ prepare })
        yield* Effect.promise(async () => {
          const ids = await page
            .locator("#coins th a")
            .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""))
          const look = async (path: string) => {
            await page.locator(`#coins a[href='${path}']`).click()
            await page.locator("#coin .big").waitFor()
            await settled(page)
          }
          for (const path of ids) await look(path)
          assert.isAtMost(requests.length, 26, "twenty coins are a request each, but for figures that are late")
          const before = requests.length
          await look(ids.at(-2) ?? "")
          assert.isAtMost(requests.length, before + 1)
          for (let passed = 0; passed < 80; passed++) {
            if (passed % 4 === 0) await page.locator(`#coins a[href='${ids[passed % 20]}']`).click()
            await page.clock.fastForward(45_000)
            await page.waitForTimeout(40)
          }
          assert.isAtMost(requests.length, 120)
          assert.isAbove(requests.length, 75)
        })
      })
    })
  })
})
