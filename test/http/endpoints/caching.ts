import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { isAlwaysNew, type It, requests, withQuery } from "../../api/endpoints.ts"
import { type Answer, get, pass, onFriday } from "../../RunningService.ts"
import { rulesOf } from "../../rulesOf.ts"
import { isKnown } from "./each.ts"

/** What answers of an endpoint vary by, as the contract says it. */
const varyOf = (path: string): string => {
  const { dialect, formats } = requests.find(([one]) => one.split("?")[0] === path.split("?")[0])?.[1] ?? {}
  const keyHeaders = dialect?.keyHeaders ?? []
  const negotiated = formats !== undefined && formats.length > 0 ? ["Accept"] : []
  return [...keyHeaders, "x-api-key", "authorization", "Accept-Encoding", ...negotiated].join(", ")
}

/** Headers are read by one function: other paths get one form of each kind, these all forms. */
const inEveryForm = ["/v1/coins?limit=250", "/v1/fx", "/openapi.json", "/problems/not_found"]

const accepting = [
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["identity", undefined],
  ["br", "br"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["*", "br"],
  ["GZIP", "gzip"],
  ["br;q=0, gzip;q=0", undefined],
  ["zstd", undefined],
  ["", undefined]
] as const

const tagOf = ({ headers }: Answer): string => headers.etag ?? ""

const maxAgeOf = ({ headers }: Answer): number => Number(/max-age=(\d+)/.exec(headers["cache-control"] ?? "")?.[1])

const decoded = ({ bytes, headers }: Answer): string => {
  const encoding = headers["content-encoding"]
  const plain = encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes
  return plain.toString()
}

/** CONTRACT, Caching. That every endpoint answers 304 is in `each.ts`. */
export const caching = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  it.effect.each([...inEveryForm, "/docs"])("%s: a caller who has the answer gets a 304, in every form", (path) =>
    Effect.gen(function* () {
      const tag = tagOf(yield* get(path))
      for (const form of [tag, tag.slice(2), `"other", ${tag}`, ` ${tag} ,W/"x"`, "*"]) yield* isKnown(path, () => form)
      for (const other of ['W/"x"', tag.slice(3, -1), `${tag.slice(0, -1)}x"`, ""]) {
        assert.strictEqual((yield* get(path, { headers: { "if-none-match": other } })).status, 200, other)
      }
      const head = yield* get(path, { headers: { "if-none-match": tag }, method: "HEAD" })
      assert.deepStrictEqual([head.status, tagOf(head)], [304, tag])
    })
  )

  // Bodies are compressed by one function: each dialect and each kind of body has a path here.
  const compressed = requests.flatMap(([path]) => (/^\/compat\/[\w.-]+\/[^?]*$/.test(path) ? [path] : []))
  it.effect.each([...inEveryForm, ...compressed])(
    "%s has the same content in every encoding, each with its tag",
    (path) =>
      Effect.gen(function* () {
        const plain = yield* get(path)
        assert.isUndefined(plain.headers["content-encoding"])
        for (const [accepted, encoding] of inEveryForm.includes(path) ? accepting : accepting.slice(0, 3)) {
          const sent = { "accept-encoding": accepted }
          const answer = yield* get(path, { headers: sent })
          const expected = plain.bytes.length < 1024 ? undefined : encoding
          assert.strictEqual(answer.headers["content-encoding"], expected, accepted)
          assert.strictEqual(answer.headers["content-length"], String(answer.bytes.length))
          assert.strictEqual(answer.headers.vary, varyOf(path))
          if (isAlwaysNew(path)) continue
          assert.strictEqual(decoded(answer), plain.text)
          assert.strictEqual(tagOf(answer) === tagOf(plain), expected === undefined)
          const again = yield* get(path, { headers: { ...sent, "if-none-match": tagOf(answer) } })
          assert.strictEqual(again.status, 304)
        }
      })
  )

  rule("a table is answered to Accept where no format is given, with a tag of its own", function* () {
    const csv = { accept: "text/csv" }
    for (const path of ["/v1/coins?limit=3", "/v1/fx", "/v1/naira", "/v1/convert?from=bitcoin&to=ngn"]) {
      const [json, accepted] = [yield* get(path), yield* get(path, { headers: csv })]
      const { meta } = JSON.parse(json.text)
      const table = yield* get(withQuery(path, "format=csv"))
      assert.strictEqual(accepted.text, table.text)
      assert.deepStrictEqual([table.headers["x-source"], table.headers["x-updated"]], [meta.source, meta.updated])
      assert.notStrictEqual(tagOf(accepted), tagOf(json))
      const known = { "if-none-match": tagOf(accepted) }
      assert.strictEqual((yield* get(path, { headers: { ...csv, ...known } })).status, 304)
      assert.strictEqual((yield* get(path, { headers: known })).status, 200)
      const chosen = yield* get(withQuery(path, "format=json"), { headers: csv })
      assert.strictEqual(chosen.text, json.text, "format goes before Accept")
      assert.strictEqual((yield* get(path)).text, json.text, "the cached table is not answered as JSON")
    }
  })

  rule("max-age reaches to the next refresh, never beyond the maximum age", function* () {
    // The methods are of no source.
    for (const [path] of requests.filter(([one]) => one !== "/v1/methods")) {
      const answer = yield* get(path)
      const control = /^public, max-age=\d+, stale-while-revalidate=\d+, stale-if-error=\d+$/
      assert.match(answer.headers["cache-control"] ?? "", control, path)
      assert.isAtLeast(maxAgeOf(answer), 1, path)
    }
    // The naira is asked for every minute or so, fiat rates every few hours.
    assert.isAtMost(maxAgeOf(yield* get("/v1/naira")), 75)
    assert.isAtLeast(maxAgeOf(yield* get("/v1/fx")), 600)
  })

  rule("an error is no-store and has no ETag", function* () {
    for (const path of ["/v1/coins?limit=0", "/v1/coins/no-such-coin", "/nope"]) {
      const answer = yield* get(path, { headers: { "if-none-match": "*", "accept-encoding": "gzip" } })
      assert.isAtLeast(answer.status, 400)
      assert.deepStrictEqual([answer.headers["cache-control"], answer.headers.etag], ["no-store", undefined])
    }
    for (const path of ["/healthz", "/readyz", "/metrics"]) {
      assert.strictEqual((yield* get(path)).headers["cache-control"], "no-store", path)
    }
  })

  // On a service of its own: minutes of a service that fetches the past take seconds.
  it.effect("max-age counts down, and a refresh brings another answer with another ETag", () =>
    Effect.gen(function* () {
      const before = yield* get("/v1/price/bitcoin/usd")
      yield* pass("3 seconds")
      const soon = yield* get("/v1/price/bitcoin/usd")
      if (tagOf(soon) === tagOf(before)) assert.isBelow(maxAgeOf(soon), maxAgeOf(before))
      yield* pass("2 minutes")
      const after = yield* get("/v1/price/bitcoin/usd", { headers: { "if-none-match": tagOf(before) } })
      assert.strictEqual(after.status, 200)
      const updated = (answer: Answer): string => JSON.parse(answer.text).meta.updated
      assert.isAbove(Date.parse(updated(after)), Date.parse(updated(before)))
    }).pipe(Effect.provide(onFriday))
  )
}
