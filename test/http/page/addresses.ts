// The page's addresses as a crawler sees them, and the pictures of figures.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { It } from "../../api/endpoints.ts"
import { get, RunningService } from "../../RunningService.ts"
import { rulesOf } from "../../rulesOf.ts"

const attribute = (html: string, pattern: RegExp): string => pattern.exec(html)?.[1] ?? ""

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
  ["/convert/usd/ngn", "USD to NGN: converter", "preview/p2p/ngn.svg"]
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
    for (const path of [
      "/p2p/xyz",
      "/p2p/%22",
      "/preview/p2p/xyz.svg",
      "/preview/convert/usd-ves.svg",
      "/preview/coin/bitcoin.png",
      "/badge/usdt-xyz.svg",
      "/badge/x"
    ]) {
      assert.strictEqual((yield* get(path)).status, 404, path)
    }
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

  rule("the weeks of coins are what is recorded, one close a day, and no source is asked for more", function* () {
    const { until, untilAnswered } = yield* RunningService
    yield* untilAnswered("/v1/coins/bitcoin")
    const closes = Effect.map(get("/page/weeks/bitcoin,no-such-coin"), ({ text }) => JSON.parse(text).data)
    yield* until(Effect.map(closes, ({ bitcoin }) => bitcoin.at(-1) !== null))
    const { bitcoin, "no-such-coin": none } = yield* closes
    assert.lengthOf(bitcoin, 8)
    assert.deepStrictEqual(
      none,
      Array.from({ length: 8 }, () => null)
    )
  })
}
