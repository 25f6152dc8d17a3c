// Statements over HTTP, from a record of some days.
import { assert } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { generateKeyPairSync } from "node:crypto"
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { dayOf } from "../../src/history/model/Interval.ts"
import { signerOf, verified } from "../../src/http/response/Signature.ts"
import { Unavailable } from "../../src/services/refresh/Unavailable.ts"
import { newFile } from "../history/store/Databases.ts"
import { rule, rulesIn } from "../rulesOf.ts"
import { DAY, NOW, recordAt, Recorded, recorded, type Routes, routes } from "./RecordedDays.ts"
import { get, layerOf } from "./ScriptedRoutes.ts"

const statement = (query: string) => `/v1/statement?${query}`

/** The figure of a part as its address answers it. */
const again = Effect.fnUntraced(function* (
  { dataAt }: Routes,
  { address, how, part }: Readonly<Record<string, string>>
) {
  const data = yield* dataAt(address ?? "")
  if (part === "official") return data.points.at(-1).rates.NGN
  if (part === "price") return data.points[0].close
  if (part === "fixing") return data.rate
  if (part === "close") return data.mid
  const [from = "", to = ""] = how?.match(/\d{4}-[^ ,]+Z/g) ?? []
  const mids: ReadonlyArray<number> = data.points.flatMap(
    ({ kind, mid, time = "" }: Readonly<Record<string, string>>) =>
      time >= from && time <= to && kind === "p2p" ? [mid] : []
  )
  return Number((mids.reduce((sum, mid) => sum + mid, 0) / mids.length).toPrecision(12))
})

rule("a statement's parts give the same figures at their addresses, on the next day and a month later", function* () {
  const file = yield* newFile
  const stated = Effect.gen(function* () {
    const service = yield* routes()
    const { dataAt } = service
    const found: Array<unknown> = []
    for (const query of ["from=bitcoin&to=NGN&amount=0.5&on=2026-11-20", "from=ngn&to=usd&amount=1000&on=2026-11-21"]) {
      const data = yield* dataAt(statement(query))
      assert.isTrue(data.final, query)
      assert.deepStrictEqual(yield* dataAt(data.address), data)
      const known = data.evidence.filter(({ rate }: { readonly rate: number | null }) => rate !== null)
      assert.isAtLeast(known.length, 4)
      for (const part of known) assert.strictEqual(part.rate, yield* again(service, part), part.part)
      found.push(data)
    }
    return found
  }).pipe(Effect.scoped)
  const before = yield* Effect.provide(Effect.andThen(recorded, stated), recordAt(file, NOW))
  const after = yield* Effect.provide(stated, recordAt(file, NOW + 31 * DAY))
  assert.deepStrictEqual(after, before)
})

