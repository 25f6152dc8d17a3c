// The page's addresses as a crawler sees them, and the pictures of figures.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { It } from "../../api/endpoints.ts"
import { get, RunningService } from "../../RunningService.ts"
import { isCurrency } from "../../../src/http/page/browser/Figures.ts"
import { firstPaths, routeOf } from "../../../src/http/page/browser/Route.ts"
import { rulesOf } from "../../rulesOf.ts"

const attribute = (html: string, pattern: RegExp): string => pattern.exec(html)?.[1] ?? ""

/** What a browser accepts that opens a page. */
const browsers = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } }

/** The answers in a document. */
const answersOf = (html: string) =>
  JSON.parse(attribute(html, /<script type="application\/json" id="answers">([^]*?)<\/script>/))

const headOf = (html: string) => ({
  title: attribute(html, /<title>([^<]*)<\/title>/),
  description: attribute(html, /<meta name="description" content="([^"]*)"/),
  image: attribute(html, /<meta property="og:image" content="([^"]*)"/),
  skip: attribute(html, /class="skip" href="([^"]*)"/)
})

const heads = [
  ["/", "P2P rates, coin prices, and why coins moved", "preview/p2p/ngn.svg"],
  ["/naira", "USDT/NGN: the P2P rate of the Nigerian Naira", "preview/p2p/ngn.svg"],
  ["/p2p/kes", "USDT/KES: the P2P rate of the Kenyan Shilling", "preview/p2p/kes.svg"],
  ["/coin/bitcoin", "Bitcoin: price, venues and history", "preview/coin/bitcoin.svg"],
  ["/convert/usd/ngn", "USD to NGN: converter", "preview/p2p/ngn.svg"],
  ["/convert/bitcoin/usd", "BTC to USD: converter", "preview/p2p/ngn.svg"]
] as const

