// What a request asks for: the key of a kept answer says all that the answer depends on, and nothing else.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Api } from "../../../src/api/Api.ts"
import { compatApis } from "../../../src/api/compat/compatApis.ts"
import { endpointsOf, parametersOf } from "../../../src/api/Parameter.ts"
import { parseRequest } from "../../../src/http/request/ParsedRequest.ts"
import { prefersCsv } from "../../../src/http/request/weightsOf.ts"
import * as Target from "../../../src/http/request/Target.ts"

const asked = (text: string, accept?: string) => parseRequest(Target.parse(text), accept)
const keyOf = (text: string, accept?: string) => asked(text, accept).key

describe("the key of an answer", () => {
  it("is the same for what means the same: order, encoding, defaults, and parameters that the endpoint does not declare", () => {
    for (const [one, other] of [
      ["/v1/convert?from=bitcoin&to=ngn", "/v1/convert?to=ngn&from=%62itcoin"],
      ["/v1/convert?from=bitcoin&to=ngn", "/v1/convert?from=bitcoin&to=ngn&amount=1&basis=mid"],
      ["/v1/coins", "/v1/coins?limit=100&utm_source=x&x=1&_=2"],
      ["/v1/price/bitcoin/usd", "/v1/price/bitcoin/usd/?expect=1&tolerance=5&max_age=600"],
      ["/v1/fx", "/v1/fx?format=json"],
      ["/v1/coins", "/v1/coins?page=1"],
      ["/v1/fx?format=csv", "/v1/fx;format=csv"]
    ] as const) {
      assert.strictEqual(keyOf(one), keyOf(other), other)
    }
    assert.strictEqual(keyOf("/v1/fx", "text/csv"), keyOf("/v1/fx?format=csv"))
    assert.strictEqual(keyOf("/v1/price/bitcoin/usd", "text/csv"), keyOf("/v1/price/bitcoin/usd"), "no format there")
  })

  it("differs for requests that mean something else", () => {
    const keys = [
      "/v1/price/bitcoin/usd",
      "/v1/price/bitcoin/usd?at=2026-11-01",
      "/v1/price/bitcoin/usd?expect=1&expect?&at=2026-11-01",
      "/v1/price/bitcoin/ngn?basis=customer",
      "/v1/coins",
      "/v1/coins?limit=10",
      "/v1/coins?page=2",
      "/v1/coins?ids=a",
      "/v1/coins?ids=b",
      "/v1/coins?ids=a%26page%3D1",
      "/v1/coins/a",
      "/v1/coins/a%3Flimit%3D10",
      "/v1/coins/%2Fa"
    ].map((text) => keyOf(text))
    // Both at a day: the text before the day is no parameter.
    assert.strictEqual(keys[1], keys[2])
    assert.strictEqual(new Set(keys).size, keys.length - 1)
    assert.notStrictEqual(keyOf("/v1/fx", "text/csv"), keyOf("/v1/fx?format=json", "text/csv"))
  })

  const names = ["from", "to", "amount", "basis", "at"] as const

  it.prop(
    "holds every declared parameter to the character, and guards and others not at all",
    {
      one: Schema.Record(Schema.Literals([...names, "expect", "x"]), Schema.String),
      other: Schema.Record(Schema.Literals([...names, "expect", "x"]), Schema.String)
    },
    ({ one, other }) => {
      const defaults: Readonly<Record<string, string>> = { amount: "1", basis: "mid" }
      const said = (given: Readonly<Record<string, string>>) =>
        names.map((name) => (given[name] === defaults[name] ? undefined : given[name]?.toWellFormed()))
      const keyFor = (given: Readonly<Record<string, string>>) =>
        keyOf(`/v1/convert?${new URLSearchParams(Object.entries(given))}`)
      const meansTheSame = JSON.stringify(said(one)) === JSON.stringify(said(other))
      assert.strictEqual(keyFor(one) === keyFor(other), meansTheSame)
    }
  )

  it("is a path that the router reads as the same request", () => {
    for (const text of ["/v1/convert?to=n%26gn&from=b+c&amount=%31&expect=5", "/v1/coins?ids=a%2Cb&x=1"]) {
      const { key, url } = asked(text)
      assert.deepStrictEqual([asked(url).url, asked(url).key, asked(key).key], [url, key, key])
    }
  })
})

describe("faults of a target", () => {
  const faultsOf = (text: string) => Object.fromEntries(asked(text).faults ?? [])

  it("are a repeated parameter, a key in the query and a declared value that is no UTF-8", () => {
    assert.deepStrictEqual(faultsOf("/v1/coins?x=1&x=2&limit=%ff&y=%ff"), {
      limit: "must be percent-encoded UTF-8",
      x: "must be given once"
    })
    for (const name of ["api_key", "APIKEY", "x-api-key", "x_api_key"]) {
      assert.deepStrictEqual(faultsOf(`/docs?${name}=cda_x`), {
        [name]: "must not be in the URL; send the key in the header x-api-key"
      })
    }
    // The header that is read there.
    for (const [path, header] of [
      ["/compat/coingecko/api/v3/ping", "x-cg-demo-api-key"],
      ["/v1/fx", "x-api-key"]
    ]) {
      assert.include(faultsOf(`${path}?x_cg_demo_api_key=k`)["x_cg_demo_api_key"], `the header ${header}`)
    }
    assert.isUndefined(asked("/v1/coins?limit=0").faults, "whether a value is allowed is for the endpoint to say")
  })

  it("are named up to ten", () => {
    const queryOf = (length: number) => Array.from({ length }, (_, n) => `a${n}&a${n}`).join("&")
    assert.strictEqual(asked(`/v1/coins?${queryOf(100)}`).faults?.size, 10)
    const tooMany = [["query", "must have at most 100 parameters"]]
    assert.deepStrictEqual([...(asked(`/v1/coins?${queryOf(101)}`).faults ?? [])], tooMany)
    assert.deepStrictEqual([...(asked(`/compat/coingecko/api/v3/ping?${queryOf(101)}`).faults ?? [])], tooMany)
  })
})

