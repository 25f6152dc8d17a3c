// The faults of a request's parameters, each with what was probably meant.
import { assert, describe, it } from "@effect/vitest"
import { Api } from "../../../src/api/Api.ts"
import { compatApis } from "../../../src/api/compat/compatApis.ts"
import { endpointsOf, parametersOf } from "../../../src/api/Parameter.ts"
import { prefersCsv } from "../../../src/http/request/weightsOf.ts"
import { faultsIn, routed } from "./asked.ts"

describe("faults of a target", () => {
  const faultsOf = (text: string) => Object.fromEntries(faultsIn(text) ?? [])

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
  })

  it("are those of all parameters at once, of the path too", () => {
    const names = Object.keys(faultsOf("/v1/price/bitcoin/xyz?expect=x&max-age=1&at=x"))
    assert.deepStrictEqual(names, ["fiat", "at", "expect", "max-age"])
  })

  it("are named up to ten, and a query of more than a hundred parameters is one fault", () => {
    const query = (count: number) => Array.from({ length: count }, (_, n) => `a${n}&a${n}`).join("&")
    assert.strictEqual(faultsIn(`/v1/coins?${query(50)}`)?.size, 10)
    for (const path of ["/v1/coins", "/compat/coingecko/api/v3/ping"]) {
      assert.deepStrictEqual(faultsOf(`${path}?${query(3000)}`), { query: "must have at most 100 parameters" })
    }
  })
})

describe("a parameter that a path of /v1 does not take", () => {
  const faultOf = (text: string, name: string) => faultsIn(text)?.get(name)

  it("is a fault where another endpoint takes it, and the path's own parameters are listed", () => {
    for (const path of ["/v1/naira", "/v1/fx", "/v1/global", "/v1/price/bitcoin/usd", "/v1/search"]) {
      for (const name of ["max_age", "expect", "tolerance", "basis", "at", "fiat", "fiats", "limit", "base"]) {
        if (routed(path).route?.parameters.has(name) === true) continue
        assert.match(faultOf(`${path}?${name}=1`, name) ?? "", /^is not a parameter of this path/, `${path} ${name}`)
      }
    }
    assert.strictEqual(
      faultOf("/v1/naira?basis=official", "basis"),
      "is not a parameter of this path, which takes amount, at, format, max_age, min_confidence, side"
    )
    assert.strictEqual(faultOf("/v1/methods?at=x", "at"), "is not a parameter of this path, which takes none")
  })

  it("is a fault that says which is meant, where it is spelled like one that the path takes", () => {
    const path = "/v1/convert?from=usd&to=ngn"
    for (const [meant, names] of [
      ["expect", "expected Expect expct"],
      ["max_age", "maxAge max-age MAX_AGE maxage max_age_seconds"],
      ["tolerance", "tolerence"],
      ["basis", "Basis bases"],
      ["amount", "ammount"],
      ["at", "AT"]
    ] as const) {
      for (const name of names.split(" ")) {
        const told = faultOf(`${path}&${name}=1`, name)
        assert.strictEqual(told, `is not a parameter of this path; did you mean ${meant}?`, name)
      }
    }
    assert.strictEqual(faultOf("/v1/prices?ids=a&fiat=eur", "fiat")?.endsWith("did you mean fiats?"), true)
  })

  it("is a fault if it is another word for one that the path takes", () => {
    for (const [path, meant, names] of [
      ["/v1/convert?from=usd&to=ngn", "amount", ["value", "qty", "quantity", "sum", "Quantity[]"]],
      ["/v1/prices?ids=bitcoin", "fiats", ["vs", "in", "convert", "currency", "currencies"]],
      ["/v1/naira?format=json", "at", ["date", "day", "when", "time", "timestamp", "as_of", "asOf"]],
      ["/v1/p2p/kes/fixing?format=json", "on", ["date", "day"]],
      ["/v1/fx/history?quotes=EUR", "from", ["since", "start"]],
      ["/v1/fx/history?quotes=EUR", "to", ["until", "end"]]
    ] as const) {
      for (const name of names) {
        const told = faultOf(`${path}&${encodeURIComponent(name)}=1`, name)
        assert.strictEqual(told, `is not a parameter of this path; did you mean ${meant}?`, `${path} ${name}`)
      }
    }
    for (const name of ["value", "vs", "day", "since"]) assert.isUndefined(faultsIn(`/v1/global?${name}=1`), name)
  })

  it("is a fault in every form in which programs write a name, on every endpoint and in every dialect", () => {
    let count = 0
    for (const { path, query } of [...endpointsOf(Api), ...compatApis.flatMap(({ endpoints }) => endpoints)]) {
      for (const name of parametersOf(query).keys()) {
        const long = `${name}[${"x".repeat(40)}]`
        for (const form of [`${name}[]`, `${name}[0]`, `${name}.0`, `?${name}`, `amp;${name}`, long]) {
          const text = `${path.replaceAll(/:\w+/g, "a")}?${encodeURIComponent(form)}=1`
          for (const target of [text, `${text}&${encodeURIComponent(form)}=2`]) {
            assert.strictEqual(faultOf(target, form), `is not a parameter of this path; did you mean ${name}?`, target)
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
      assert.strictEqual(faultOf(`/v1/global?${name}=2026-11-01`, name) === undefined, !/^a_?t$/i.test(name), name)
    }
  })

  it("is ignored where it means nothing, and on paths for other programs", () => {
    for (const name of ["_", "x", "t", "v", "cb", "ts", "utm_source", "fbclid", "lang", "callback", "nocache", "ref"]) {
      assert.isUndefined(faultsIn(`/v1/price/bitcoin/usd?${name}=1`), name)
    }
    assert.isUndefined(faultsIn(`/v1/fx?${"expect".repeat(500)}=1`))
    assert.isUndefined(faultsIn("/compat/coingecko/api/v3/simple/price?ids=a&vs_currencies=usd&expect=1"))
    assert.isUndefined(faultsIn("/docs?page=2"))
  })

  it("is a fault where it is the time of coins that have their own", () => {
    const ids = "ids=bitcoin@2026-11-20,ethereum"
    for (const name of ["at", "max_age"]) {
      const value = name === "at" ? "2026-11-21" : "60"
      const detail = "must not be given together with a time in ids"
      assert.strictEqual(faultOf(`/v1/prices?${ids}&${name}=${value}`, name), detail)
    }
    assert.isUndefined(faultsIn(`/v1/prices?${ids}`))
  })

  it("is a fault where it is a tolerance of nothing", () => {
    assert.strictEqual(faultOf("/v1/price/bitcoin/usd?tolerance=1", "tolerance"), "must be given together with expect")
    assert.isUndefined(faultsIn("/v1/price/bitcoin/usd?tolerance=1&expect=5"))
  })
})

describe("Accept", () => {
  it("asks for CSV where it names it, and not where JSON is wanted more", () => {
    const csv = ["text/csv", "TEXT/CSV; charset=utf-8", "text/csv, */*;q=0.1", "application/json;q=0.5, text/csv"]
    for (const accept of csv) assert.isTrue(prefersCsv(accept), accept)
    const others = ["*/*", "text/*", "text/csv-schema", "application/json", "application/json, text/csvx"]
    for (const accept of [...others, "text/csv;q=0", "text/csv;q=0.2, application/json", "text/csv;q=0.9, */*"]) {
      assert.isFalse(prefersCsv(accept), accept)
    }
  })
})
