// What people see of `/` and `/docs`, in Chromium. Most tests of `/` share one page, in order: each brings it where it needs it.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { exchanges, RunningService } from "../RunningService.ts"
import { Chromium, isInstalled, type OpenPage, settled, textOf } from "./Chromium.ts"
import { goTo, look, origin, SharedPage, withRecord } from "./SharedPage.ts"
import { written } from "./support.ts"
import { rulesOf } from "../rulesOf.ts"

const lacking = `COINGECKO,COINPAPRIKA,CBN,FRANKFURTER,BITGET_P2P,QUIDAX,${exchanges}`

const suite = isInstalled ? describe : describe.skip

type Page = OpenPage["page"]

/** Waits for a title. The page's policy forbids `waitForFunction`. */
const titled = async (page: Page, pattern: RegExp) => {
  while (!pattern.test(await page.title())) await page.waitForTimeout(50)
}

const pathOf = (page: Page): string => new URL(page.url()).pathname

/** The next answers that the page gets, by path. */
const nextAnswers = async (page: Page) => (await (await page.waitForResponse("**/page/answers?*")).json()).answers

/** Pretends that the page is hidden or seen. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`{
    Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true })
    document.dispatchEvent(new Event("visibilitychange"))
  }`)

suite("pages, in Chromium", () => {
  layer(Chromium.layer, { excludeTestServices: true })((whole) => {
    whole.layer(withRecord)("over the sandbox", (it) => {
      const rule = rulesOf(it, Effect.void)

      rule("/ without JavaScript says what this is, and how to get every figure", function* () {
        const { page } = yield* (yield* Chromium).open({ javaScriptEnabled: false })
        yield* Effect.promise(async () => {
          const text = await textOf(page, "body")
          assert.include(text, "self-hosted JSON API")
          assert.include(text, "JavaScript is off")
          assert.include(text, "not financial advice")
          for (const path of [
            "v1/naira",
            "v1/naira/history",
            "v1/coins?limit=100",
            "v1/why",
            "v1/global",
            "v1/sources"
          ]) {
            assert.include(text, `curl "$URL/${path}"`)
            assert.isAtLeast(await page.locator(`a[href="${path}"]`).count(), 1)
          }
          assert.strictEqual(await page.locator("button:visible, input:visible").count(), 0)
        })
      })

      rule("/docs asks no other server, logs no error, goes to an endpoint, and sends a request", function* () {
        const { baseUrl } = yield* RunningService
        const { complaints, page, requests } = yield* (yield* Chromium).open({
          path: "/docs#tag/market/GET/v1/global"
        })
        yield* Effect.promise(async () => {
          while ((await page.evaluate<number>("scrollY")) < 500) await page.waitForTimeout(50)
          const answered = page.waitForResponse("**/v1/global*")
          await page.locator("button", { hasText: "get /v1/global)" }).click()
          await page.locator("button", { hasText: "Send get request" }).first().click()
          assert.strictEqual((await answered).status(), 200)
        })
        for (const url of requests) assert.isTrue(url.startsWith(baseUrl), url)
        assert.deepStrictEqual(complaints, [])
      })

      // Movers are told some seconds after the start, while the tests above run.
      it.layer(SharedPage.layer)("on one page", (it) => {
        const rule = rulesOf(it, Effect.void)

        rule("a load of / is one request of less than 80 kB, and logs no error", function* () {
          const { baseUrl } = yield* RunningService
          const { open } = yield* Chromium
          // A document leaves out figures that are late, as on a busy machine, and the page asks for them at once.
          const { complaints, page, requests, transferred } = yield* open().pipe(
            Effect.repeat({ until: ({ requests }) => requests.length === 1, times: 4 })
          )
          yield* Effect.promise(() => page.locator("#convert .result b").nth(2).waitFor())
          assert.deepStrictEqual([...requests], [`${baseUrl}/`])
          assert.isBelow(transferred(), 80_000)
          assert.isAbove(transferred(), 10_000)
          assert.deepStrictEqual(complaints, [])
        })

        it.effect("everything on / can be reached with the keyboard, and the focus is visible", () =>
          look(async ({ page }) => {
            const all = await page.evaluate<number>(
              "[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex=\\'0\\']')].filter((one) => one.checkVisibility()).length"
            )
            const reached = new Set<string>()
            for (let pressed = 0; pressed < all; pressed++) {
              await page.keyboard.press("Tab")
              const [name, isOutlined] = await page.evaluate<readonly [string, boolean]>(
                "(() => { const one = document.activeElement; one.dataset.at ??= String(document.querySelectorAll('[data-at]').length); return [one.tagName + one.dataset.at, getComputedStyle(one).outlineStyle === 'solid'] })()"
              )
              assert.isTrue(isOutlined, name)
              reached.add(name)
            }
            assert.strictEqual(reached.size, all)
          })
        )

        it.effect("/ shows the rate as it was sent, every venue when unfolded, and lines for other programs", () =>
          look(async ({ page }) => {
            const answered = nextAnswers(page)
            await page.locator("#rate .venues summary").click()
            const { data } = (await answered)["v1/naira"].body
            await page.locator("#rate .venues table").waitFor()
            const text = await textOf(page, "#rate")
            for (const { ads_used, venue } of data.venues) {
              assert.include(text, venue)
              if (ads_used !== null) assert.match(text, new RegExp(`\\b${ads_used}\\b`))
            }
            for (const part of [data.official_source, data.official_date, data.confidence]) assert.include(text, part)
            await page.locator("#rate .venues summary").click()

            await page.reload()
            await settled(page)
            const json = (await page.locator("#answers").textContent()) ?? ""
            const [naira] = JSON.parse(json).answers["v1/p2p"].body.data.markets
            for (const figure of [naira.buy, naira.sell, naira.mid, naira.official]) {
              const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
              assert.include(await textOf(page, "#rate"), `₦${figure.toLocaleString("en", digits)}`)
            }
            const mid = written(json.slice(json.indexOf('"v1/p2p":')), "mid") ?? ""
            assert.strictEqual(await page.getAttribute("#rate .big data", "value"), mid, "in every digit")
            assert.strictEqual((await page.getAttribute("#rate .big data", "title"))?.replaceAll(",", ""), mid)
            assert.match(await textOf(page, "#rate"), /\d+ (s|minutes?) ago/)
            assert.isTrue(await page.isVisible("#sandbox"), "simulated data is marked")
            assert.match(await page.title(), /^₦[\d,.]+ · /)

            await page.locator("#rate .uses summary").click()
            assert.include(await textOf(page, "#rate .line"), `curl ${origin(page)}/v1/p2p`)
            await page.locator("#rate .line button").first().click()
            await page.getByText("Copied").first().waitFor()
            assert.strictEqual(await page.evaluate("navigator.clipboard.readText()"), `curl ${origin(page)}/v1/p2p`)
            await page.locator("#rate .uses summary").click()
          })
        )

        it.effect("addresses have titles; back and forward work; the market of the last visit is remembered", () =>
          look(async ({ page }) => {
            await page.getByRole("link", { name: "KES", exact: true }).click()
            await page.locator("#rate h2", { hasText: "USDT/KES" }).waitFor()
            assert.strictEqual(pathOf(page), "/p2p/kes")
            await titled(page, /^KES [\d.]+ · USDT\/KES: the P2P rate of the Kenyan Shilling$/)
            assert.notInclude(
              await textOf(page, "#rate .stamp"),
              "Central Bank of Nigeria",
              "the sources of this market"
            )
            await page.getByRole("link", { name: "Bitcoin BTC" }).click()
            await page.locator("#coin .big").waitFor()
            assert.strictEqual(pathOf(page), "/coin/bitcoin")
            await titled(page, /^Bitcoin: price, venues and history$/)
            await page
              .locator("#venues", { hasText: /\d exchanges make the price, on average within 0\.\d\d% of it/ })
              .waitFor()
            assert.match(
              await textOf(page, "#venues table"),
              /Kraken \(sandbox\)\s+exchange\s+\$[\d,.]+\s+[+−]?0\.\d\d%/
            )
            await page.goBack()
            await page.locator("#rate h2", { hasText: "USDT/KES" }).waitFor()
            await page.goForward()
            await page.locator("#coin").waitFor()
            await goTo(page, "convert/usd/bitcoin")
            assert.deepStrictEqual([await page.inputValue("#from"), await page.inputValue("#to")], ["USD", "bitcoin"])
            assert.strictEqual(
              await page.locator(":has(> #convert) + :has(> #rate)").count(),
              1,
              "the converter comes first"
            )
            await page.fill("#from", "naira")
            await titled(page, / BTC · NGN to BTC: converter$/)
            assert.strictEqual(pathOf(page), "/convert/ngn/bitcoin", "the address is of what the page shows")
            assert.strictEqual(await page.inputValue("#from"), "naira", "the text that was typed stays")
            const rate = await page.locator("#convert .result").nth(1).locator("b").innerText()
            assert.strictEqual(await page.title(), `${rate} · NGN to BTC: converter`)
            await page.goBack()
            await page.locator("#coin").waitFor()
            assert.strictEqual(pathOf(page), "/coin/bitcoin", "a change in the fields is no step back")
            await page.goto(`${origin(page)}/`)
            await page.locator("#rate h2", { hasText: "USDT/KES" }).waitFor()
            await page.goto(`${origin(page)}/?market=ghs`)
            await page.locator("#rate", { hasText: "Not complete: official rate missing" }).waitFor()
            assert.match(await textOf(page, "#rate"), /Official\nunknown/)
            await page.goto(`${origin(page)}/naira`)
            await page.locator("#rate h2", { hasText: "USDT/NGN" }).waitFor()
            await settled(page)
          })
        )

        it.effect("the converter takes tickers, names, ids and addresses, and tells three results of one amount", () =>
          look(async ({ page }) => {
            const results = page.locator("#convert .result")
            await page.fill("#from", "Pepe")
            await page.fill("#to", "naira")
            await page.locator("#from-taken", { hasText: "Pepe (PEPE)" }).waitFor()
            await results.locator("b").nth(2).waitFor()
            assert.deepStrictEqual(await page.locator("#convert dt").allInnerTexts(), [
              "You get",
              "Mid-market",
              "Official"
            ])
            const rate = Number(await results.nth(1).locator("data").getAttribute("value"))

            // Nothing is answered from here, so every figure is made of the rates that the page has.
            await page.route("**/page/answers?*", () => undefined)
            await page.locator("#amount").fill("")
            await page.locator("#amount").pressSequentially("1234567.5")
            assert.strictEqual(await page.inputValue("#amount"), "1,234,567.5")
            const value = Number(await results.nth(1).locator("data").getAttribute("value"))
            assert.closeTo(value / rate, 1234567.5, 1e-6)
            assert.match(await results.nth(1).innerText(), /₦[\d,]+\.\d\d/)
            assert.match(await results.nth(0).innerText(), /^You get\nupdating…$/, "of another amount nothing stays")
            for (const text of ["1e3", "abc", "1,5"]) {
              await page.locator("#amount").fill("")
              await page.locator("#amount").pressSequentially(text)
              assert.strictEqual(await page.inputValue("#amount"), text)
              assert.strictEqual(await page.getAttribute("#amount", "aria-invalid"), "true")
              assert.match(await textOf(page, "#amount-taken"), /[.?]$/)
              assert.strictEqual(await results.locator("b").count(), 0)
            }
            await page.unroute("**/page/answers?*")
            await page.fill("#amount", "2")

            await page.fill("#to", "EUR")
            await page.locator("#convert dt", { hasText: "Mid-market" }).waitFor()
            await page.fill("#to", "dollar")
            await page.locator("#to-taken", { hasText: "US Dollar (USD)" }).waitFor()
            await page.fill("#to", "shilling")
            await page.locator("#to-taken", { hasText: "Several currencies have this name" }).waitFor()
            await page.locator("#to-taken button", { hasText: "KES" }).click()
            assert.strictEqual(await page.inputValue("#to"), "KES")
            await page.fill("#from", "trust wallet")
            await page.locator("#from-taken", { hasText: "Trust Wallet (TWT)" }).waitFor({ timeout: 60_000 })
            await page.fill("#from", "0xdAC17F958D2ee523a2206206994597C13D831ec7")
            await page.locator("#from-taken", { hasText: "Tether (USDT)" }).waitFor()
            await page.fill("#from", "qqqqqq")
            await page.getByText("No coin or currency has this name.").waitFor()
            assert.strictEqual(await page.getAttribute("#from", "aria-invalid"), "true")
            assert.strictEqual(await results.count(), 0, "no result of another coin stays")
            await page.fill("#from", "btc")
            await page.locator("#from-taken", { hasText: "Bitcoin (BTC)" }).waitFor()
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
            assert.match((await page.getAttribute("#history a[download]", "href")) ?? "", /history\?format=csv$/)
            await page.locator("#history canvas").waitFor()
            await page.getByText(/^Known since /).waitFor()
            const slider = page.getByRole("slider", { name: "Points of USDT/NGN" })
            assert.match(
              (await slider.getAttribute("aria-valuetext")) ?? "",
              /UTC: ₦[\d,.]+ street, buy ₦[\d,.]+, sell ₦/
            )
            assert.match(await textOf(page, "#history .body .stamp"), /^From .*(?:Bybit|Bitget) P2P/)
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
            const prices = await page
              .locator("#coins tbody td:nth-of-type(2) data")
              .evaluateAll((all) => all.map((one) => Number(one.getAttribute("value"))))
            assert.deepStrictEqual(
              prices,
              prices.toSorted((one, other) => other - one)
            )
            await page.fill("#coins input", "ethereum")
            assert.match(await rows.first().innerText(), /Ethereum/)
            assert.match(await rows.first().innerText(), /\$[\d,.]+/)
            await page.selectOption("#coins select", "NGN")
            await rows
              .first()
              .getByText(/^₦[\d,]+\.\d\d$/)
              .waitFor()
            await page.fill("#coins input", "trust wallet")
            await page.locator("#coins .others a", { hasText: "Trust Wallet" }).waitFor()
            await page.fill("#coins input", "0xdac17f958d2ee523a2206206994597c13d831ec7")
            await rows.getByRole("link", { name: "Tether USDT" }).waitFor()
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

        rule("/ shows what a feed says as text, and links to http(s) addresses only", function* () {
          const { complaints, page } = yield* SharedPage
          yield* Effect.promise(async () => {
            const hostile = `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script>`
            const before = complaints.length
            await page.route(page.url(), async (route) => {
              const response = await route.fetch()
              const body = (await response.text()).replace(
                /(<script type="application\/json" id="answers">)([^]*?)<\/script>/,
                (_, element: string, json: string) => {
                  const sent = JSON.parse(json)
                  const { market } = sent.answers["v1/why"].body.data
                  market.citations = [
                    { ...market.citations[0], title: hostile, url: "javascript:document.title='owned'" }
                  ]
                  market.summary = hostile
                  return `${element}${JSON.stringify(sent).replaceAll("<", String.raw`\u003c`)}</script>`
                }
              )
              await route.fulfill({ response, body })
            })
            await page.reload()
            await page.getByText(hostile).first().waitFor()
            assert.include((await page.locator("#why .market ol").textContent()) ?? "", hostile)
            assert.strictEqual(await page.locator("#why .market ol a").count(), 0)
            assert.strictEqual(await page.locator("#why img, #why script").count(), 0)
            assert.notInclude(await page.title(), "owned")
            assert.deepStrictEqual(complaints.slice(before), [])
            await page.unroute(page.url())
          })
        })
      })

      rule("figures refresh themselves together while the page is seen, and not while it is hidden", function* () {
        const prepare = (page: Page) => page.clock.install()
        const { page, requests } = yield* (yield* Chromium).open({ prepare })
        const asked = () => requests.filter((url) => url.includes("/page/answers?")).length
        yield* Effect.promise(async () => {
          await settled(page)
          const refreshed = nextAnswers(page)
          await page.clock.fastForward(40_000)
          assert.containsAllKeys(await refreshed, ["v1/p2p", "v1/convert?from=coin%3Atether&to=fiat%3ANGN&basis=p2p"])
          await setHidden(page, true)
          const whileSeen = asked()
          await page.clock.fastForward(300_000)
          assert.strictEqual(asked(), whileSeen)
          const seen = nextAnswers(page)
          await setHidden(page, false)
          await page.clock.fastForward(1)
          assert.containsAllKeys(await seen, ["v1/p2p", "v1/coins?limit=100", "v1/why"])
        })
      })

      rule(
        "a server that is away is said once, above the figures, which stay; the page recovers by itself",
        function* () {
          let isAway = false
          const prepare = async (page: Page) => {
            await page.clock.install()
            await page.route("**/page/answers?*", (route) => (isAway ? route.abort() : route.continue()))
          }
          const { page } = yield* (yield* Chromium).open({ prepare })
          yield* Effect.promise(async () => {
            isAway = true
            await page.clock.fastForward(45_000)
            await page
              .locator("#away", { hasText: /The server cannot be reached[^]*Tries again by itself in \d+ s/ })
              .waitFor()
            assert.strictEqual(await page.locator(".problem").count(), 1)
            assert.isTrue(await page.isVisible("#rate .big"), "the rate that was shown stays")
            const age = await textOf(page, "#rate .soft time")
            await page.clock.fastForward(120_000)
            assert.notStrictEqual(await textOf(page, "#rate .soft time"), age, "its age counts")
            await page.getByRole("link", { name: "Bitcoin BTC" }).click()
            await page.locator("#coin .wait").waitFor()
            isAway = false
            await page.clock.fastForward(60_000)
            await page.locator("#coin .big").waitFor()
            await page.locator("#away").waitFor({ state: "detached" })

            await page.context().setOffline(true)
            await page.getByText("You are offline.").waitFor()
            assert.isTrue(await page.isVisible("#coin .big"))
            await page.context().setOffline(false)
            await page.getByText("You are offline.").waitFor({ state: "detached" })
          })
        }
      )
    })

    whole.layer(RunningService.layer({ config: { SOURCES_DISABLED: lacking } }))("while sources are missing", (it) => {
      it.effect("/ shows a 503 in the API's words, and null as unknown with the reason", () =>
        Effect.gen(function* () {
          const { complaints, page } = yield* (yield* Chromium).open()
          yield* Effect.promise(async () => {
            const coins = await textOf(page, "#coins .problem")
            assert.match(coins, /^Data unavailable\n/)
            assert.match(coins, /Tries again by itself in \d+ (s|minutes?)\.|Trying again…/)
            assert.match(coins, /About this error/)
            assert.isTrue(await page.locator("#coins a[href$='/problems/source_unavailable']").isVisible())
            assert.strictEqual(await page.locator("#coins table").count(), 0)

            assert.include(await textOf(page, "#history .problem"), "This server keeps no history (HISTORY=off)")

            const rate = await textOf(page, "#rate")
            assert.match(rate, /Official\nunknown/)
            assert.match(rate, /Premium\nunknown/)
            assert.include(rate, "Not complete: official rate missing")
            assert.match(rate, /Buy\n₦[\d,.]+/)
          })
          assert.deepStrictEqual(complaints, [])
        })
      )
    })
  })
})
