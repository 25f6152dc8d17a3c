import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { ownDialect } from "../../../src/api/Dialect.ts"
import { isAlwaysNew, type It, requests } from "../../api/endpoints.ts"
import { type Answer, atOneTime, RunningService, pass, onFriday } from "../../RunningService.ts"
import { rulesOf } from "../../rulesOf.ts"

const everyPath = [...requests.map(([path]) => path), "/v1/coins?limit=250", "/v1/convert?from=bitcoin&to=eur&amount=2"]

const documentPaths = ["/openapi.json", "/docs", "/problems/not_found"]

const failingPaths = ["/v1/coins?limit=0", "/v1/coins/no-such-coin", "/nope"]

/** What answers of an endpoint vary by, as the contract says it. */
const varyOf = (path: string): string => {
  const [bare = ""] = path.split("?")
  const { dialect, formats } = requests.find(([one]) => one.split("?")[0] === bare)?.[1] ?? {
    dialect: ownDialect,
    formats: []
  }
  return [
    ...dialect.keyHeaders,
    "x-api-key",
    "authorization",
    "Accept-Encoding",
    ...(formats.length > 0 ? ["Accept"] : [])
  ].join(", ")
}

/** Headers are read by one function: each path gets one form of each kind, these paths get all forms. */
const isTriedInEveryForm = (path: string): boolean =>
  ["/v1/coins?limit=250", "/v1/fx", "/openapi.json", "/problems/not_found"].includes(path)

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

/** CONTRACT, Caching: on every path and in every format. */
export const caching = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    Effect.flatMap(RunningService, (service) => service.get(path, { headers, method }))

  for (const path of [...everyPath.filter((one) => !isAlwaysNew(one)), ...documentPaths]) {
    rule(`${path}: a caller who has the answer gets a 304`, function* () {
      const full = yield* get(path)
      const tag = tagOf(full)
      assert.match(tag, /^W\/"[\w-]+"$/)
      assert.strictEqual(tagOf(yield* get(path)), tag)
      const forms = [tag, tag.slice(2), `"other", ${tag}`, ` ${tag} ,W/"x"`, "*"]
      for (const known of isTriedInEveryForm(path) ? forms : forms.slice(2, 3)) {
        const { now, unchanged } = yield* atOneTime(
          Effect.all({ now: get(path), unchanged: get(path, { "if-none-match": known }) })
        )
        assert.deepStrictEqual([unchanged.status, unchanged.bytes.length], [304, 0], known)
        assert.strictEqual(tagOf(unchanged), tag)
        for (const header of ["vary", "cache-control", "x-ratelimit-limit", "access-control-allow-origin"]) {
          assert.strictEqual(unchanged.headers[header], now.headers[header], header)
        }
        assert.isUndefined(unchanged.headers["content-type"])
      }
      for (const other of ['W/"x"', tag.slice(3, -1), `${tag.slice(0, -1)}x"`, ""]) {
        assert.strictEqual((yield* get(path, { "if-none-match": other })).status, 200, other)
      }
      const head = yield* get(path, { "if-none-match": tag }, "HEAD")
      assert.deepStrictEqual([head.status, tagOf(head)], [304, tag])
    })
  }

  // Bodies are compressed by one function: each dialect and each kind of body has a path here.
  const compressed = [
    ...everyPath.filter((one) => isTriedInEveryForm(one) || /^\/compat\/[\w.-]+\/[^?]*$/.test(one)),
    ...documentPaths
  ]
  for (const path of compressed) {
    rule(`${path}: has the same content in every encoding, each with its own ETag`, function* () {
      const plain = yield* get(path)
      assert.isUndefined(plain.headers["content-encoding"])
      const isSmall = plain.bytes.length < 1024
      for (const [accepted, encoding] of isTriedInEveryForm(path) ? accepting : accepting.slice(0, 3)) {
        const answer = yield* get(path, { "accept-encoding": accepted })
        const expected = isSmall ? undefined : encoding
        assert.strictEqual(answer.headers["content-encoding"], expected, accepted)
        assert.strictEqual(answer.headers["content-length"], String(answer.bytes.length))
        assert.strictEqual(answer.headers.vary, varyOf(path))
        if (isAlwaysNew(path)) continue
        assert.strictEqual(decoded(answer), plain.text)
        assert.strictEqual(tagOf(answer) === tagOf(plain), expected === undefined)
        const again = yield* get(path, { "accept-encoding": accepted, "if-none-match": tagOf(answer) })
        assert.strictEqual(again.status, 304)
      }
    })
  }

  rule("max-age reaches to the next refresh, never beyond the maximum age", function* () {
    // The methods are of no source.
    for (const path of everyPath.filter((one) => one !== "/v1/methods")) {
      const answer = yield* get(path)
      assert.match(
        answer.headers["cache-control"] ?? "",
        /^public, max-age=\d+, stale-while-revalidate=\d+, stale-if-error=\d+$/,
        path
      )
      assert.isAtLeast(maxAgeOf(answer), 1, path)
    }
    // The naira is asked for every minute or so, fiat rates every few hours.
    assert.isAtMost(maxAgeOf(yield* get("/v1/naira")), 75)
    assert.isAtLeast(maxAgeOf(yield* get("/v1/fx")), 600)
  })

  rule("an error is no-store and has no ETag", function* () {
    for (const path of failingPaths) {
      const answer = yield* get(path, { "if-none-match": "*", "accept-encoding": "gzip" })
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
      const after = yield* get("/v1/price/bitcoin/usd", { "if-none-match": tagOf(before) })
      assert.strictEqual(after.status, 200)
      const updated = (answer: Answer): string => JSON.parse(answer.text).meta.updated
      assert.isAbove(Date.parse(updated(after)), Date.parse(updated(before)))
    }).pipe(Effect.provide(onFriday))
  )
}
