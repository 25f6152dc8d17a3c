// What people see of `/` and `/docs`, in Chromium. The tests of `/` share one page, in order: each fills in what it needs.
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schedule } from "effect"
import { exchanges, RunningService, get } from "../RunningService.ts"
import { Chromium, everyView, isInstalled, type OpenPage, settled, textOf, violations } from "./Chromium.ts"
import { conversion, written } from "./support.ts"

/** `/`, opened once the service tells movers: it finds them by hourly prices, which come some seconds after a start. */
class SharedPage extends Context.Service<SharedPage, OpenPage>()("test/http/SharedPage") {
  static readonly layer = Layer.effect(
    SharedPage,
    Effect.gen(function* () {
      yield* get("/v1/why").pipe(
        Effect.repeat({
          until: ({ status, text }) => status === 200 && JSON.parse(text).data.movers.length > 1,
          schedule: Schedule.spaced("200 millis"),
          times: 100
        })
      )
      return yield* (yield* Chromium).open({ permissions: ["clipboard-read", "clipboard-write"] })
    })
  )
}

/** Looks at the shared page. */
const look = (test: (opened: OpenPage) => Promise<void>) =>
  Effect.flatMap(SharedPage, (opened) => Effect.promise(() => test(opened)))

const lacking = `COINGECKO,COINPAPRIKA,CBN,FRANKFURTER,BITGET_P2P,QUIDAX,${exchanges}`

/** An expression that types a word in one turn of the browser: no pause is long enough for a search before its end. */
const typing = (field: string, word: string): string => `{
  const input = document.querySelector("${field}")
  for (let typed = 1; typed <= ${word.length}; typed++) {
    input.value = "${word}".slice(0, typed)
    input.dispatchEvent(new Event("input"))
  }
}`

const suite = isInstalled ? describe : describe.skip

const firstView = [
  "/",
  "/v1/naira",
  "/v1/naira/history",
  "/v1/convert?from=bitcoin&to=NGN&amount=0.01",
  "/v1/global",
  "/v1/coins?limit=15&page=1",
  "/v1/why"
]

/** The shared page over a service with a record, which begins with it. */
const recorded = Layer.provideMerge(SharedPage.layer, RunningService.layer({ config: { HISTORY: "on" } }))

