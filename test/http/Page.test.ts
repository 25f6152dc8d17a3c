import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { RunningService } from "../RunningService.ts"
import { Chromium, isInstalled, isWider, rewritten, seen, settled, textOf, timed, violations } from "./Chromium.ts"
import { conversion, written } from "./support.ts"

const everyView = (["light", "dark"] as const).flatMap((colorScheme) =>
  [360, 1440].map((width) => ({ colorScheme, width }))
)

const Browsing = Layer.mergeAll(RunningService.layer(), Chromium.layer)

const suite = isInstalled ? describe : describe.skip

suite("the page for people, in Chromium", () => {
  layer(Browsing, { excludeTestServices: true })("over the sandbox", (it) => {
    it.effect("costs six requests and less than 60 kB, asks nobody else, and complains of nothing", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* RunningService
        yield* seen({}, async ({ complaints, requests, transferred }) => {
          assert.deepStrictEqual(
            requests.filter((url) => !url.startsWith("data:")).map((url) => url.replace(baseUrl, "")),
            [
              "/",
              "/v1/naira",
              "/v1/convert?from=bitcoin&to=NGN&amount=0.01",
              "/v1/global",
              "/v1/coins?limit=15&page=1",
              "/v1/why"
            ]
          )
          assert.deepStrictEqual(complaints, [])
          assert.isBelow(transferred(), 60_000)
          assert.isAbove(transferred(), 10_000)
        })
      })
    )

    for (const view of everyView) {
      it.effect(`fits ${view.width} px and has no violation for axe, ${view.colorScheme}`, () =>
        seen(view, async ({ complaints, page }) => {
          const shade = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor")
          assert.strictEqual(shade, view.colorScheme === "dark" ? "rgb(15, 21, 18)" : "rgb(250, 251, 249)")
          assert.isFalse(await page.evaluate(isWider))
          assert.deepStrictEqual(await violations(page), [])
          assert.isFalse(await page.evaluate(isWider), "with all details open")
          assert.deepStrictEqual(complaints, [])
        })
      )
    }

    it.effect("shows the naira rate as it was sent, with every venue, its stamp and its curl", () =>
      seen({}, async ({ page }) => {
        const json = await page.evaluate<string>("fetch('/v1/naira').then((response) => response.text())")
        const { data, meta } = JSON.parse(json)
        await page.locator("#naira .refresh").click()
        await settled(page)
        const text = await textOf(page, "#naira")
        for (const figure of [data.buy, data.sell, data.mid, data.official]) {
          assert.include(
            text,
            `₦${figure.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
          )
        }
        for (const { ads_used, venue } of data.venues) {
          assert.include(text, venue)
          if (ads_used !== null) assert.match(text, new RegExp(`\\b${ads_used}\\b`))
        }
        for (const part of [meta.source, data.official_date, data.official_source, data.confidence]) {
          assert.include(text, part)
        }
        assert.match(text, /Observed \d+ (s|minutes?) ago/)
        assert.strictEqual(await textOf(page, "#naira .curl"), `curl ${new URL(page.url()).origin}/v1/naira`)
        assert.strictEqual(await page.getAttribute("#naira .big data", "value"), written(json, "mid"))
        assert.isTrue(await page.isVisible("#sandbox"), "what is simulated says so")
      })
    )

    it.effect("may run its own style and script, ask its own origin, and nothing else", () =>
      Effect.gen(function* () {
        const { get } = yield* RunningService
        const { headers, text } = yield* get("/")
        const hashOf = (element: string) => {
          const inside = new RegExp(`<${element}[^>]*>([^]*)</${element}>`).exec(text)?.[1] ?? ""
          return `'sha256-${createHash("sha256").update(inside).digest("base64")}'`
        }
        assert.deepStrictEqual(String(headers["content-security-policy"]).split("; "), [
          "default-src 'none'",
          "connect-src 'self'",
          "img-src data:",
          `style-src ${hashOf("style")}`,
          `script-src ${hashOf("script")}`,
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
          "trusted-types 'none'"
        ])
        assert.notMatch(text, /\son\w+=|\sstyle=/, "no handler and no style in an attribute")
      })
    )

    it.effect("converts, and shows the result in every digit that was sent", () =>
      seen({}, async ({ page }) => {
        await page.fill("#amount", "1234567")
        await page.fill("#from", "pepe")
        await page.fill("#to", "EUR")
        const answered = page.waitForResponse("**/v1/convert?from=pepe*")
        await page.click("#converter .main")
        const json = await (await answered).text()
        await settled(page)
        const result = written(json, "result") ?? ""
        const shown = await textOf(page, "#convert .sum")
        assert.strictEqual(shown.replaceAll(",", ""), `1234567 pepe = ${result} EUR`)
        assert.include(await textOf(page, "#convert table"), "CoinGecko (sandbox)")
        assert.include(await textOf(page, "#convert .curl"), conversion("pepe", "EUR", "1234567"))
        assert.include(await textOf(page, "#said"), `1,234,567 pepe is `)
      })
    )

    it.effect("an unknown id is refused in the API's words, and what it may have meant can be chosen", () =>
      seen({}, async ({ page }) => {
        await page.fill("#from", "btc")
        await page.press("#from", "Enter")
        await page.locator("#convert .problem").waitFor()
        assert.include(
          await textOf(page, "#convert .problem"),
          `"btc" is neither a coin's identifier nor a fiat's code.`
        )
        assert.strictEqual(await page.getAttribute("#from", "aria-invalid"), "true")
        assert.isNull(await page.getAttribute("#to", "aria-invalid"))
        assert.deepStrictEqual(await violations(page), [])
        await page.locator("#convert .choices button").first().click()
        await page.locator("#convert .sum").waitFor()
        assert.match(await textOf(page, "#convert .sum"), /^0.01 bitcoin = [\d,.]+ NGN$/)
        assert.isNull(await page.getAttribute("#from", "aria-invalid"))
      })
    )

    it.effect("a parameter that is not valid is named with its rule", () =>
      seen({}, async ({ page }) => {
        await page.fill("#amount", "1,000")
        await page.press("#amount", "Enter")
        await page.locator("#convert .problem").waitFor()
        assert.match(await textOf(page, "#convert .problem"), /amount must be a plain decimal/)
        assert.strictEqual(await page.getAttribute("#amount", "aria-invalid"), "true")
      })
    )

    it.effect("pages through the coins", () =>
      seen({}, async ({ page }) => {
        const first = await textOf(page, "#coins tbody")
        await page.getByRole("button", { name: "Next 15" }).click()
        await page.getByText("Page 2", { exact: true }).waitFor()
        const second = await textOf(page, "#coins tbody")
        assert.match(first, /^Bitcoin/)
        assert.notStrictEqual(second, first)
        assert.include(await textOf(page, "#coins .curl"), "page=2")
      })
    )

    it.effect("says of a coin that is no mover that it is none, and by how much", () =>
      seen({}, async ({ page }) => {
        await page.fill("#id", "tether")
        await page.press("#id", "Enter")
        await page.locator("#coin .sum").waitFor()
        const text = await textOf(page, "#coin")
        assert.include(text, "Not a mover")
        assert.match(text, /Tether is not among the biggest movers/)

        await page.fill("#id", "$(a)'*")
        await page.press("#id", "Enter")
        await page.locator("#coin .problem").waitFor()
        assert.strictEqual(
          await textOf(page, "#coin .curl"),
          `curl '${new URL(page.url()).origin}/v1/why/%24(a)%27*'`,
          "safe to be pasted"
        )
      })
    )

    it.effect("what a feed says is text, and only http(s) addresses are links", () => {
      const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
      const spoilt = (json: string) => {
        const body = JSON.parse(json)
        const citation = { ...body.data.market.citations[0], title: hostile, url: "javascript:document.title='owned'" }
        body.data.market.citations = [citation]
        body.data.market.summary = hostile
        return JSON.stringify(body)
      }
      return seen({ prepare: rewritten("/v1/why", spoilt) }, async ({ complaints, page }) => {
        assert.include(await textOf(page, "#why .market > p"), hostile)
        assert.include(await textOf(page, "#why .market > ol"), hostile)
        assert.strictEqual(await page.locator("#why .market > ol a").count(), 0)
        assert.strictEqual(await page.locator("#why img, #why script").count(), 0)
        assert.notInclude(await page.title(), "owned")
        assert.deepStrictEqual(complaints, [])
      })
    })

    it.effect("a quota that is used up is told in the API's words, counted down, and can be asked again after", () =>
      Effect.gen(function* () {
        const { get } = yield* RunningService
        const address = "198.51.100.1"
        const opened = yield* (yield* Chromium).open({ address, prepare: timed })
        const spend = get("/v1/fx", { method: "HEAD", headers: { "x-forwarded-for": address } })
        yield* Effect.replicateEffect(spend, 60, { discard: true })
        yield* Effect.promise(async () => {
          const { page } = opened
          const rate = await textOf(page, "#naira .big")
          await page.locator("#naira .refresh").click()
          await page.locator("#naira .problem").waitFor()
          const text = await textOf(page, "#naira .problem")
          assert.match(text, /Too many requests\n+All 60 requests of this minute are used up\. Ask again in \d+ s\./)
          assert.match(text, /It can be asked again in \d+ s\./)
          assert.strictEqual(await textOf(page, "#naira .big"), rate, "what was shown stays")
          assert.match(await textOf(page, "#said"), /^Too many requests/)
          const said = await textOf(page, "#said")
          assert.strictEqual(await page.locator("#naira .problem button").count(), 0)
          await page.clock.runFor(61_000)
          assert.strictEqual(await textOf(page, "#naira .problem button"), "Try again")
          assert.strictEqual(await textOf(page, "#said"), said, "the countdown is not read out")
          assert.match(await textOf(page, "#naira .stamp"), /Observed [1-9] minutes? ago/)
        })
      })
    )

    it.effect("ages count up, and what is old says so", () =>
      seen({ prepare: timed }, async ({ page }) => {
        assert.notInclude(await textOf(page, "#naira .stamp"), "old")
        await page.clock.runFor(301_000)
        assert.match(await textOf(page, "#naira .stamp"), /Observed [5-9] minutes ago · old/)
      })
    )

    it.effect("everything can be reached and worked with the keyboard alone, and what has the focus is seen", () =>
      seen({ permissions: ["clipboard-read", "clipboard-write"] }, async ({ page }) => {
        const all = await page.evaluate<number>(
          "[...document.querySelectorAll('a[href], button, input, summary, [tabindex=\\'0\\']')].filter((one) => one.checkVisibility()).length"
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

        await page.focus("#amount")
        await page.keyboard.press("Control+A")
        await page.keyboard.type("2")
        await page.keyboard.press("Enter")
        await page.getByText(/^2 bitcoin = /).waitFor()
        await page.focus("#convert .copy")
        await page.keyboard.press("Enter")
        await page.getByText("Copied").first().waitFor()
        assert.strictEqual(
          await page.evaluate("navigator.clipboard.readText()"),
          `curl '${new URL(page.url()).origin}${conversion("bitcoin", "NGN", "2")}'`
        )
        await page.focus("#why details:nth-of-type(2) summary")
        await page.keyboard.press("Enter")
        assert.isTrue(await page.locator("#why details:nth-of-type(2) .told").isVisible())
      })
    )

    it.effect("without JavaScript it says what this is, and how to get every figure", () =>
      seen({ javaScriptEnabled: false }, async ({ page }) => {
        const text = await textOf(page, "body")
        assert.include(text, "self-hosted JSON API")
        assert.include(text, "scripts are off")
        assert.include(text, "not financial advice")
        for (const path of [
          "naira",
          "convert?from=bitcoin&to=NGN&amount=0.01",
          "why",
          "global",
          "coins?limit=15&page=1"
        ]) {
          assert.include(text, `curl "$URL/v1/${path}"`)
          assert.strictEqual(await page.locator(`a[href="/v1/${path}"]`).count(), 1)
        }
        assert.strictEqual(await page.locator("button:visible, input:visible").count(), 0)
      })
    )
  })
  const lacking = "COINGECKO,COINPAPRIKA,COINLORE,CBN,FRANKFURTER,BITGET_P2P,QUIDAX"
  const Lacking = Layer.mergeAll(RunningService.layer({ config: { SOURCES_DISABLED: lacking } }), Chromium.layer)

  layer(Lacking, { excludeTestServices: true })("while sources are missing", (it) => {
    it.effect("what has no answer says why in the API's words, and what is null is unknown, with the reason", () =>
      seen({}, async ({ complaints, page }) => {
        const coins = await textOf(page, "#coins .problem")
        assert.match(
          coins,
          /^Nothing fresh enough is held\n+Nothing fresh enough is held for coins\. Ask again in \d+ s\./
        )
        assert.match(coins, /It can be asked again in \d+ s\./)
        assert.match(coins, /What this means · HTTP 503 · request [0-9a-f]+-/)
        assert.isTrue(await page.locator("#coins a[href$='/problems/source_unavailable']").isVisible())
        assert.strictEqual(await page.locator("#coins table").count(), 0)

        const naira = await textOf(page, "#naira")
        assert.match(naira, /Official rate\nunknown/)
        assert.match(naira, /Premium\nunknown/)
        assert.include(naira, "Why it is not all there: official rate missing")
        assert.match(naira, /Quidax \(sandbox\)\norder book\nno answer/)
        assert.match(naira, /One USDT costs\n₦[\d,.]+/)
        assert.deepStrictEqual(await violations(page), [])
        // What the browser itself says of an answer that is no success; the page has nothing to add.
        for (const complaint of complaints) assert.match(complaint, /the server responded with a status of 503/)
      })
    )
  })
})