/** Over a service with a record. */
export const addresses = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  rule("the page's addresses each have a title, a description, and a picture of the service's figures", function* () {
    const { untilAnswered } = yield* RunningService
    yield* untilAnswered("/v1/coins/bitcoin")
    yield* untilAnswered("/v1/p2p/kes")
    const descriptions = new Set<string>()
    for (const [path, title, image] of heads) {
      const head = headOf((yield* get(path)).text)
      assert.deepStrictEqual([head.title, head.image], [title, image], path)
      assert.strictEqual(head.skip, `${path.slice(1)}#main`)
      descriptions.add(head.description)
      const picture = yield* get(`/${image}`)
      assert.strictEqual(picture.headers["content-type"], "image/svg+xml", image)
      assert.match(picture.text, /^<svg .*<\/svg>$/)
      assert.match(picture.text, /[\d,]+\.\d\d/, image)
      assert.match(picture.text, /2026-11-\d\d \d\d:\d\d UTC/)
    }
    assert.strictEqual(descriptions.size, heads.length)
  })

  rule("the page's addresses quote what a caller writes into them", function* () {
    const hostile = encodeURIComponent(`"><script>alert(1)</script>`)
    for (const path of [`/coin/${hostile}`, `/convert/${hostile}/ngn`, `/preview/coin/${hostile}.svg`]) {
      const { text } = yield* get(path)
      assert.notInclude(text, "<script>alert", path)
    }
    const unknown = [
      "p2p/xyz",
      "p2p/%22",
      "preview/p2p/xyz.svg",
      "preview/convert/usd-ves.svg",
      "preview/coin/bitcoin.png"
    ]
    for (const path of [...unknown, "badge/usdt-xyz.svg", "badge/x"]) {
      assert.strictEqual((yield* get(`/${path}`)).status, 404, path)
    }
    assert.strictEqual((yield* get("/preview/coin/an.id.with.dots.svg")).status, 200)
    const inAnswers = yield* get(`/coin/${hostile}`, browsers)
    assert.notInclude(inAnswers.text, "<script>alert")
  })

  rule("a market has a badge whose figure is that of the API, and which may be embedded", function* () {
    const { headers, text } = yield* get("/badge/USDT-ngn.svg")
    const { mid } = JSON.parse((yield* get("/v1/naira")).text).data
    const figure = mid.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    assert.include(text, `<title>USDT/NGN: ₦${figure}</title>`)
    assert.strictEqual(headers["access-control-allow-origin"], "*")
    assert.match(headers["cache-control"] ?? "", /^public, max-age=/)
    assert.isDefined(headers["etag"])
  })

  rule("a document has the figures that its view shows, those of the API at that moment", function* () {
    const { until } = yield* RunningService
    const opened = (path: string) => Effect.map(get(path, browsers), ({ text }) => answersOf(text))
    for (const path of ["/", "/p2p/kes", "/coin/bitcoin", "/convert/bitcoin/ngn"]) {
      const wanted = firstPaths(routeOf(path.slice(1)), isCurrency, (fiat) =>
        ["NGN", "KES", "GHS", "ZAR"].includes(fiat)
      )
      yield* until(Effect.map(opened(path), ({ answers }) => wanted.every((one) => answers[one] !== undefined)))
    }
    const { answers, now } = yield* opened("/")
    const naira = JSON.parse((yield* get("/v1/p2p")).text)
    assert.deepStrictEqual(answers["v1/p2p"], { status: 200, body: naira })
    assert.isAtLeast(now, Date.parse(naira.meta.updated))
    const { headers } = yield* get("/", browsers)
    assert.strictEqual(headers["cache-control"], "no-store", "an old document would show its figures as new")
    assert.include(headers.vary ?? "", ", Accept")
  })

  rule("several answers come in one response for one request of the quota, and only the API's", function* () {
    const paths = "v1/p2p v1/coins/nosuchcoin v1/coins?format=csv docs page/answers v1/nosuch page/weeks".split(" ")
    const query = new URLSearchParams({ paths: paths.join(" ") })
    const sender = { headers: { "x-forwarded-for": "198.51.100.77" } }
    const { headers, text } = yield* get(`/page/answers?${query}`, sender)
    const { answers } = JSON.parse(text)
    assert.hasAllKeys(answers, ["v1/p2p", "v1/coins/nosuchcoin", "page/weeks"])
    assert.strictEqual(answers["v1/coins/nosuchcoin"].status, 404)
    assert.strictEqual(answers["v1/coins/nosuchcoin"].body.code, "unknown_coin")
    assert.strictEqual(Number(headers["x-ratelimit-limit"]) - Number(headers["x-ratelimit-remaining"]), 1)
    assert.strictEqual((yield* get("/page/answers")).status, 400)
  })

  rule("errors of pages are pages for who reads HTML, with a way on, and problems for all others", function* () {
    for (const path of ["/nosuchpage", "/p2p/xyz", "/coin/nosuchcoin"]) {
      const page = yield* get(path, browsers)
      assert.strictEqual(page.status, 404, path)
      assert.match(page.headers["content-type"] ?? "", /^text\/html/)
      assert.match(page.text, /<header class="top/)
      assert.match(page.text, /<main[^]*href="\/"/, "a way on")
      assert.isBelow(page.text.length, 10_000)
      assert.include(page.headers["cache-control"] ?? "", "no-store")
      const program = yield* get(path)
      assert.deepStrictEqual([program.status, program.headers["content-type"]], [404, "application/problem+json"], path)
      assert.notInclude(program.text, "/v1/p2p/xyz", "no advice to a path that does not exist either")
    }
    assert.include((yield* get("/coin/etherium", browsers)).text, '<a href="/coin/ethereum">Ethereum (ETH)</a>')
    assert.include((yield* get("/p2p/xyz", browsers)).text, '<a href="/p2p/kes">USDT/KES</a>')
    assert.match((yield* get("/v1/nosuch", browsers)).headers["content-type"] ?? "", /problem\+json/)
    const sender = { headers: { ...browsers.headers, "x-forwarded-for": "198.51.100.78" } }
    const limit = Number((yield* get("/", sender)).headers["x-ratelimit-limit"])
    yield* Effect.forEach(Array.from({ length: limit }), () => get("/problems", sender))
    const refused = yield* get("/naira", sender)
    assert.strictEqual(refused.status, 429)
    const sentence = /<h1>Too many requests<\/h1>\s*<p>All \d+ requests of this minute are used\. Ask again in \d+ s\./
    assert.match(refused.text, sentence)
    assert.match(refused.text, /<a href="">Try again<\/a>/)
    assert.isDefined(refused.headers["retry-after"])
    assert.match(String(refused.headers["content-security-policy"]), /default-src 'none'/)
  })

  rule("a command in a shell gets some lines of text, and a link preview the document", function* () {
    const agent = (name: string) => ({ headers: { accept: "*/*", "user-agent": name } })
    const { headers, text } = yield* get("/", agent("curl/8.5.0"))
    assert.match(headers["content-type"] ?? "", /^text\/plain/)
    assert.isAtMost(text.split("\n").length, 12)
    for (const [, path = ""] of text.matchAll(/^curl '?[^/\s]*(\/[^'\s]*)'?$/gm)) {
      yield* (yield* RunningService).untilAnswered(path)
    }
    assert.strictEqual((yield* get("/coin/nosuchcoin", agent("curl/8.5.0"))).status, 404)
    assert.match((yield* get("/", agent("facebookexternalhit/1.1"))).text, /og:image/)
    const program = yield* get("/", { headers: { accept: "application/json" } })
    assert.match(program.headers["content-type"] ?? "", /^text\/plain/)
  })

  rule("the weeks of coins are what is recorded, one close a day", function* () {
    const { until, untilAnswered } = yield* RunningService
    yield* untilAnswered("/v1/coins/bitcoin")
    const closes = Effect.map(get("/page/weeks"), ({ text }) => JSON.parse(text).data)
    yield* until(Effect.map(closes, ({ bitcoin }) => bitcoin?.at(-1) != null))
    const { bitcoin } = yield* closes
    assert.lengthOf(bitcoin, 8)
    const { price } = JSON.parse((yield* get("/v1/coins/bitcoin")).text).data
    assert.closeTo(bitcoin.at(-1), price, price / 20)
  })
}
