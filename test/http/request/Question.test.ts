// What a request asks for: the key of a kept answer says all that the answer depends on, and nothing else.
import { assert, describe, it } from "@effect/vitest"
import { Equal, Schema } from "effect"
import { Api } from "../../../src/api/Api.ts"
import { compatApis } from "../../../src/api/compat/compatApis.ts"
import { endpointsOf, parametersOf } from "../../../src/api/Parameter.ts"
import type { Faults } from "../../../src/http/request/faults.ts"
import { parsePath } from "../../../src/http/request/ParsedPath.ts"
import { isFaulty, questionOf } from "../../../src/http/request/Question.ts"
import { prefersCsv } from "../../../src/http/request/weightsOf.ts"
import * as Target from "../../../src/http/request/Target.ts"

const routed = (text: string) => parsePath(Target.parse(text).path)

/** The question of a request, or its faults. */
const asked = (text: string, accept?: string) => {
  const parsed = routed(text)
  if (parsed.route === undefined) throw new Error(`${text} has no route`)
  return questionOf(parsed, parsed.route, Target.parse(text).query, prefersCsv(accept ?? ""))
}

const questionIn = (text: string, accept?: string) => {
  const read = asked(text, accept)
  if (isFaulty(read)) throw new Error(`${text}: ${[...read.details].join("; ")}`)
  return read
}

const keyOf = (text: string, accept?: string) => questionIn(text, accept).key

const faultsIn = (text: string): Faults["details"] | undefined => {
  const read = asked(text)
  return isFaulty(read) ? read.details : undefined
}

it("a basis is the first segment of a path of Yadio's or BTCPay Server's, once, and no other service's", () => {
  for (const path of ["/yadio.io/p2p/p2p/exrates/BTC", "/frankfurter/p2p/v2/rates", "/yadio.io/exrates/p2p/BTC"]) {
    assert.isUndefined(routed(`/compat${path}`).route, path)
  }
  assert.strictEqual(routed("/compat/yadio.io/p2p/exrates/BTC").route?.pattern, "/compat/yadio.io/exrates/:base")
})

const gecko = "/compat/coingecko/api/v3"

