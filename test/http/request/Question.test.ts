// What a request asks for: the key of a kept answer says all that the answer depends on, and nothing else.
import { assert, describe, it } from "@effect/vitest"
import { Equal, Schema } from "effect"
import { Api } from "../../../src/api/Api.ts"
import { compatApis } from "../../../src/api/compat/compatApis.ts"
import { endpointsOf, parametersOf } from "../../../src/api/Parameter.ts"
import { keyOf, questionIn, routed } from "./asked.ts"

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
