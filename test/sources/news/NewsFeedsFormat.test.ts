// Bytes that came, as a feed.
import { assert, describe, it } from "@effect/vitest"
import { read, textOf } from "../../../src/sources/news/NewsFeedsFormat.ts"
import { rss } from "./scriptedFeed.ts"

const good =
  "<item><title>Good story</title><link>https://news.example/good</link><pubDate>Thu, 24 Sep 2026 10:00:00 GMT</pubDate></item>"

describe("a feed", () => {
  it("of two megabytes of nonsense is refused in linear time", () => {
    const fill = (piece: string) => piece.repeat(Math.floor(2_000_000 / piece.length))
    const bodies = [
      fill("<a>"),
      fill("<item>"),
      fill("<![CDATA["),
      fill("<!--"),
      fill("<!"),
      fill("<"),
      fill("&"),
      fill(" "),
      fill("["),
      `<rss version="2.0" ${fill('a="b" ')}>`,
      `<rss version="2.0"><channel>${fill("<item><title>")}`,
      `<rss version="2.0"><channel>${fill("<item><title>x</title></item>")}</channel>`,
      `<rss version="2.0"><channel><item><title>${fill("<!-- -->")}</title></item></channel>`,
      `{"version":"https://jsonfeed.org/version/1.1","items":[${fill("{},")}{}]}`
    ]
    for (const body of bodies) {
      const bytes = new TextEncoder().encode(`${body}</rss>`)
      const answer = read(bytes, { contentType: "text/xml", url: "https://a.example/" })
      assert.isTrue("problem" in answer || answer.items.length === 0, body.slice(0, 60))
    }
    // Quadratic time would take hours.
  })
})

describe("an encoding", () => {
  const latin = (text: string) => Uint8Array.from(text, (char) => char.codePointAt(0) ?? 0)
  const utf16 = (text: string, isBig: boolean) => {
    const bytes = new Uint8Array(text.length * 2)
    const view = new DataView(bytes.buffer)
    for (let n = 0; n < text.length; n++) view.setUint16(n * 2, text.charCodeAt(n), !isBig)
    return bytes
  }
  const titleOf = (bytes: Uint8Array, contentType?: string) => {
    const answer = read(bytes, { contentType, url: "https://a.example/" })
    return "problem" in answer ? answer.problem : answer.items[0]?.title
  }
  const body = (declaration: string, title: string) => declaration + rss(good.replace("Good story", title))

  it("is that of the byte order mark, else of the XML declaration, else of the content type, else UTF-8", () => {
    const declared = (encoding: string) => `<?xml version="1.0" encoding='${encoding}'?>`
    assert.strictEqual(titleOf(latin(body(declared("ISO-8859-1"), "Caf\u00e9"))), "Café")
    assert.strictEqual(titleOf(latin(body(declared("windows-1252"), "\u0080 5")), "text/xml; charset=utf-8"), "€ 5")
    assert.strictEqual(titleOf(latin(body("", "Caf\u00e9")), 'text/xml; charset="iso-8859-1"'), "Café")
    assert.strictEqual(titleOf(new TextEncoder().encode(body("", "Café ₦"))), "Café ₦")
    assert.strictEqual(titleOf(new TextEncoder().encode(`\uFEFF${body(declared("iso-8859-1"), "₦")}`)), "₦")
    for (const isBig of [false, true]) {
      assert.strictEqual(titleOf(utf16(`\uFEFF${body(declared("utf-16"), "₦ up")}`, isBig)), "₦ up")
      assert.strictEqual(titleOf(utf16(body(declared("utf-16"), "₦ up"), isBig)), "₦ up")
    }
  })

  it("that is unknown or a lie is read as UTF-8, and bytes that are none lose only themselves", () => {
    assert.strictEqual(titleOf(new TextEncoder().encode(body('<?xml version="1.0" encoding="x-none"?>', "₦"))), "₦")
    assert.strictEqual(titleOf(new TextEncoder().encode(body('<?xml version="1.0" encoding="UTF-16"?>', "₦"))), "₦")
    assert.strictEqual(titleOf(latin(body("", "Caf\u00e9 up"))), "Caf\uFFFD up")
    assert.strictEqual(textOf(new Uint8Array(), undefined), "")
  })

  it("hides no document type", () => {
    const bomb = `\uFEFF<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>${rss(good)}`
    assert.strictEqual(titleOf(utf16(bomb, false)), "XML with a document type or entities of its own")
  })
})
