import { assert, describe, it } from "@effect/vitest"
import { domainOf, publisherAt } from "../../src/domain/Publishers.ts"
import table from "../../src/domain/publishers.json" with { type: "json" }

describe("the table of publishers", () => {
  it("knows a publisher by the registrable domain of an address, whatever stands before it", () => {
    const reuters = { name: "Reuters", tier: "tier1", type: "news", isCryptoPress: false } as const
    for (const url of ["https://reuters.com", "https://www.reuters.com/x?y=1", "http://feeds.uk.reuters.com:8080/x"])
      assert.deepStrictEqual(publisherAt(url), reuters, url)
    assert.deepStrictEqual(publisherAt("https://www.sec.gov/x"), {
      name: "SEC",
      tier: "primary",
      type: "regulator",
      isCryptoPress: false
    })
    assert.deepStrictEqual(publisherAt("https://feeds.theblock.co/x"), {
      name: "The Block",
      tier: "tier1",
      type: "news",
      isCryptoPress: true
    })
  })

  it("has no publisher for a look-alike domain, an IP address or no address", () => {
    for (const url of [
      "https://theblock.co.evil.example/x",
      "https://theblock.co@evil.example/x",
      "https://reuters.com-news.example",
      "http://127.0.0.1/x",
      "reuters"
    ])
      assert.isUndefined(publisherAt(url), url)
  })

  it("takes domains from the public suffix list", () => {
    assert.strictEqual(domainOf("https://news.bitcoin.com/x"), "bitcoin.com")
    assert.strictEqual(domainOf("https://www.bbc.co.uk/news"), "bbc.co.uk")
    assert.strictEqual(domainOf("https://a.b.gov.ng"), "b.gov.ng")
    assert.strictEqual(domainOf("https://project.com.de/x"), "com.de")
    assert.isNull(domainOf("http://[::1]/x"))
  })

  it("takes one domain for all addresses of an origin, whatever follows it", () => {
    for (const rest of ["", "/", "?u=https://a.com/", "#/b.com", ":8080/x", "/@c.com/", "/?q=d.com#e"])
      assert.strictEqual(domainOf(`https://news.bitcoin.com${rest}`), "bitcoin.com", rest)
    assert.strictEqual(domainOf("https://news.bitcoin.com@evil.example/x"), "evil.example")
    assert.strictEqual(domainOf("https:////news.bitcoin.com/x"), "bitcoin.com")
  })

  it("lists registrable domains, each once", () => {
    const { about: _, tier1, tier2, tier3, ...primary } = table
    const groups = [
      ...Object.values(primary),
      ...[tier1, tier2, tier3].flatMap(({ crypto, general }) => [crypto, general])
    ]
    const domains = groups.flatMap((names) => Object.keys(names))
    assert.strictEqual(new Set(domains).size, domains.length)
    for (const domain of domains) assert.strictEqual(domainOf(`https://www.${domain}/`), domain)
  })
})
