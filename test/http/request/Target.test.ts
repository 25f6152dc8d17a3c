// The target of a request: that texts which mean the same are read alike, and that no text is misread.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { FindMyWay } from "effect/http"
import { routerConfig } from "../../../src/http/request/Paths.ts"
import { normalPath, parse, parseQuery, type Target } from "../../../src/http/request/Target.ts"

const shown = ({ path, query }: Target) => {
  const { parameters, repeated, undecodable } = parseQuery(query)
  return {
    path: normalPath(path).path,
    parameters: Object.fromEntries(parameters),
    repeated: [...repeated.keys()],
    undecodable: [...undecodable]
  }
}

describe("Requests: a target", () => {
  const plain = { path: "/v1/coins", parameters: {}, repeated: [], undecodable: [] }

  it("means the same in every spelling", () => {
    for (const text of [
      "/v1/coins",
      "/v1/coins/",
      "/v%31/coins",
      "/%76%31/%63oins",
      "http://example.org/v1/coins",
      "HTTPS://user@example.org:8443/v1/coins/",
      "/v1/coins?",
      "/v1/coins?&&",
      "/v1/coins#fragment?limit=1",
      "/v1/coins/#"
    ]) {
      assert.deepStrictEqual(shown(parse(text)), plain, text)
    }
  })

  it("begins its query at the first question mark; later ones are text", () => {
    assert.deepStrictEqual(shown(parse("/v1/x?expect=1&expect?&at=2026-11-01")), {
      path: "/v1/x",
      parameters: { expect: "1", "expect?": "", at: "2026-11-01" },
      repeated: [],
      undecodable: []
    })
    assert.deepStrictEqual(shown(parse("/v1/x?amount=5&ref=https://shop/pay?amount=10")).parameters, {
      amount: "5",
      ref: "https://shop/pay?amount=10"
    })
  })

  it("decodes names and values once, and reports which were repeated and which are not UTF-8", () => {
    assert.deepStrictEqual(shown(parse("/a?%6cimit=%32%35&b=c+d&e=%2525&x=1&%78=2&bad=%zz&worse=%ff")), {
      path: "/a",
      parameters: { limit: "25", b: "c d", e: "%25", x: "1", bad: "%zz", worse: "%ff" },
      repeated: ["x"],
      undecodable: ["bad", "worse"]
    })
  })

  it("leaves the query unread, of which at most a hundred parameters are read, however long it is", () => {
    const names = Array.from({ length: 16_000 }, (_, n) => n.toString(36).padStart(3, "0"))
    const target = parse(`/v1/fx?${names.join("&")}`)
    assert.deepStrictEqual([target.path, target.query], ["/v1/fx", names.join("&")])
    const { isTooLong, parameters } = parseQuery(target.query)
    assert.deepStrictEqual([isTooLong, [...parameters.keys()]], [true, names.slice(0, 100)])
    assert.isFalse(parseQuery(names.slice(0, 100).join("&")).isTooLong)
  })

  it("keeps an encoded slash inside its segment; a path that is not UTF-8 is invalid", () => {
    assert.strictEqual(normalPath("/v1/coins/a%2Fb").path, "/v1/coins/a%2Fb")
    assert.isTrue(normalPath("/v1/coins/a%2fb").isDecodable)
    for (const path of ["/v1/coins/%", "/v1/coins/%zz", "/v1/coins/%C3%28", "/v1/coins/%FF"]) {
      assert.isFalse(normalPath(path).isDecodable, path)
    }
  })

  const router = FindMyWay.make<true>(routerConfig)
  router.on("GET", "/v1/coins/:id", true)

  it.prop(
    "gives the router the id that was meant, whatever characters it has",
    { id: Schema.NonEmptyString },
    ({ id }) => {
      const meant = id.toWellFormed()
      const { path } = normalPath(`/v1/coins/${encodeURIComponent(meant)}`)
      // Dots and an empty last segment are texts of paths, not ids of coins.
      assert.strictEqual(router.find("GET", path)?.params["id"], meant)
    }
  )

  it.prop("is read from any text, and reading its path again changes nothing", { text: Schema.String }, ({ text }) => {
    for (const sent of [text, `/${text}`, `/${text}//`, `/v1/x?${text}`, `http://x${text}`]) {
      const { isDecodable, path } = normalPath(parse(sent).path)
      if (isDecodable) assert.strictEqual(normalPath(parse(path).path).path, path)
    }
  })
})