rulesIn(Recorded.layer)("a statement", (rule) => {
  rule("the rates are the products of their legs, and the excess is the fixing less the official rate", function* () {
    const { dataAt } = yield* Recorded
    const { excess, legs, official, street, ...data } = yield* dataAt(
      statement("from=usd&to=ngn&amount=1000&on=2026-11-20")
    )
    assert.deepInclude(data, { from: "USD", to: "NGN", amount: 1000, zone: "Africa/Lagos", method: "statement/1" })
    assert.deepInclude(official, { rate: 1368.4127, result: 1368412.7, date: "2026-11-20", source: "CBN" })
    assert.deepInclude(official, { carried_forward: false, reason: null })
    const [published, ...factors] = legs
    assert.deepInclude(published, { part: "official", from: "USD", to: "NGN", rate: 1368.4127 })
    const product = factors.reduce((all: number, { rate }: { readonly rate: number }) => all * rate, 1)
    assert.closeTo(street.fixing, product, 1e-6)
    const venues = ["Bybit P2P", "Bitget P2P"]
    assert.deepInclude(street, { confidence: "high", kind: "p2p", venues, fixing_reason: null })
    assert.strictEqual(excess.per_unit, Number((street.fixing - 1368.4127).toFixed(8)))
    assert.closeTo(excess.of_amount, street.result - official.result, 1e-6)
    assert.closeTo(excess.percent, (street.fixing / 1368.4127 - 1) * 100, 1e-9)
    const tether = yield* dataAt(statement("from=tether&to=ngn&on=2026-11-20"))
    const fixing = (yield* dataAt("/v1/p2p/ngn/fixing?on=2026-11-20")).rate
    assert.strictEqual(tether.street.fixing, fixing, "USDT has the fixing itself")
    const euro = yield* dataAt(statement("from=eur&to=ngn&on=2026-11-20"))
    assert.closeTo(euro.official.rate, 1368.4127 / 0.8612, 1e-6)
  })

  rule("what is not known is null with its reason, and a weekend has the official rate before it", function* () {
    const { dataAt } = yield* Recorded
    const usd = "from=usd&to=ngn&on="
    for (const [query, member, expected] of [
      [`${usd}2026-11-21`, "official", { rate: 1368.4127, date: "2026-11-20", carried_forward: true }],
      [`${usd}2026-11-21`, "street", { fixing: null, fixing_reason: "too_few_parts", result: null }],
      // An order book is no P2P venue.
      [`${usd}2026-11-21`, "street", { kind: "order_book", venues: ["Quidax"], average_reason: null }],
      [`${usd}2026-11-21`, "excess", { per_unit: null, of_amount: null, percent: null, reason: "no_fixing" }],
      [`${usd}2026-11-22`, "street", { close_reason: "not_observed" }],
      [`${usd}2025-01-04`, "official", { rate: null, date: null, carried_forward: null, reason: "not_published" }],
      [`${usd}2025-01-04`, "street", { fixing_reason: "not_followed", close_reason: "not_observed", venues: [] }],
      [`${usd}2025-01-04`, "street", { average_reason: "too_few_hours" }],
      ["from=ethereum&to=ngn&on=2026-11-20", "official", { reason: "no_price" }],
      ["from=ethereum&to=ngn&on=2026-11-20", "street", { fixing_reason: "no_price" }],
      // People pay another rate for it, which is not followed.
      ["from=sdg&to=ngn&on=2026-11-20", "official", { reason: null }],
      ["from=sdg&to=ngn&on=2026-11-20", "street", { fixing: null, fixing_reason: "street_not_followed" }],
      [
        "from=sdg&to=ngn&on=2026-11-20",
        "street",
        { close: null, average: null, average_reason: "street_not_followed" }
      ],
      ["from=ngn&to=sdg&on=2026-11-20", "street", { fixing: null, fixing_reason: "street_not_followed" }],
      ["from=sdg&to=ngn&on=2026-11-20", "excess", { per_unit: null, reason: "no_fixing" }],
      [`${usd}${dayOf(NOW)}`, "street", { fixing_reason: "not_published", close_reason: "not_over" }],
      [`${usd}${dayOf(NOW)}`, "street", { average_reason: "not_over" }],
      [`${usd}2026-11-25&tz=Pacific/Kiritimati`, "official", { date: "2026-11-23" }]
    ] as const) {
      const data = yield* dataAt(statement(query))
      assert.deepInclude(data[member], expected, query)
      if (/2026-11-2[145]/.test(query)) assert.strictEqual(data.final, query.includes("11-21"), query)
    }
  })

  rule("a day begins and ends in the zone that is asked for", function* () {
    const { dataAt } = yield* Recorded
    for (const [tz, zone, observed] of [
      ["", "Africa/Lagos", "2026-11-20T22:56:00.000Z"],
      ["&tz=utc", "UTC", "2026-11-20T23:56:00.000Z"],
      ["&tz=asia/tokyo", "Asia/Tokyo", "2026-11-20T14:56:00.000Z"]
    ] as const) {
      const data = yield* dataAt(statement(`from=usd&to=ngn&on=2026-11-20${tz}`))
      const close = data.evidence.find(({ part }: { readonly part: string }) => part === "close")
      assert.deepStrictEqual([data.zone, close.observed], [zone, observed])
    }
    // In Cairo 24 April 2026 begins at 01:00, and 29 October has an hour twice.
    for (const [on, first, last, end] of [
      ["2026-04-24", "2026-04-23T22:00:00.000Z", "2026-04-24T20:00:00.000Z", "2026-04-24T20:59:59.999Z"],
      ["2026-10-29", "2026-10-28T21:00:00.000Z", "2026-10-29T21:00:00.000Z", "2026-10-29T21:59:59.999Z"]
    ]) {
      const cairo = yield* dataAt(statement(`from=usd&to=ngn&on=${on}&tz=Africa/Cairo`))
      const [close, average] = cairo.evidence.slice(-2)
      assert.strictEqual(close.address, `/v1/p2p/ngn?at=${end}`)
      assert.include(average.how, `from ${first} to ${last},`)
    }
  })

  rule("a statement as CSV and as text has the figures of its JSON", function* () {
    const { asked, dataAt } = yield* Recorded
    const path = statement("from=bitcoin&to=NGN&amount=0.5&on=2026-11-21")
    const data = yield* dataAt(path)
    const { headers, text } = yield* asked(`${path}&format=csv`)
    assert.strictEqual(headers["content-type"], "text/csv; charset=utf-8")
    const rows: ReadonlyArray<{ readonly member: string; readonly value: string }> = parse(text, { columns: true })
    const cells = new Map(rows.map(({ member, value }) => [member, value]))
    const figures = (value: unknown, at: string): ReadonlyArray<readonly [string, unknown]> =>
      typeof value === "object" && value !== null
        ? Object.entries(value).flatMap(([name, member]) => figures(member, at === "" ? name : `${at}.${name}`))
        : [[at, value]]
    const expected = figures(data, "").map(([name, value]) => [name, value === null ? "" : String(value)])
    assert.deepStrictEqual([...cells], expected)
    const plain = yield* asked(`${path}&format=text`)
    assert.strictEqual(plain.headers["content-type"], "text/plain; charset=utf-8")
    const { address, evidence, information, official, street } = data
    const addresses = evidence.map((part: { readonly address: string }) => part.address)
    const figuresOfText = [official.rate, official.result, street.close, street.average]
    for (const shown of [...figuresOfText, address, ...addresses, ...information])
      assert.include(plain.text, String(shown))
    assert.include(plain.text, "unknown: less than three quarters of the hour were observed")
    const described = ["docs/records.md", "src/api/StatementApi.ts", "src/api/FixingApi.ts", "src/domain/Methods.ts"]
    const words = described.map((file) => readFileSync(file, "utf8"))
    for (const body of [text, plain.text, ...words]) assert.notMatch(body, /benchmark|index/i)
  })

  rule("what cannot be stated is refused with a sentence", function* () {
    const { asked } = yield* Recorded
    const day = "on=2026-11-20"
    for (const [query, status, detail] of [
      ["from=usd&to=ngn", 400, "on is required"],
      [`from=usd&to=ngn&on=2026-02-30`, 400, "on must be a day that is not in the future"],
      ["from=usd&to=ngn&on=2026-11-25", 400, "on must not be after today, 2026-11-24 (Africa/Lagos)"],
      [`from=bitcoin&to=eur&${day}`, 400, "to or from must be a fiat whose P2P market is followed here (NGN, KES)"],
      [`from=kes&to=ngn&${day}`, 400, "and the other one a coin or another fiat"],
      [`from=fiat:zzz&to=ngn&${day}`, 400, "must be a fiat"],
      [`from=usd&to=ngn&${day}&tz=Mars/Olympus`, 400, "tz must be the name of a time zone, such as Africa/Lagos"],
      [`from=usd&to=ngn&${day}&amount=1e3`, 400, "amount must be a plain decimal"],
      [`from=btc&to=ngn&${day}`, 404, '"btc" is neither a coin']
    ] as const) {
      const { status: given, text } = yield* asked(statement(query))
      assert.strictEqual(given, status, `${query}: ${text}`)
      assert.include(JSON.parse(text).detail, detail)
    }
    const unavailable = Effect.fail(new Unavailable({ question: "the history", retryAfter: 10 }))
    const away = layerOf({ histories: { fx: () => unavailable } })
    const { headers, status } = yield* Effect.provide(get(statement(`from=usd&to=ngn&${day}`)), away)
    assert.deepStrictEqual([status, headers["retry-after"]], [503, "10"])
  })

  rule("statements and fixings are signed with the operator's key, which is under /.well-known/", function* () {
    const { asked } = yield* Recorded
    const pem = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString()
    const signer = signerOf(pem)
    assert(signer !== undefined)
    const { publicKey } = signer
    const signed = yield* routes(signer)
    const keys = JSON.parse((yield* signed.asked("/.well-known/jwks.json")).text)
    assert.deepStrictEqual(keys, { keys: [{ kty: "OKP", crv: "Ed25519", use: "sig", alg: "EdDSA", x: publicKey }] })
    const ofDay = statement("from=bitcoin&to=NGN&amount=0.5&on=2026-11-20")
    for (const path of [
      ...["json", "csv", "text"].map((format) => `${ofDay}&format=${format}`),
      "/v1/p2p/ngn/fixing?on=2026-11-20",
      ...["json", "csv"].map((format) => `/v1/p2p/ngn/fixings?from=2026-11-20&format=${format}`)
    ]) {
      const [{ bytes, text }, plain] = [yield* signed.asked(path), yield* asked(path)]
      assert.deepStrictEqual(verified(bytes), { _tag: "Intact", publicKey }, path)
      assert.deepStrictEqual(verified(plain.bytes), { _tag: "Unsigned" })
      if (/csv|text/.test(path)) assert.isTrue(text.startsWith(plain.text))
      else {
        const { signature, ...data } = JSON.parse(text).data
        assert.isString(signature)
        assert.deepStrictEqual({ ...JSON.parse(text), data }, JSON.parse(plain.text))
      }
    }
    assert.strictEqual((yield* asked("/.well-known/jwks.json")).status, 404)
  })
})
