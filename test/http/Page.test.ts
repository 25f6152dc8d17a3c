// What people see of `/` and `/docs`, in Chromium. Most tests of `/` share one page, in order: each brings it where it needs it.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { exchanges, RunningService } from "../RunningService.ts"
import { Chromium, isInstalled, type OpenPage, settled, textOf } from "./Chromium.ts"
import { panels } from "./page/panels.ts"
import { goTo, look, origin, pathOf, SharedPage, withRecord } from "./SharedPage.ts"
import { written } from "./support.ts"
import { rulesOf } from "../rulesOf.ts"

const lacking = `COINGECKO,COINPAPRIKA,CBN,FRANKFURTER,BITGET_P2P,QUIDAX,${exchanges}`

const suite = isInstalled ? describe : describe.skip

type Page = OpenPage["page"]

/** Waits for a title. The page's policy forbids `waitForFunction`. */
const titled = async (page: Page, pattern: RegExp) => {
  while (!pattern.test(await page.title())) await page.waitForTimeout(50)
}

/** The next answers that the page gets, by path. */
const nextAnswers = async (page: Page) => (await (await page.waitForResponse("**/page/answers?*")).json()).answers

type Answers = Awaited<ReturnType<typeof nextAnswers>>

/** Loads the page again with other answers in its document, while `test` looks at it. */
const reloadedWith = async (page: Page, change: (answers: Answers) => void, test: () => Promise<void>) => {
  await page.route(page.url(), async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(
      /(<script type="application\/json" id="answers">)([^]*?)<\/script>/,
      (_, element: string, json: string) => {
        const sent = JSON.parse(json)
        change(sent.answers)
        return `${element}${JSON.stringify(sent).replaceAll("<", String.raw`\u003c`)}</script>`
      }
    )
    await route.fulfill({ response, body })
  })
  await page.reload()
  await test()
  await page.unroute(page.url())
}

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
          for (const part of ["self-hosted JSON API", "JavaScript is off", "not financial advice"]) {
            assert.include(text, part)
          }
          const paths = ["v1/naira", "v1/naira/history", "v1/coins?limit=100", "v1/why", "v1/global", "v1/sources"]
          for (const path of paths) {
            assert.include(text, `curl "$URL/${path}"`)
            assert.isAtLeast(await page.locator(`a[href="${path}"]`).count(), 1)
          }
          assert.strictEqual(await page.locator("button:visible, input:visible").count(), 0)
        })
      })

      rule("/docs asks no other server, logs no error, goes to an endpoint, and sends a request", function* () {
        const { baseUrl } = yield* RunningService
        const { complaints, page, requests } = yield* (yield* Chromium).open({ path: "/docs#tag/market/GET/v1/global" })
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
          assert.isTrue(transferred() > 10_000 && transferred() < 80_000, `${transferred()} bytes`)
          assert.deepStrictEqual(complaints, [])
        })

        it.effect("everything on / can be reached with the keyboard, and the focus is visible", () =>
          look(async ({ page }) => {
            const all = await page.evaluate<number>(`(() => {
              window.reached = new Map()
              addEventListener("focusin", ({ target }) => reached.set(target, getComputedStyle(target).outlineStyle))
              return [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")].filter((one) => one.checkVisibility()).length
            })()`)
            for (let pressed = 0; pressed < all; pressed++) await page.keyboard.press("Tab")
            const outlines = await page.evaluate<ReadonlyArray<string>>("[...reached.values()]")
            assert.deepStrictEqual([outlines.length, ...new Set(outlines)], [all, "solid"])
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
            assert.match(await textOf(page, "#rate"), /\d+ (s|minutes?) ago/)
            assert.isTrue(await page.isVisible("#sandbox"), "simulated data is marked")

            await page.locator("#rate .uses summary").click()
            const line = `curl ${origin(page)}/v1/p2p`
            assert.include(await textOf(page, "#rate .line"), line)
            await page.locator("#rate .line button").first().click()
            await page.getByText("Copied").first().waitFor()
            assert.strictEqual(await page.evaluate("navigator.clipboard.readText()"), line)
            await page.locator("#rate .uses summary").click()
          })
        )

        it.effect("addresses have titles; back and forward work; the market of the last visit is remembered", () =>
          look(async ({ page }) => {
            const isMarket = (fiat: string) => page.locator("#rate h2", { hasText: `USDT/${fiat}` }).waitFor()
            await page.getByRole("link", { name: "KES", exact: true }).click()
            await isMarket("KES")
            assert.strictEqual(pathOf(page), "/p2p/kes")
            await titled(page, /^KES [\d.]+ · USDT\/KES: the P2P rate of the Kenyan Shilling$/)
            assert.notInclude(await textOf(page, "#rate .stamp"), "Central Bank of Nigeria")
            await page.getByRole("link", { name: "Bitcoin BTC" }).click()
            await page.locator("#coin .big").waitFor()
            assert.strictEqual(pathOf(page), "/coin/bitcoin")
            await page
              .locator("#venues", { hasText: /\d exchanges make the price, on average within 0\.\d\d%/ })
              .waitFor()
            const row = /Kraken \(sandbox\)\s+exchange\s+\$[\d,.]+\s+[+−]?0\.\d\d%/
            assert.match(await textOf(page, "#venues table"), row)
            await page.goBack()
            await isMarket("KES")
            await page.goForward()
            await page.locator("#coin").waitFor()
            await goTo(page, "convert/usd/bitcoin")
            assert.deepStrictEqual([await page.inputValue("#from"), await page.inputValue("#to")], ["USD", "bitcoin"])
            assert.strictEqual(await page.locator(":has(> #convert) + :has(> #rate)").count(), 1, "it comes first")
            await page.fill("#from", "naira")
            await titled(page, / BTC · NGN to BTC: converter$/)
            assert.deepStrictEqual([pathOf(page), await page.inputValue("#from")], ["/convert/ngn/bitcoin", "naira"])
            await page.goBack()
            await page.locator("#coin").waitFor()
            assert.strictEqual(pathOf(page), "/coin/bitcoin", "a change in the fields is no step back")
            await page.goto(`${origin(page)}/`)
            await isMarket("KES")
            await page.goto(`${origin(page)}/?market=ghs`)
            await page.locator("#rate", { hasText: "Not complete: official rate missing" }).waitFor()
            assert.match(await textOf(page, "#rate"), /Official\nunknown[^]*Premium\nunknown/)
            await page.goto(`${origin(page)}/naira`)
            await isMarket("NGN")
            await settled(page)
          })
        )

        panels(it)

        it.effect("/ shows what a feed says as text, and links to http(s) addresses only", () =>
          look(async ({ complaints, page }) => {
            const hostile = `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script>`
            const before = complaints.length
            const change = (answers: Answers) => {
              const { market } = answers["v1/why"].body.data
              market.citations = [{ ...market.citations[0], title: hostile, url: "javascript:document.title='owned'" }]
              market.summary = hostile
            }
            await reloadedWith(page, change, async () => {
              await page.getByText(hostile).first().waitFor()
              assert.include((await page.locator("#why .market ol").textContent()) ?? "", hostile)
              assert.strictEqual(await page.locator("#why .market ol a, #why img, #why script").count(), 0)
              assert.notInclude(await page.title(), "owned")
              assert.deepStrictEqual(complaints.slice(before), [])
            })
          })
        )
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
      rulesOf(it, Effect.void)("/ shows a 503 in the API's words, and null as unknown with the reason", function* () {
        const { complaints, page } = yield* (yield* Chromium).open()
        yield* Effect.promise(async () => {
          const coins = await textOf(page, "#coins .problem")
          assert.match(
            coins,
            /^Data unavailable\n[^]*(?:Tries again by itself in \d+|Trying again…)[^]*About this error/
          )
          assert.isTrue(await page.locator("#coins a[href$='/problems/source_unavailable']").isVisible())
          assert.strictEqual(await page.locator("#coins table").count(), 0)
          assert.include(await textOf(page, "#history .problem"), "This server keeps no history (HISTORY=off)")
          assert.match(await textOf(page, "#rate"), /Buy\n₦[\d,.]+[^]*Official\nunknown[^]*Premium\nunknown/)
        })
        assert.deepStrictEqual(complaints, [])
      })
    })
  })
})