describe("the key of an answer", () => {
  it("is the same for what means the same: order, encoding, defaults, and parameters that the endpoint does not declare", () => {
    for (const [one, other] of [
      ["/v1/convert?from=bitcoin&to=ngn", "/v1/convert?to=ngn&from=%62itcoin"],
      ["/v1/convert?from=bitcoin&to=ngn", "/v1/convert?from=bitcoin&to=ngn&amount=1&basis=mid"],
      ["/v1/coins", "/v1/coins?limit=100&utm_source=x&x=1&_=2"],
      ["/v1/price/bitcoin/usd", "/v1/price/bitcoin/usd/?expect=1&tolerance=5&max_age=600"],
      ["/v1/price/bitcoin/usd", "/v1/price/bitcoin/USD"],
      ["/v1/p2p/kes", "/v1/p2p/KES"],
      ["/v1/fx", "/v1/fx?format=json"],
      ["/v1/coins", "/v1/coins?page=1"],
      [`${gecko}/simple/price?ids=a&vs_currencies=usd`, `${gecko}/simple/price?ids=a&vs_currencies=USD&precision=`],
      [`${gecko}/coins/list?include_platform=true`, `${gecko}/coins/list?include_platform=1`],
      [`${gecko}/coins/list?include_platform=false`, `${gecko}/coins/list?include_platform=0`],
      [`${gecko}/coins/markets?vs_currency=usd`, `${gecko}/coins/markets?vs_currency=usd&ids=&category=&order=&page=`],
      [`${gecko}/coins/markets?vs_currency=usd&ids=a,b`, `${gecko}/coins/markets?vs_currency=USD&ids=a,%20b,,`],
      [
        "/compat/frankfurter/v1/latest?base=USD&symbols=EUR,GBP",
        "/compat/frankfurter/v1/latest?base=usd&symbols=eur,%20GBP,"
      ],
      ["/compat/frankfurter/v2/rates", "/compat/frankfurter/v2/rates?quotes=&providers=&group="],
      [
        "/compat/btcpay/api/rates?currencyPairs=BTC_NGN,BTC_USD",
        "/compat/btcpay/api/rates?currencyPairs=btc_ngn,%20BTC_USD,"
      ],
      ["/v1/fx?format=csv", "/v1/fx;format=csv"],
      ["/compat/yadio.io/exrates/BTC", "/compat/yadio.io/mid/exrates/btc"],
      ["/compat/yadio.io/p2p/exrates/BTC?basis=official", "/compat/yadio.io/exrates/BTC?basis=p2p"],
      [
        "/compat/btcpay/customer/api/rates?currencyPairs=BTC_NGN",
        "/compat/btcpay/api/rates?basis=customer&currencyPairs=BTC_NGN"
      ]
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
      "/v1/price/bitcoin/usd?expect=1&x?&at=2026-11-01",
      "/v1/price/bitcoin/ngn?basis=customer",
      "/compat/yadio.io/exrates/BTC",
      "/compat/yadio.io/official/exrates/BTC",
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

  /** For each parameter of a conversion, values each in several spellings. The first is its default, if it has one. */
  const spellings = {
    amount: [
      [undefined, "1", "1.0", "01", "0001.000"],
      ["2", "2.00"],
      ["0.5", "000.50"]
    ],
    basis: [[undefined, "mid"], ["official"]],
    from: [
      ["bitcoin", "Bitcoin", "BITCOIN", " bitcoin ", "coin:bitcoin", "COIN:Bitcoin"],
      ["USD", "usd", "fiat:usd"]
    ],
    to: [
      ["NGN", "ngn", "Fiat:Ngn"],
      ["EUR", "eur"]
    ],
    at: [
      [undefined],
      ["2026-11-01"],
      ["2026-11-01T12:30:00Z", "2026-11-01T12:30Z", "2026-11-01T13:30:00.000+01:00", "2026-11-01T12:30:00.0Z"]
    ]
  } as const
  const names = Object.keys(spellings) as ReadonlyArray<keyof typeof spellings>
  const Chosen = Schema.Record(
    Schema.Literals(names),
    Schema.Struct({ value: Schema.Int, spelling: Schema.Int, expect: Schema.Boolean })
  )

  it.prop(
    "is that of another request if and only if the values are the same, whatever their spelling and the guards",
    { one: Chosen, other: Chosen },
    ({ one, other }) => {
      const valueOf = (chosen: typeof one, name: (typeof names)[number]) =>
        Math.abs(chosen[name].value) % spellings[name].length
      const questionFor = (chosen: typeof one) => {
        const sent = names.flatMap((name): ReadonlyArray<[string, string]> => {
          const written = spellings[name][valueOf(chosen, name)] ?? []
          const text = written[Math.abs(chosen[name].spelling) % written.length]
          return text === undefined ? [] : [[name, text]]
        })
        const guards: ReadonlyArray<[string, string]> = one.from.expect ? [["expect", "5"]] : []
        return questionIn(`/v1/convert?${new URLSearchParams([...sent, ...guards])}`)
      }
      const isSame = (name: (typeof names)[number]) => valueOf(one, name) === valueOf(other, name)
      const [first, second] = [questionFor(one), questionFor(other)]
      assert.strictEqual(first.key === second.key, names.filter((name) => name !== "amount").every(isSame))
      // The amount only shapes the answer.
      assert.strictEqual(Equal.equals(first.amount, second.amount), isSame("amount"))
    }
  )

  it("is one for two hundred spellings of a question", () => {
    const zeros = (count: number) => "0".repeat(count)
    const targets = Array.from({ length: 200 }, (_, n) => {
      const id = Array.from("bitcoin", (letter, at) => ((n >> at) % 2 === 1 ? letter.toUpperCase() : letter)).join("")
      return n % 2 === 0
        ? `/v1/convert?x=${n}&from=${id}&to=${n % 3 === 0 ? "nGn" : "NGN"}&amount=${zeros(n % 16)}5${n % 5 === 0 ? ".0" : ""}`
        : `/v1/convert?x=${n}&to=%4eGN&from=coin:${id}&amount=5.${zeros(1 + (n % 18))}`
    })
    assert.strictEqual(new Set(targets).size, 200)
    assert.lengthOf([...new Set(targets.map((text) => keyOf(text)))], 1)
    const flags = ["true", "TRUE", "t", "yes", "On", "1"].map((flag) =>
      keyOf(`/compat/coingecko/api/v3/coins/list?include_platform=${flag}`)
    )
    assert.lengthOf([...new Set(flags)], 1)
  })

  it("has each parameter in the one text of its value, which reads as that value", () => {
    const endpoints = [...endpointsOf(Api), ...compatApis.flatMap(({ endpoints }) => endpoints)]
    let readings = 0
    for (const { params, path, query } of endpoints) {
      for (const [name, { read, shape }] of [...parametersOf(params), ...parametersOf(query)]) {
        const { default: fallback = [], enum: words = [], examples = [] } = shape
        const known = [fallback, words, examples].flat(2).map(String)
        const texts = known.flatMap((text) => [text, text.toUpperCase(), `0${text}`, `${text}.0`, ` ${text} `])
        for (const text of texts) {
          const reading = read(text)
          if (reading === undefined) continue
          readings++
          const again = read(reading.text)
          assert.strictEqual(again?.text, reading.text, `${path} ${name}=${text}`)
          assert.isTrue(Equal.equals(again?.value, reading.value), `${path} ${name}=${text}`)
        }
      }
    }
    assert.isAbove(readings, 500)
  })

  it("is a path that the router reads as the same request", () => {
    for (const text of ["/v1/convert?to=n%26gn&from=b+c&amount=%31&expect=5", "/v1/coins?ids=a%2Cb&x=1"]) {
      const { key, url } = questionIn(text)
      assert.deepStrictEqual([questionIn(url).url, questionIn(url).key, questionIn(key).key], [url, key, key])
    }
  })
})

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