suite("pages, in Chromium", () => {
  layer(Chromium.layer, { excludeTestServices: true })((whole) => {
    whole.layer(recorded)("over the sandbox", (it) => {
      it.effect("the first view of / costs seven requests and less than 32 kB, and logs no error", () =>
        Effect.gen(function* () {
          const { baseUrl } = yield* RunningService
          const { complaints, requests, transferred } = yield* SharedPage
          assert.deepStrictEqual(
            requests.map((url) => url.replace(baseUrl, "")),
            firstView
          )
          assert.isBelow(transferred(), 32_000)
          assert.isAbove(transferred(), 10_000)
          assert.deepStrictEqual(complaints, [])
        })
      )

      it.effect("everything on / can be reached and used with the keyboard, and the focus is visible", () =>
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

          await page.focus("#amount")
          await page.keyboard.press("Control+A")
          await page.keyboard.type("2")
          await page.keyboard.press("Enter")
          await page.locator("#convert .sum", { hasText: /^2 bitcoin = / }).waitFor()
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

      it.effect("/ shows the naira rate as it was sent, with every venue, its stamp and its curl", () =>
        look(async ({ page }) => {
          const answered = page.waitForResponse("**/v1/naira")
          await page.locator("#naira .refresh").click()
          const json = await (await answered).text()
          await settled(page)
          const { data, meta } = JSON.parse(json)
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
          assert.isTrue(await page.isVisible("#sandbox"), "simulated data is marked")
          const headed =
            "[...document.querySelectorAll('tbody tr')].map(({ cells }) => [...cells].findLastIndex((cell) => cell.tagName === 'TH'))"
          const heads: ReadonlyArray<number> = await page.evaluate(headed)
          assert.isNotEmpty(heads)
          assert.deepStrictEqual([...new Set(heads)], [0], "the first cell of a row, and no other, is its head")
        })
      )

      it.effect(
        "/ draws the naira's past: an order book is a line of its own, no line bridges a gap, a table has it all",
        () =>
          look(async ({ page }) => {
            // The service's own day.
            const recorded = await page.request.get(new URL("/v1/naira/history", page.url()).href)
            const { data } = await recorded.json()
            const newest = Date.parse(data.points.at(-1).time)
            const day = (before: number) => new Date(newest - before * 86_400_000).toISOString().slice(0, 10)
            await page.route("**/v1/naira/history?from=*", async (route) => {
              const response = await route.fetch({ maxRetries: 3 })
              const body = await response.json()
              const today = body.data.points.at(-1)
              body.data.points = [6, 5, 2, 1, 0].map((before) => ({
                ...today,
                date: day(before),
                time: `${day(before)}T00:00:00.000Z`,
                final: before > 0,
                revised: before === 2 ? `${day(1)}T03:00:00.000Z` : null,
                mid: 1500 + before,
                kind: before > 1 ? "order_book" : "p2p"
              }))
              await route.fulfill({ response, json: body })
            })
            await page.getByRole("button", { name: "1 year" }).click()
            await page.locator("#history path.book").waitFor()
            assert.match(await textOf(page, "#history .curl"), new RegExp(`/v1/naira/history\\?from=${day(364)}'$`))

            const points = (await page.getAttribute("#history path.book", "d")) ?? ""
            assert.match(points, /^M[^ML]+L[^ML]+M[^ML]+$/, "two days, a gap, and a day alone")
            assert.match((await page.getAttribute("#history path.main", "d")) ?? "", /^M[^ML]+L[^ML]+$/)
            assert.strictEqual(await page.locator("#history circle.book").count(), 1, "a day alone is a dot")
            assert.strictEqual(await page.locator("#history rect").count(), 2, "gaps are hatched")
            const legend = await page.locator("#history .key li").allInnerTexts()
            assert.deepStrictEqual(legend, ["P2P mid", "order book mid", "official rate", "nothing observed"])
            const axes = await page.locator("#history .plot text").allTextContents()
            assert.includeMembers([...axes], ["NGN for 1 USDT", "1,500"])

            const slider = page.getByRole("slider", { name: "Points of USDT/NGN" })
            const spoken = async () => (await slider.getAttribute("aria-valuetext")) ?? ""
            await slider.focus()
            assert.match(await spoken(), /, so far, ₦1,500\.00 P2P, .*official ₦/)
            for (const [key, expected] of [
              ["ArrowLeft", /^[^₦,]*, ₦1,501\.00 P2P, /],
              ["ArrowLeft", /^[^₦]*, corrected [^₦]*, ₦1,502\.00 order book, /],
              ["ArrowLeft", /₦1,505\.00 order book/],
              ["Home", /₦1,506\.00 order book/]
            ] as const) {
              await page.keyboard.press(key)
              assert.match(await spoken(), expected)
              assert.match(await textOf(page, "#history .reading b"), /^₦1,50\d\.00 (P2P|order book)$/)
            }
            const plot = await page.locator("#history .plot").boundingBox()
            await page.mouse.move((plot?.x ?? 0) + (plot?.width ?? 0) - 8, (plot?.y ?? 0) + 100)
            assert.match(await spoken(), /₦1,500\.00 P2P/, "the pointer reads the nearest point")

            await page.locator("#history .body summary").click()
            await page.locator("#history tbody").waitFor()
            const rows = await page.locator("#history tbody tr").allInnerTexts()
            assert.lengthOf(rows, 7, "five points and two gaps")
            assert.match(rows[0] ?? "", /so far.*1,500\.00/s)
            assert.match(rows[3] ?? "", / to .*nothing observed/s)
          })
      )

      it.effect("/ shows another market with its past, by choice or by a link, and remembers it", () =>
        Effect.gen(function* () {
          const { page } = yield* (yield* Chromium).open()
          yield* Effect.promise(async () => {
            const address = new URL(page.url()).origin
            await page.selectOption("#market", "KES")
            await page.locator("#naira-title", { hasText: "USDT/KES now" }).waitFor()
            await settled(page)
            assert.strictEqual(new URL(page.url()).search, "?market=kes")
            assert.strictEqual(await textOf(page, "#naira .curl"), `curl ${address}/v1/p2p/kes`)
            assert.match(await textOf(page, "#naira .big"), /^KES\s[\d,.]+$/)
            assert.strictEqual(await textOf(page, "#history .curl"), `curl ${address}/v1/p2p/kes/history`)
            assert.match(await textOf(page, "#history .stamp"), /Bybit P2P/)

            await page.goto(`${address}/`)
            await settled(page)
            assert.strictEqual(await textOf(page, "#naira .curl"), `curl ${address}/v1/p2p/kes`, "it is remembered")
            await page.goto(`${address}/?market=ghs`)
            await settled(page)
            assert.match(await textOf(page, "#naira"), /Official rate\nunknown/)
            assert.include(await textOf(page, "#naira"), "Not complete: official rate missing")
            await page.selectOption("#market", "NGN")
            await page.goto(`${address}/?market=eur`)
            await settled(page)
            assert.strictEqual(await textOf(page, "#naira .curl"), `curl ${address}/v1/naira`, "no such market")
          })
        })
      )

      it.effect("/ shows any coin's past in a fiat, and says what an unknown id might mean", () =>
        look(async ({ page }) => {
          await page.selectOption("#past-fiat", "EUR")
          await page.fill("#past-id", "eth")
          await page.press("#past-id", "Enter")
          await page.locator("#history .choices button").first().click()
          await page.getByRole("slider", { name: "Points of ETH/EUR" }).waitFor()
          assert.match(await textOf(page, "#history .reading"), /€[\d,]+\.\d\d\n/)
          assert.match(await textOf(page, "#history .stamp"), /\(sandbox\).*\n+Observed/)
          await page.getByRole("button", { name: "24 hours" }).click()
          await page.locator("#history .body", { hasText: /Without one: \d+ of 24 hours/ }).waitFor()
          assert.match(await textOf(page, "#history .curl"), /ethereum\/eur\/history\?interval=hour'$/)
          assert.match(await textOf(page, "#said"), /^ETH\/EUR, 24 hours$/)

          await page.getByRole("button", { name: "Solana history" }).click()
          await page.getByRole("slider", { name: "Points of SOL/EUR" }).waitFor()

          await page.route("**/v1/price/solana/eur/history", async (route) => {
            const response = await route.fetch({ maxRetries: 3 })
            const body = await response.json()
            body.data.points = []
            body.data.coverage = { from: "2025-01-01", to: "2025-02-03", missing: [] }
            await route.fulfill({ response, json: body })
          })
          await page.getByRole("button", { name: "30 days" }).click()
          const none = "Nothing was observed in these 30 days. What is known is of 1 Jan 2025 to 3 Feb 2025."
          await page.getByText(none).waitFor()
          assert.strictEqual(await textOf(page, "#history .stamp"), "", "nothing was observed at any time")
        })
      )

      it.effect("/ converts, and shows the result in every digit that was sent", () =>
        look(async ({ page }) => {
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
          assert.match(await textOf(page, "#said"), /^1,234,567 pepe = /)
          await page.fill("#from", "GBP")
          await page.press("#from", "Enter")
          await page.locator("#convert .sum", { hasText: / GBP = / }).waitFor()
          assert.notInclude(await textOf(page, "#convert .stamp"), "stale", "a fiat's rate is of a day")
        })
      )

      it.effect("fields of / find coins while one types, and the converter offers the customer's side", () =>
        look(async ({ page }) => {
          const searched: Array<string> = []
          page.on("request", (request: { url(): string }) => {
            const { pathname, searchParams } = new URL(request.url())
            if (pathname === "/v1/search") searched.push(searchParams.get("q") ?? "")
          })
          const offered = (value: string) => page.locator(`option[value='${value}']`).first()
          for (const [field, word, id] of [
            ["#from", "trust wallet", "trust-wallet-token"],
            ["#to", "pancakeswop", "pancakeswap-token"],
            ["#id", "KCS", "kucoin-shares"]
          ] as const) {
            assert.strictEqual(await offered(id).count(), 0, id)
            await page.evaluate(typing(field, word))
            await offered(id).waitFor({ state: "attached" })
            // What the test before typed may be searched for in this one.
            const begun = searched.filter((query) => word.startsWith(query))
            assert.deepStrictEqual(begun, [word], "one search a word")
          }
          await page.fill("#id", "bitcoin")
          await page.fill("#from", "tether")
          await page.fill("#to", "NGN")
          await page.fill("#amount", "5000")
          await page.press("#to", "Enter")
          await page.locator("#convert .customer", { hasText: /^A customer gets [\d,.]+ NGN .* by \d+ ads$/ }).waitFor()
          await page.selectOption("#basis", "customer")
          await page.press("#to", "Enter")
          await page.locator("#convert .body", { hasText: /customer's side/ }).waitFor()
          assert.strictEqual(await page.locator("#convert .customer").count(), 0)
          await page.selectOption("#basis", "mid")
          await page.fill("#to", "EUR")
        })
      )

      it.effect("/ shows a refused parameter with its rule, and an unknown id with suggestions to choose from", () =>
        look(async ({ page }) => {
          await page.fill("#amount", "1,000")
          await page.press("#amount", "Enter")
          await page.locator("#convert .problem code").waitFor()
          assert.match(await textOf(page, "#convert .problem"), /amount must be a plain decimal/)
          assert.strictEqual(await page.getAttribute("#amount", "aria-invalid"), "true")

          await page.fill("#amount", "0.01")
          await page.fill("#from", "btc")
          await page.press("#from", "Enter")
          await page.locator("#convert .choices button").first().waitFor()
          assert.match(await textOf(page, "#convert .problem"), /"btc" is neither a coin/)
          assert.strictEqual(await page.getAttribute("#from", "aria-invalid"), "true")
          assert.isNull(await page.getAttribute("#to", "aria-invalid"))
          assert.isNull(await page.getAttribute("#amount", "aria-invalid"))
          await page.locator("#convert .choices button").first().click()
          await page.locator("#convert .sum").waitFor()
          assert.match(await textOf(page, "#convert .sum"), /^0.01 bitcoin = [\d,.]+ EUR$/)
          assert.isNull(await page.getAttribute("#from", "aria-invalid"))
        })
      )

      it.effect("/ pages through the coins", () =>
        look(async ({ page }) => {
          const first = await textOf(page, "#coins tbody")
          await page.getByRole("button", { name: "Next 15" }).click()
          await page.getByText("Page 2", { exact: true }).waitFor()
          const second = await textOf(page, "#coins tbody")
          assert.match(first, /^Bitcoin/)
          assert.notStrictEqual(second, first)
          assert.include(await textOf(page, "#coins .curl"), "page=2")
        })
      )

      it.effect("/ says of a coin that does not move that it is no mover, and quotes its id for a shell", () =>
        look(async ({ page }) => {
          await page.fill("#id", "tether")
          await page.press("#id", "Enter")
          await page.locator("#coin .sum").waitFor()
          const text = await textOf(page, "#coin")
          assert.include(text, "Not a mover")
          assert.match(text, /Tether \(USDT\) · not a mover/)

          await page.fill("#id", "$(a)'*")
          await page.press("#id", "Enter")
          await page.locator("#coin .problem").waitFor()
          assert.strictEqual(
            await textOf(page, "#coin .curl"),
            `curl '${new URL(page.url()).origin}/v1/why/%24(a)%27*'`
          )
        })
      )

      it.effect("/ shows what a feed says as text, and links to http(s) addresses only", () =>
        look(async ({ complaints, page }) => {
          const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
          const before = complaints.length
          await page.route("**/v1/why", async (route) => {
            const response = await route.fetch({ maxRetries: 3 })
            const body = await response.json()
            const [citation] = body.data.market.citations
            body.data.market.citations = [{ ...citation, title: hostile, url: "javascript:document.title='owned'" }]
            body.data.market.summary = hostile
            await route.fulfill({ response, json: body })
          })
          await page.locator("#why .refresh").click()
          await page.getByText(hostile).first().waitFor()
          assert.include(await textOf(page, "#why .market > p"), hostile)
          assert.include(await textOf(page, "#why .market > ol"), hostile)
          assert.strictEqual(await page.locator("#why .market > ol a").count(), 0)
          assert.strictEqual(await page.locator("#why img, #why script").count(), 0)
          assert.notInclude(await page.title(), "owned")
          assert.deepStrictEqual(complaints.slice(before), [])
        })
      )

      it.effect(
        "/ fits 360 and 1440 px and has no violation for axe, in light and dark, with problems and all details",
        () =>
          look(async ({ page }) => {
            await page.fill("#from", "btc")
            await page.press("#from", "Enter")
            await page.locator("#convert .choices button").first().waitFor()
            assert.deepStrictEqual(await violations(page, ...everyView), [])
            const shade = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor")
            assert.strictEqual(shade, "rgb(15, 21, 18)", "the last view is dark")
          })
      )

      it.effect("/ tells ages that grow, marks stale data, and shows a used-up quota with a countdown", () =>
        Effect.gen(function* () {
          const address = "198.51.100.1"
          // A cache in between has had each answer for ten minutes.
          const prepare = async (page: OpenPage["page"]) => {
            await page.clock.install()
            await page.route("**/v1/**", async (route) => {
              const response = await route.fetch()
              const date = new Date(Date.parse(response.headers()["date"] ?? "") - 600_000).toUTCString()
              await route.fulfill({ response, headers: { ...response.headers(), date, age: "600" } })
            })
          }
          const { page } = yield* (yield* Chromium).open({ address, prepare })
          const spend = get("/v1/fx", { method: "HEAD", headers: { "x-forwarded-for": address } })
          yield* Effect.replicateEffect(spend, 60, { discard: true })
          yield* Effect.promise(async () => {
            assert.notInclude(await textOf(page, "#naira .stamp"), "stale")
            const rate = await textOf(page, "#naira .big")
            await page.locator("#naira .refresh").click()
            await page.locator("#naira .problem").waitFor()
            const problem = await textOf(page, "#naira .problem")
            assert.match(problem, /^Too many requests/)
            assert.match(problem, /You can try again in \d+ s\./)
            assert.strictEqual(await textOf(page, "#naira .big"), rate, "the rate that was shown stays")
            const said = await textOf(page, "#said")
            assert.match(said, /^Too many requests/)
            assert.strictEqual(await page.locator("#naira .problem button").count(), 0)
            await page.clock.fastForward(61_000)
            assert.strictEqual(await textOf(page, "#naira .problem button"), "Try again")
            assert.strictEqual(await textOf(page, "#said"), said, "a screen reader is not told the countdown")
            assert.match(await textOf(page, "#naira .stamp"), /Observed [1-9] minutes? ago/)
            await page.clock.fastForward(240_000)
            assert.match(await textOf(page, "#naira .stamp"), /Observed [5-9] minutes ago · stale/)
          })
        })
      )

      it.effect("/ without JavaScript says what this is, and how to get every figure", () =>
        Effect.gen(function* () {
          const { page } = yield* (yield* Chromium).open({ javaScriptEnabled: false })
          yield* Effect.promise(async () => {
            const text = await textOf(page, "body")
            assert.include(text, "self-hosted JSON API")
            assert.include(text, "JavaScript is off")
            assert.include(text, "not financial advice")
            for (const path of [...firstView.slice(1), "/v1/why/bitcoin"]) {
              assert.include(text, `curl "$URL${path}"`)
              assert.strictEqual(await page.locator(`a[href="${path}"]`).count(), 1)
            }
            assert.strictEqual(await page.locator("button:visible, input:visible").count(), 0)
          })
        })
      )

      it.effect("/docs asks no other server, logs no error, goes to an endpoint, and sends a request", () =>
        Effect.gen(function* () {
          const { baseUrl } = yield* RunningService
          const { complaints, page, requests } = yield* (yield* Chromium).open({
            path: "/docs#tag/market/GET/v1/global"
          })
          yield* Effect.promise(async () => {
            while ((await page.evaluate<number>("scrollY")) < 500) await page.waitForTimeout(50)
            const answered = page.waitForResponse("**/v1/global")
            await page.locator("button", { hasText: "get /v1/global)" }).click()
            await page.locator("button", { hasText: "Send get request" }).first().click()
            assert.strictEqual((await answered).status(), 200)
          })
          for (const url of requests) assert.isTrue(url.startsWith(baseUrl), url)
          assert.deepStrictEqual(complaints, [])
        })
      )
    })

    whole.layer(RunningService.layer({ config: { SOURCES_DISABLED: lacking } }))("while sources are missing", (it) => {
      it.effect("/ shows a 503 in the API's words, and null as unknown with the reason", () =>
        Effect.gen(function* () {
          const { complaints, page } = yield* (yield* Chromium).open()
          yield* Effect.promise(async () => {
            const coins = await textOf(page, "#coins .problem")
            assert.match(coins, /^Data unavailable\n/)
            assert.match(coins, /You can try again in \d+ s\./)
            assert.match(coins, /About this error · HTTP 503 · request [0-9a-f]+-/)
            assert.isTrue(await page.locator("#coins a[href$='/problems/source_unavailable']").isVisible())
            assert.strictEqual(await page.locator("#coins table").count(), 0)

            const past = await textOf(page, "#history .problem")
            assert.include(past, "This server keeps no history (HISTORY=off)")
            assert.include(past, "the current figures on this page do not depend on it")
            assert.notInclude(past, "try again", "no countdown to the next restart")

            const naira = await textOf(page, "#naira")
            assert.match(naira, /Official rate\nunknown/)
            assert.match(naira, /Premium\nunknown/)
            assert.include(naira, "Not complete: official rate missing")
            assert.match(naira, /Quidax \(sandbox\)\norder book\nno answer/)
            assert.match(naira, /Buy\n₦[\d,.]+/)
          })
          for (const complaint of complaints) assert.match(complaint, /the server responded with a status of 503/)
        })
      )
    })
  })
})
