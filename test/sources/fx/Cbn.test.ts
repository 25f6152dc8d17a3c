import { assert, describe } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Cbn } from "../../../src/sources/fx/Cbn.ts"
import all from "../fixtures/cbn-all.json" with { type: "json" }
import nfem from "../fixtures/cbn-nfem.json" with { type: "json" }
import { json, whileTimePasses, scriptedSource } from "../ScriptedUpstream.ts"
import { rule } from "../../rulesOf.ts"

const source = scriptedSource({ source: Cbn, setting: "CBN_BASE_URL", at: "2026-02-18T12:00:00Z" })

const window = (ratedate: string, weightedAvgRate: string) => ({ ratedate, weightedAvgRate })

const dollar = (ratedate: string, centralrate: string) => ({ currency: "US DOLLAR", ratedate, centralrate })

/** What the NFEM feed says of these rows. */
const nfemOf = (now: string, rows: ReadonlyArray<unknown>) =>
  Effect.flatMap(
    source(() => json(rows), { now }),
    (cbn) => Effect.map(cbn.nfem.get, (snapshot) => snapshot.value)
  )

/** What the feed of all currencies says of these rows. */
const allOf = (now: string, rows: ReadonlyArray<unknown>) =>
  Effect.flatMap(
    source(() => json(rows), { now }),
    (cbn) =>
      Effect.map(cbn.all_rates.get, ({ value: { isCentral, ...rest } }) => {
        assert.isTrue(isCentral)
        return rest
      })
  )

describe("Cbn NFEM", () => {
  rule("takes the weighted average of the newest day, whatever the order, the doubles and the blanks", function* () {
    const cbn = yield* source(() => json(nfem), { now: "2026-02-18T17:00:00Z" })
    const snapshot = yield* cbn.nfem.get
    assert.deepStrictEqual(snapshot.value, { rate: 1338.1066, date: "2026-02-18" })
    assert.strictEqual(snapshot.source, "CBN")
    assert.strictEqual(Duration.toMinutes(cbn.nfem.every), 30)
    assert.strictEqual(DateTime.formatIso(snapshot.observedAt), "2026-02-18T00:00:00.000Z")
    assert.strictEqual(DateTime.formatIso(snapshot.retrievedAt), "2026-02-18T17:00:00.000Z")
    assert.deepStrictEqual(
      cbn.requests().map(({ method, url }) => `${method} ${url}`),
      ["GET /api/GetAllNFEM_Rates"]
    )
  })

  rule("reads both ways of writing a day", function* () {
    const rows = [window("2026-02-18", "1338.1066"), window("February-17-2026", "1340.2210")]
    assert.strictEqual((yield* nfemOf("2026-02-19T12:00:00Z", rows)).date, "2026-02-18")
    const short = [window("Feb-9-2026", "1341.0000"), window("February-06-2026", "1340.2210")]
    assert.strictEqual((yield* nfemOf("2026-02-19T12:00:00Z", short)).date, "2026-02-09")
  })

  rule("leaves out days that are in no calendar and rates that are no numbers", function* () {
    const rows = [
      window("February-30-2026", "1300.0000"),
      window("Smarch-13-2026", "1300.0000"),
      window("2026-02-18T00:00", "1300.0000"),
      window("February-18-2026", "n/a"),
      { ratedate: null, weightedAvgRate: "1300.0000" },
      null,
      window("February-17-2026", "1340.2210")
    ]
    assert.deepStrictEqual(yield* nfemOf("2026-03-05T12:00:00Z", rows), { rate: 1340.221, date: "2026-02-17" })
  })

  rule("does not believe a rate out of proportion, and serves the day before", function* () {
    const rows = [...nfem, window("February-19-2026", "13.3810"), window("February-20-2026", "1813.9000")]
    assert.deepStrictEqual(yield* nfemOf("2026-02-20T17:00:00Z", rows), { rate: 1338.1066, date: "2026-02-18" })
  })

  rule("believes the next day although the one before was wrong", function* () {
    const rows = [...nfem, window("February-19-2026", "1813.9000"), window("February-20-2026", "1337.0000")]
    assert.deepStrictEqual(yield* nfemOf("2026-02-20T17:00:00Z", rows), { rate: 1337, date: "2026-02-20" })
  })

  rule("believes a devaluation once a second day confirms it", function* () {
    const first = [...nfem, window("February-19-2026", "1813.9000")]
    assert.strictEqual((yield* nfemOf("2026-02-20T17:00:00Z", first)).rate, 1338.1066)
    const second = [...first, window("February-20-2026", "1820.4000")]
    assert.deepStrictEqual(yield* nfemOf("2026-02-20T17:00:00Z", second), { rate: 1820.4, date: "2026-02-20" })
  })

  rule("believes no day beyond tomorrow in Lagos, where the day begins at 23:00 UTC", function* () {
    const rows = [...nfem, window("February-20-2026", "1336.0000")]
    assert.strictEqual((yield* nfemOf("2026-02-18T22:59:59Z", rows)).date, "2026-02-18")
    assert.strictEqual((yield* nfemOf("2026-02-18T23:00:00Z", rows)).date, "2026-02-20")
  })

  rule("stamps a rate of tomorrow with now", function* () {
    const cbn = yield* source(() => json(nfem), { now: "2026-02-17T17:00:00Z" })
    const snapshot = yield* cbn.nfem.get
    assert.strictEqual(snapshot.value.date, "2026-02-18")
    assert.strictEqual(DateTime.formatIso(snapshot.observedAt), "2026-02-17T17:00:00.000Z")
  })

  rule("is unusable when nothing is younger than a year", function* () {
    const cbn = yield* source(() => json(nfem), { now: "2027-03-01T12:00:00Z" })
    assert.strictEqual((yield* Effect.flip(cbn.nfem.get)).reason._tag, "Unusable")
  })
})

