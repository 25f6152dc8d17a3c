// Work on a publisher's text grows no faster than the text, whatever is in it.
import { assert, describe, it } from "@effect/vitest"
import { addressesMachine } from "../../../src/domain/PromptInjection.ts"
import * as Format from "../../../src/sources/news/NewsFeedsFormat.ts"
import * as sanitize from "../../../src/sources/news/sanitize.ts"
import { stepsOf } from "../../stepsOf.ts"

/** Texts that parsers and patterns stumble over, of about `n` characters. */
const shapes: Readonly<Record<string, (n: number) => string>> = {
  brackets: (n) => "<".repeat(n),
  "brackets that tags fill": (n) => "&lt;".repeat(n / 8) + "a&gt;".repeat(n / 8),
  "nested tags": (n) => "<b>".repeat(n / 3),
  "tags that close others": (n) => "<b>".repeat(n / 6) + "</i>".repeat(n / 8),
  ampersands: (n) => "&".repeat(n),
  comments: (n) => "<!--".repeat(n / 4),
  quotes: (n) => `<a b="`.repeat(n / 6),
  marks: (n) => `a${"\u0301".repeat(n)}`,
  blanks: (n) => `a${" ".repeat(n)}b`,
  "letters that unfold": (n) => "\uFDFA".repeat(n),
  orders: (n) => "ignore all previous ".repeat(n / 20),
  words: (n) => "word ".repeat(n / 5)
}

const feed = (items: string) =>
  new TextEncoder().encode(`<rss version="2.0"><channel><title>x</title>${items}</channel></rss>`)

const functions: Readonly<Record<string, (text: string) => unknown>> = {
  title: sanitize.title,
  summary: sanitize.summary,
  "title and summary": (text) => sanitize.text({ title: text, summary: text }),
  link: (text) => sanitize.link(`https://a.example/${text}`),
  addressesMachine,
  "a feed with the text as its title": (text) =>
    Format.read(feed(`<item><title>${text}</title><link>https://a.example/</link></item>`), {
      contentType: undefined,
      url: "https://a.example/"
    }),
  "a feed with the text among its items": (text) =>
    Format.read(feed(text), { contentType: undefined, url: "https://a.example/" })
}

describe("work on a text of a publisher", () => {
  it.each(Object.keys(functions))("%s: ten times the text takes at most about ten times the steps", (name) => {
    for (const [shape, of] of Object.entries(shapes)) {
      const [few, more, most] = [200, 2_000, 20_000].map((n) => stepsOf(() => functions[name]?.(of(n))))
      if (few === undefined || more === undefined || most === undefined) return assert.fail()
      assert.isAtMost(more, 15 * few + 20_000, `${shape}, 2,000 characters`)
      assert.isAtMost(most, 15 * Math.max(more, 2_000), `${shape}, 20,000 characters`)
    }
  })

  it.each(["title and summary", "addressesMachine"])(
    "%s: letters that stand for words take at most twice as many",
    (name) => {
      const [words, others] = ["\uFDFA", "\u00E9"].map((letter) =>
        stepsOf(() => functions[name]?.(letter.repeat(40_000)))
      )
      if (words === undefined || others === undefined) return assert.fail()
      assert.isAtMost(words, 2 * others)
    }
  )

  it.each([' a="1"', " a='1'", " a=1", " a", ' "a"', " ="])(
    "a feed of one tag with 200,000 times %j is refused before it is parsed",
    (attribute) => {
      const bytes = feed(`<item><title${attribute.repeat(200_000)}>x</title></item>`)
      const read = () => Format.read(bytes, { contentType: undefined, url: "https://a.example/" })
      assert.deepStrictEqual(read(), { problem: "a feed of more than 120000 names and values in tags" })
      assert.isAtMost(stepsOf(read), bytes.length)
    }
  )

  it("words of texts, comments and CDATA are no attributes", () => {
    const words = " it's a".repeat(100_000)
    const bytes = feed(
      `<!--${words}--><item><title a=">">x</title><link>https://a.example/1</link><description>${words}</description><content><![CDATA[<${words}]]></content></item>`
    )
    assert.deepNestedInclude(Format.read(bytes, { contentType: undefined, url: "https://a.example/" }), {
      "items[0].title": "x"
    })
  })
})
