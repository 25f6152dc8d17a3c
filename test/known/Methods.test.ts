// A method's version is raised when the figures that decide its estimates change. `methods.txt` has the figures of each version, a line
// each. To raise a version, add it to `src/domain/Methods.ts`, and its lines to the file. Lines of earlier versions stay as they are.
import { assert, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { zoneOf } from "../../src/domain/Fixing.ts"
import { consensusOf } from "../../src/domain/Consensus.ts"
import { methods, methodVersions } from "../../src/domain/Methods.ts"
import { p2pMarkets } from "../../src/domain/P2pMarket.ts"
import { combineVenues, quoteFromBook, type VenueQuote, withoutSwapped } from "../../src/domain/P2pRate.ts"
import * as Thresholds from "../../src/domain/Thresholds.ts"
import { estimateBook, mulberry32, syntheticBook } from "../domain/syntheticBooks.ts"

/** Bounds of memory, and what is said beside an estimate. They decide none. */
const OTHERS: ReadonlySet<string> = new Set(["MOST_IDENTITIES", "PAIRS", "COINS", "PRECISION", "TAIL"])

/** The named figures of some files of `src/domain`. */
const figuresOf = (...files: ReadonlyArray<string>) =>
  files.flatMap((file) => {
    const text = readFileSync(`src/domain/${file}.ts`, "utf8")
    const found = [...text.matchAll(/^(?:export )?const ([A-Z][A-Z_]*) = (.+)$/gm)]
    assert.isNotEmpty(found, file)
    return found.flatMap(([, name = "", value]) => (OTHERS.has(name) ? [] : `${file} ${name} ${value}`))
  })

const thresholds: Readonly<Record<string, unknown>> = { ...Thresholds }

const thresholdsOf = (...names: ReadonlyArray<keyof typeof Thresholds>) =>
  names.map((name) => `Thresholds ${name} ${JSON.stringify(thresholds[name])}`)

/** A short text that changes if one of the values does, beyond noise of the last digits. */
const digest = (values: unknown) => {
  const text = JSON.stringify(values, (_, value) => (typeof value === "number" ? Number(value.toPrecision(10)) : value))
  return createHash("sha256").update(text).digest("hex").slice(0, 16)
}

const range = (length: number) => Array.from({ length }, (_, n) => n)

/** Estimates of many books and venues, the same in each run. */
const estimates = () => {
  const books = range(300).map((seed) => estimateBook(syntheticBook(seed).ads, p2pMarkets.NGN))
  const combined = range(3000).map((seed) => {
    const random = mulberry32(seed)
    const venues = range(1 + Math.floor(random() * 5)).map((n): VenueQuote => {
      const mid = 1500 * (1 + (random() - 0.5) / 10)
      const half = mid * (random() - 0.2) * 0.03
      const reason = random() < 0.1 ? "unverified" : null
      const kind = random() < 0.3 ? "order_book" : "p2p"
      const adsUsed = kind === "p2p" ? Math.floor(random() * 60) : null
      return { venue: String(n), kind, buy: mid + half, sell: mid - half, mid, adsUsed, adsRejected: {}, reason }
    })
    return combineVenues(withoutSwapped(venues), 1500 / (0.6 + random()), random() < 0.5 ? undefined : 1500)
  })
  return [books, combined, books.map((book) => quoteFromBook("A", book))]
}

const prices = () =>
  range(2000).map((seed) => {
    const random = mulberry32(seed)
    return consensusOf(
      range(1 + Math.floor(random() * 12)).map((n) => ({
        exchange: "ABCDEFGH"[Math.floor(random() * 8)] ?? "A",
        market: String(n),
        price: 100 * (1 + (random() - 0.5) / (random() < 0.2 ? 2 : 50)),
        weight: 10 ** (4 + 6 * random()),
        observedAt: n
      }))
    )?.price
  })

const current: Readonly<Record<keyof typeof methods, ReadonlyArray<string>>> = {
  p2p: [
    ...figuresOf("P2pBook", "P2pRate"),
    ...thresholdsOf("jump", "CONFIRMATIONS", "FAILING_INTERVALS", "AHEAD"),
    ...Object.values(p2pMarkets).map(({ bounds, fiat, orderBooks, orderSize, payments, venues }) =>
      [fiat, digest([bounds, orderBooks, orderSize, payments, venues])].join(" ")
    ),
    `estimates ${digest(estimates())}`
  ],
  consensus: [
    ...figuresOf("Consensus", "SpotMarket", "PairIdentity"),
    ...thresholdsOf(
      "jump",
      "stablecoinJump",
      "CONFIRMATIONS",
      "FAILING_INTERVALS",
      "ALONE",
      "AHEAD",
      "SAME_COIN",
      "FAR",
      "MOST_DISPERSED",
      "OTHER_COIN"
    ),
    `estimates ${digest(prices())}`
  ],
  fiat: [...figuresOf("Pair"), ...thresholdsOf("fiatMarket")],
  fixing: [...figuresOf("Fixing"), ...Object.keys(p2pMarkets).map((fiat) => `${fiat} ${zoneOf(fiat)}`)],
  statement: figuresOf("Statement")
}

const recorded = readFileSync("test/known/methods.txt", "utf8").split("\n")

it.each(Object.entries(current))("the figures of the method %s change only with its version", (kind, figures) => {
  const version = Object.entries(methods).find(([name]) => name === kind)?.[1]
  assert.deepStrictEqual(
    recorded.filter((line) => line.startsWith(`${version} `)),
    figures.map((figure) => `${version} ${figure}`),
    `Figures that decide ${version} have changed: raise its version in src/domain/Methods.ts`
  )
})

it("every version is recorded once, in order, and the newest of each kind is the one in use", () => {
  const names = methodVersions.map(({ method }) => method)
  assert.sameMembers([...new Set(recorded.flatMap((line) => line.split(" ")[0] || []))], names)
  for (const [kind, inUse] of Object.entries(methods)) {
    const ofKind = methodVersions.filter(({ method }) => method.startsWith(`${kind}/`))
    assert.strictEqual(ofKind[0]?.method, inUse)
    assert.deepStrictEqual(
      ofKind.map(({ method }) => method),
      ofKind.map((_, n) => `${kind}/${ofKind.length - n}`)
    )
    assert.deepStrictEqual(
      ofKind,
      ofKind.toSorted((a, b) => (a.since < b.since ? 1 : -1))
    )
  }
})
