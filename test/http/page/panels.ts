// The converter, the chart and the coins of `/`, on the page that tests in Chromium share.
import { assert } from "@effect/vitest"
import type { Vitest } from "@effect/vitest"
import { textOf } from "../Chromium.ts"
import { goTo, look, pathOf, type SharedPage } from "../SharedPage.ts"

export const panels = (it: Vitest.MethodsNonLive<SharedPage>) => {
  it.effect("the converter takes tickers, names, ids and addresses, and tells three results of one amount", () =>
    look(async ({ page }) => {
      const results = page.locator("#convert .result")
      const taken = (field: string, hasText: string) => page.locator(`#${field}-taken`, { hasText }).waitFor()
      await page.fill("#from", "Pepe")
      await page.fill("#to", "naira")
      await taken("from", "Pepe (PEPE)")
      await results.locator("b").nth(2).waitFor()
      const names = await page.locator("#convert dt").allInnerTexts()
      assert.deepStrictEqual(names, ["You get", "Mid-market", "Official"])
      const rate = Number(await results.nth(1).locator("data").getAttribute("value"))

      // Nothing is answered from here, so every figure is made of the rates that the page has.
      await page.route("**/page/answers?*", () => undefined)
      await page.locator("#amount").fill("")
      await page.locator("#amount").pressSequentially("1234567.5")
      assert.strictEqual(await page.inputValue("#amount"), "1,234,567.5")
      const value = Number(await results.nth(1).locator("data").getAttribute("value"))
      assert.closeTo(value / rate, 1234567.5, 1e-6)
      assert.match(await results.nth(0).innerText(), /^You get\nupdating…$/, "of another amount nothing stays")
      await page.fill("#amount", "1e3")
      assert.strictEqual(await page.getAttribute("#amount", "aria-invalid"), "true")
      assert.match(await textOf(page, "#amount-taken"), /[.?]$/)
      assert.strictEqual(await results.locator("b").count(), 0)
      await page.unroute("**/page/answers?*")
      await page.fill("#amount", "2")

      await page.fill("#to", "shilling")
      await taken("to", "Several currencies have this name")
      await page.locator("#to-taken button", { hasText: "KES" }).click()
      assert.strictEqual(await page.inputValue("#to"), "KES")
      await page.fill("#from", "0xdAC17F958D2ee523a2206206994597C13D831ec7")
      await taken("from", "Tether (USDT)")
      await page.fill("#from", "qqqqqq")
      await page.getByText("No coin or currency has this name.").waitFor()
      assert.strictEqual(await page.getAttribute("#from", "aria-invalid"), "true")
      assert.strictEqual(await results.count(), 0, "no result of another coin stays")
      await page.fill("#from", "btc")
      await taken("from", "Bitcoin (BTC)")
      await page.getByRole("button", { name: "Swap from and to" }).click()
      await results.locator("b", { hasText: "BTC" }).first().waitFor()
      assert.strictEqual(await page.inputValue("#from"), "KES")
    })
  )

  it.effect("the chart has seven spans, is read by pointer and keyboard, and gives CSV", () =>
    look(async ({ page }) => {
      const spans = await page.locator("#history .spans button").allInnerTexts()
      assert.deepStrictEqual(spans, ["24 h", "7 d", "30 d", "90 d", "1 y", "5 y", "All"])
      await page.locator("#history").getByRole("button", { name: "24 h" }).click()
      await page.locator("#history a[download][href*='interval=hour']").waitFor()
      await page.locator("#history").getByRole("button", { name: "30 d" }).click()
      await page.locator("#history canvas").waitFor()
      await page.getByText(/^Known since /).waitFor()
      const slider = page.getByRole("slider", { name: "Points of USDT/NGN" })
      const read = (await slider.getAttribute("aria-valuetext")) ?? ""
      assert.match(read, /UTC: ₦[\d,.]+ street, buy ₦[\d,.]+, sell ₦/)
      await page.locator("#history .plot").hover()
      assert.match(await textOf(page, "#history .reading"), /UTC/)
    })
  )

  it.effect("the coins are sorted, searched and priced in another currency", () =>
    look(async ({ page }) => {
      const rows = page.locator("#coins tbody tr")
      assert.strictEqual(await rows.count(), 20)
      await page.getByRole("button", { name: "Show more" }).click()
      assert.strictEqual(await rows.count(), 60)
      await page.locator("#coins thead").getByRole("button", { name: "Price" }).click()
      const cells = page.locator("#coins tbody td:nth-of-type(2) data")
      const prices = await cells.evaluateAll((all) => all.map((one) => Number(one.getAttribute("value"))))
      assert.deepStrictEqual(
        prices,
        prices.toSorted((one, other) => other - one)
      )
      await page.fill("#coins input", "ethereum")
      assert.match(await rows.first().innerText(), /Ethereum[^]*\$[\d,.]+/)
      await page.selectOption("#coins select", "NGN")
      const naira = rows.first().getByText(/^₦[\d,]+\.\d\d$/)
      await naira.waitFor()
      await page.fill("#coins input", "trust wallet")
      await page.locator("#coins .others a", { hasText: "Trust Wallet" }).waitFor()
      await page.fill("#coins input", "naira")
      await page.locator("#coins .others a[href='convert/tether/ngn']").waitFor()
      await page.fill("#coins input", "")
      await page.selectOption("#coins select", "USD")
    })
  )

  it.effect("an unknown coin has suggestions to choose from", () =>
    look(async ({ page }) => {
      await goTo(page, "coin/etherium")
      await page.locator("#coin .choices button").first().click()
      await page.locator("#coin .big").waitFor()
      assert.strictEqual(pathOf(page), "/coin/ethereum")
      await page.locator("#why-one .explanation, #why-one .problem").first().waitFor()
      await goTo(page, "naira")
    })
  )
}