describe("Cbn all rates", () => {
  rule("takes the dollar's central rate of the newest day", function* () {
    const cbn = yield* source(() => json(all), { now: "2026-05-22T09:00:00Z" })
    const snapshot = yield* cbn.all_rates.get
    assert.deepStrictEqual(snapshot.value, { rate: 1371.8079, date: "2026-05-21", isCentral: true })
    assert.strictEqual(snapshot.source, "CBN")
    assert.strictEqual(DateTime.formatIso(snapshot.observedAt), "2026-05-21T00:00:00.000Z")
    assert.strictEqual(cbn.requests()[0]?.url, "/api/GetAllExchangeRates")
  })

  rule("finds the newest day wherever it stands", function* () {
    assert.strictEqual((yield* allOf("2026-05-22T09:00:00Z", all.toReversed())).date, "2026-05-21")
  })

  rule("knows the dollar by its label in any case and with blanks, and no other label", function* () {
    const rows = [
      ...all,
      { ...dollar("May-22-2026", "1370.0000"), currency: " us dollar " },
      { ...dollar("2026-05-23", "1369.0000"), currency: "NAIRA" },
      { ...dollar("2026-05-23", "1369.0000"), currency: "DOLLAR" }
    ]
    assert.deepStrictEqual(yield* allOf("2026-05-23T09:00:00Z", rows), { rate: 1370, date: "2026-05-22" })
  })

  rule("does not believe the euro's or the pound's rate under the dollar's label", function* () {
    for (const wrong of ["1590.1997", "1839.5944", "373.4540", "8.6147"]) {
      const rows = [dollar("2026-05-22", wrong), ...all]
      assert.deepStrictEqual(yield* allOf("2026-05-22T18:00:00Z", rows), { rate: 1371.8079, date: "2026-05-21" })
    }
    // The narrowest gap recorded: the euro stood 13.5 % above the dollar on 2026-09-29.
    const rows = [dollar("2026-09-29", "1508.9882"), dollar("2026-09-28", "1329.9737"), dollar("2026-09-25", "1331.1")]
    assert.strictEqual((yield* allOf("2026-09-29T18:00:00Z", rows)).date, "2026-09-28")
  })

  rule("takes the one of two rates for a day that is in proportion, in either order", function* () {
    const twice = [dollar("2026-05-22", "1590.1997"), dollar("2026-05-22", "1370.2500")]
    const expected = { rate: 1370.25, date: "2026-05-22" }
    assert.deepStrictEqual(yield* allOf("2026-05-22T18:00:00Z", [...twice, ...all]), expected)
    assert.deepStrictEqual(yield* allOf("2026-05-22T18:00:00Z", [...twice.toReversed(), ...all]), expected)
  })

  rule("a double of yesterday does not vouch for a wrong rate of today", function* () {
    const rows = [
      dollar("2026-05-23", "1591.0000"),
      dollar("2026-05-22", "1590.1997"),
      dollar("2026-05-22", "1370.2500"),
      ...all
    ]
    assert.deepStrictEqual(yield* allOf("2026-05-23T18:00:00Z", rows), { rate: 1370.25, date: "2026-05-22" })
  })

  rule("believes neither of two rates when no day before tells which is right", function* () {
    const cbn = yield* source(() => json([dollar("2026-05-22", "1590.1997"), dollar("2026-05-22", "1370.2500")]), {
      now: "2026-05-22T18:00:00Z"
    })
    assert.strictEqual((yield* Effect.flip(cbn.all_rates.get)).reason._tag, "Unusable")
    assert.deepStrictEqual(
      yield* allOf("2026-05-22T18:00:00Z", [dollar("2026-05-22", "1370.25"), dollar("2026-05-22", "1370.2500")]),
      { rate: 1370.25, date: "2026-05-22" }
    )
  })

  rule("believes no rate beyond the bounds of all currencies, even where nothing contradicts it", function* () {
    for (const wrong of ["0.0009", "27401000", "0", "-1371.8079", ""]) {
      const cbn = yield* source(() => json([dollar("2026-05-22", wrong)]), { now: "2026-05-22T18:00:00Z" })
      assert.strictEqual((yield* Effect.flip(cbn.all_rates.get)).reason._tag, "Unusable")
    }
  })

  rule("reads the whole history: 62,000 rows, 8 MB", function* () {
    const start = DateTime.makeUnsafe("2026-05-21")
    const history = Array.from({ length: 62_000 }, (_, index) => ({
      id: 61_889 - index,
      currency: index % 12 === 0 ? "US DOLLAR" : "POUNDS STERLING",
      ratedate: DateTime.formatIsoDateUtc(DateTime.subtract(start, { days: Math.floor(index / 12) })),
      buyingrate: "1371.3079",
      centralrate: "1371.8079",
      sellingrate: "1372.3079"
    }))
    assert.deepStrictEqual(yield* allOf("2026-05-22T09:00:00Z", history), { rate: 1371.8079, date: "2026-05-21" })
  })

  rule("is asked at most four times a day, however often it fails, and not at the expense of NFEM", function* () {
    const cbn = yield* source(() => ({ status: 503, body: "" }))
    const reasons: Array<string> = []
    for (let call = 0; call < 6; call++) {
      yield* TestClock.adjust("10 minutes")
      reasons.push((yield* Effect.flip(cbn.all_rates.get)).reason._tag)
    }
    assert.deepStrictEqual(reasons, [...Array.from({ length: 4 }, () => "BadStatus"), "OverBudget", "OverBudget"])
    assert.strictEqual(cbn.requests().length, 4)
    assert.strictEqual((yield* whileTimePasses(Effect.flip(cbn.nfem.get))).reason._tag, "BadStatus")
  })
})