const folds = (name: string) => name.toLowerCase().replace("_", "")

describe("a parameter that a path of /v1 does not take", () => {
  const faultOf = (text: string, name: string) => asked(text).faults?.get(name)

  it("is a fault where another endpoint takes it, and the path's own parameters are listed", () => {
    for (const path of ["/v1/naira", "/v1/fx", "/v1/global", "/v1/price/bitcoin/usd", "/v1/search"]) {
      for (const name of ["max_age", "expect", "tolerance", "basis", "at", "fiat", "fiats", "limit", "base"]) {
        if (asked(path).route?.parameters.has(name) === true) continue
        assert.match(faultOf(`${path}?${name}=1`, name) ?? "", /^is not a parameter of this path/, `${path} ${name}`)
      }
    }
    assert.strictEqual(
      faultOf("/v1/naira?basis=official", "basis"),
      "is not a parameter of this path, which takes amount, at, max_age, min_confidence, side"
    )
    assert.strictEqual(faultOf("/v1/global?at=x", "at"), "is not a parameter of this path, which takes none")
  })

  it("is a fault that says which is meant, where it is spelled like one that the path takes", () => {
    const path = "/v1/convert?from=usd&to=ngn"
    for (const [name, meant] of [
      ["expected", "expect"],
      ["Expect", "expect"],
      ["expct", "expect"],
      ["maxAge", "max_age"],
      ["max-age", "max_age"],
      ["MAX_AGE", "max_age"],
      ["maxage", "max_age"],
      ["max_age_seconds", "max_age"],
      ["tolerence", "tolerance"],
      ["Basis", "basis"],
      ["bases", "basis"],
      ["ammount", "amount"],
      ["AT", "at"]
    ] as const) {
      assert.strictEqual(
        faultOf(`${path}&${name}=1`, name),
        `is not a parameter of this path; did you mean ${meant}?`,
        name
      )
    }
    assert.strictEqual(faultOf("/v1/prices?ids=a&fiat=eur", "fiat")?.endsWith("did you mean fiats?"), true)
  })

  it("is a fault in every form in which programs write a name, on every endpoint and in every dialect", () => {
    let count = 0
    for (const { path, query } of [...endpointsOf(Api), ...compatApis.flatMap(({ endpoints }) => endpoints)]) {
      for (const name of parametersOf(query).keys()) {
        for (const form of [
          `${name}[]`,
          `${name}[0]`,
          `${name}.0`,
          `?${name}`,
          `amp;${name}`,
          `${name}[${"x".repeat(40)}]`
        ]) {
          const text = `${path.replaceAll(/:\w+/g, "a")}?${encodeURIComponent(form)}=1`
          const twice = `${text}&${encodeURIComponent(form)}=2`
          for (const target of [text, twice]) {
            assert.strictEqual(
              faultOf(target, form),
              `is not a parameter of this path; did you mean ${name}?`,
              `${target} ${form}`
            )
          }
          count++
        }
      }
    }
    assert.isAbove(count, 300)
  })

  it("is a fault with one typing error, also of a name of two letters that the path takes", () => {
    for (const name of ["ta", "att", "it", "a_t", "At"]) {
      assert.include(faultOf(`/v1/naira?${name}=2026-11-01`, name) ?? "", "did you mean at?", name)
      assert.strictEqual(faultOf(`/v1/global?${name}=2026-11-01`, name) === undefined, folds(name) !== "at", name)
    }
  })

  it("is ignored where it means nothing, and on paths for other programs", () => {
    for (const name of ["_", "x", "t", "v", "cb", "ts", "utm_source", "fbclid", "lang", "callback", "nocache", "ref"]) {
      assert.isUndefined(asked(`/v1/price/bitcoin/usd?${name}=1`).faults, name)
    }
    assert.isUndefined(asked(`/v1/fx?${"expect".repeat(500)}=1`).faults)
    assert.isUndefined(asked("/compat/coingecko/api/v3/simple/price?ids=a&vs_currencies=usd&expect=1").faults)
    assert.isUndefined(asked("/docs?page=2").faults)
  })

  it("is a fault where it is a tolerance of nothing", () => {
    assert.strictEqual(faultOf("/v1/price/bitcoin/usd?tolerance=1", "tolerance"), "must be given together with expect")
    assert.isUndefined(asked("/v1/price/bitcoin/usd?tolerance=1&expect=5").faults)
  })
})

describe("Accept", () => {
  it("asks for CSV where it names it, and not where JSON is wanted more", () => {
    for (const accept of [
      "text/csv",
      "TEXT/CSV; charset=utf-8",
      "text/csv, */*;q=0.1",
      "application/json;q=0.5, text/csv"
    ]) {
      assert.isTrue(prefersCsv(accept), accept)
    }
    const others = ["*/*", "text/*", "text/csv-schema", "application/json", "application/json, text/csvx"]
    for (const accept of [...others, "text/csv;q=0", "text/csv;q=0.2, application/json", "text/csv;q=0.9, */*"]) {
      assert.isFalse(prefersCsv(accept), accept)
    }
  })
})
