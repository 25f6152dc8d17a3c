// Every endpoint of a running service asked at once, and what is dishonest about the answers: a source named that did not serve,
// a time that is not the data's, a figure that was not the case at that time.
import { DateTime, Effect, Record } from "effect"
import { totals } from "../../src/sandbox/CoinMarket.ts"
import type { RunningService } from "../RunningService.ts"

/** What every answer has, read without the contract's own schemas. */
export interface Answered {
  readonly path: string
  readonly status: number
  readonly text: string
  readonly source: string
  /** Epoch milliseconds. */
  readonly updated: number
  /** The member at a path of names and indices; undefined where there is none. */
  readonly at: (...path: ReadonlyArray<string | number>) => unknown
}

const paths = {
  global: "/v1/global",
  coins: "/v1/coins",
  coin: "/v1/coins/bitcoin",
  usd: "/v1/price/bitcoin/usd",
  eur: "/v1/price/bitcoin/eur",
  ngn: "/v1/price/bitcoin/ngn",
  naira: "/v1/naira",
  market: "/v1/p2p/ngn",
  markets: "/v1/p2p",
  fx: "/v1/fx",
  convert: "/v1/convert?from=eur&to=ngn"
} as const

/** The answers of all endpoints. */
export type Answers = Readonly<Record<keyof typeof paths, Answered>>

/** A member deep inside a JSON value. */
export const memberOf = (value: unknown, path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null ? new Map(Object.entries(inner)).get(String(name)) : undefined,
    value
  )

/** The names in a stamp, without the sandbox's mark. */
export const named = (source: string): ReadonlyArray<string> => source.replaceAll(" (sandbox)", "").split(" + ")

const ask = Effect.fnUntraced(function* (service: RunningService["Service"], path: string) {
  const { status, text } = yield* service.get(path)
  const body: unknown = JSON.parse(text)
  const updated = memberOf(body, ["meta", "updated"])
  return {
    path,
    status,
    text,
    source: named(String(memberOf(body, ["meta", "source"]))).join(" + "),
    updated: typeof updated === "string" ? DateTime.makeUnsafe(updated).epochMilliseconds : Number.NaN,
    at: (...names) => memberOf(body, ["data", ...names])
  } satisfies Answered
})

/** Asks for some of it. */
export const askSome = (
  service: RunningService["Service"],
  names: ReadonlyArray<keyof Answers>
): Effect.Effect<Partial<Answers>> =>
  Effect.map(
    Effect.forEach(names, (name) => Effect.map(ask(service, paths[name]), (answer) => [name, answer] as const), {
      concurrency: "unbounded"
    }),
    (answers): Partial<Answers> => Object.fromEntries(answers)
  )

/** Asks for all of it. */
export const askAll = (service: RunningService["Service"]): Effect.Effect<Answers> =>
  Effect.all(
    Record.map(paths, (path) => ask(service, path)),
    { concurrency: "unbounded" }
  )

/** The venues of a naira answer. */
export const venuesOf = ({ naira }: Answers) => {
  const list = naira.at("venues")
  return (Array.isArray(list) ? list : []).map((venue: unknown) => {
    const updated = memberOf(venue, ["updated"])
    const mid = memberOf(venue, ["mid"])
    return {
      name: named(String(memberOf(venue, ["venue"]))).join(""),
      kind: memberOf(venue, ["kind"]),
      mid: typeof mid === "number" ? mid : null,
      reason: memberOf(venue, ["reason"]),
      updated: typeof updated === "string" ? DateTime.makeUnsafe(updated).epochMilliseconds : null
    }
  })
}

/** The rows of `/v1/p2p`. */
export const marketsOf = ({ markets }: Answers) => {
  const list = markets.at("markets")
  return (Array.isArray(list) ? list : []).map((row: unknown) => ({
    fiat: String(memberOf(row, ["fiat"])),
    updated: memberOf(row, ["updated"]),
    mid: memberOf(row, ["mid"]),
    sides: [memberOf(row, ["buy"]), memberOf(row, ["sell"])],
    reason: memberOf(row, ["reason"])
  }))
}

// Each simulated aggregator has marks of its own, so that who served can be told from the data.
const whoServedCoin = ({ coin }: Answers) => (coin.at("image") === null ? "CoinPaprika" : "CoinGecko")

const whoServedGlobal = ({ global }: Answers) => (global.at("active_coins") === 2435 ? "CoinPaprika" : "CoinGecko")

/** Who served the fiat rates but that of the naira. */
export const fiatSource = ({ fx }: Answers): string | undefined => named(fx.source)[0]

/** Frankfurter has six significant digits, currency-api eight decimals. */
const whoServedFx = ({ fx }: Answers) =>
  ["EUR", "GBP", "INR", "ZAR", "CAD", "JPY"].some(
    (code) => String(fx.at("rates", code)).replace(/^0\.0*|\D/g, "").length > 6
  )
    ? "currency-api"
    : "Frankfurter"

const whoMadeNaira = (answers: Answers) => {
  const priced = venuesOf(answers).filter(({ mid }) => mid !== null)
  const p2p = priced.filter(({ kind }) => kind === "p2p")
  const official = answers.naira.at("official_source")
  const makers = (p2p.length > 0 ? p2p : priced).map(({ name }) => name)
  return [...makers, ...(typeof official === "string" ? named(official) : [])]
}

/** Whether a stamp has these names and no others. */
const isSame = (stamp: ReadonlyArray<string>, names: ReadonlySet<string>): boolean =>
  new Set(stamp).size === names.size && stamp.every((name) => names.has(name))

/** What happened in the world. */
export interface Circumstances {
  readonly now: number
  readonly world: RunningService["Service"]["sandbox"]["world"]
  /** Since when a source, by public name, has said nothing that is right. */
  readonly wrongSince: ReadonlyMap<string, number>
  /** Whether single rows of a source are wrong: a rate that it alone has may be missing. */
  readonly isPartial?: boolean
}

/** Everything that is wrong with the answers, in words. None: they are honest. */
export const faultsOf = (
  answers: Answers,
  { isPartial, now, world, wrongSince }: Circumstances
): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const must = (holds: boolean, what: string) => {
    if (!holds) faults.push(what)
  }
  const close = (path: string, what: string, value: unknown, truth: number | undefined, percent: number) => {
    const off = typeof value === "number" && truth !== undefined ? Math.abs(value / truth - 1) * 100 : Number.NaN
    must(off <= percent, `${path}: ${what} ${String(value)} is not near ${truth}`)
  }
  const notAfterFault = (where: string, source: string, updated: number | null) => {
    for (const name of named(source)) {
      const since = wrongSince.get(name)
      must(
        since === undefined || (updated !== null && updated <= since),
        `${where} claims data of ${name} from after it failed`
      )
    }
  }

  for (const answer of Object.values(answers)) {
    must(answer.status === 200, `${answer.path} answers ${answer.status}`)
    must(answer.updated <= now, `${answer.path} was updated in the future`)
  }
  if (faults.length > 0) return faults

  const { coin, coins, convert, eur, fx, global, market, markets, naira, ngn, usd } = answers
  for (const answer of [global, coins, coin, usd]) notAfterFault(answer.path, answer.source, answer.updated)
  // The list takes the newest day, which may be that of the naira, of another source.
  const euroDay = DateTime.makeUnsafe(String(fx.at("observed", "EUR"))).epochMilliseconds
  notAfterFault(fx.path, String(fiatSource(answers)), euroDay)
  const legs = convert.at("legs")
  for (const leg of Array.isArray(legs) ? legs : []) {
    const updated = DateTime.makeUnsafe(String(memberOf(leg, ["updated"]))).epochMilliseconds
    must(updated <= now, `${convert.path}: a leg was updated in the future`)
    must(updated >= convert.updated, `${convert.path} is stamped younger than its oldest leg`)
    // A leg from several venues is as old as the oldest of them.
    notAfterFault(convert.path, String(memberOf(leg, ["source"])), updated)
  }
  const venues = venuesOf(answers)
  for (const { mid, name, updated } of venues) {
    if (mid !== null) notAfterFault(`${naira.path} ${name}`, name, updated)
    if (mid !== null) must((updated ?? 0) >= naira.updated, `${naira.path} is stamped younger than ${name}`)
  }
  const makers = new Set(whoMadeNaira(answers))
  // A venue at whose mid the rate is limited is named too.
  for (const { mid, name } of venues)
    if (mid === naira.at("mid") && named(naira.source).includes(name)) makers.add(name)
  must(
    isSame(named(naira.source), makers),
    `${naira.path} names ${naira.source}, but ${[...makers].join(" + ")} made it`
  )

  for (const answer of [coin, usd]) {
    must(answer.source === whoServedCoin(answers), `${answer.path} names ${answer.source}, not who served`)
  }
  const listed = coins.at("coins")
  const rows: ReadonlyArray<unknown> = Array.isArray(listed) ? listed : []
  const ofRows = new Set(rows.flatMap((row) => named(String(memberOf(row, ["source"])))))
  must(isSame(named(coins.source), ofRows), `${coins.path} names ${coins.source}, not ${[...ofRows].join(" + ")}`)
  must(global.source === whoServedGlobal(answers), `${global.path} names ${global.source}, not who served`)
  const official = naira.at("official_source")
  const served = [whoServedFx(answers), ...(typeof official === "string" ? named(official) : [])]
  const namedByFx = new Set(named(fx.source))
  must(
    served.every((name) => namedByFx.has(name)),
    `${fx.path} names ${fx.source}, not ${served.join(" + ")}`
  )

  const then = (answer: Answered) => world.truth(answer.updated)
  close(coin.path, "price", coin.at("price"), then(coin).price("bitcoin"), 0.5)
  close(usd.path, "price", usd.at("price"), then(usd).price("bitcoin"), 0.5)
  for (const row of rows.slice(0, 20)) {
    const id = String(memberOf(row, ["id"]))
    const updated = DateTime.makeUnsafe(String(memberOf(row, ["updated"]))).epochMilliseconds
    must(updated <= now, `${coins.path}: ${id} was updated in the future`)
    close(coins.path, id, memberOf(row, ["price"]), world.truth(updated).price(id), 1)
  }
  close(global.path, "market cap", global.at("market_cap"), totals(world.market, global.updated).marketCap, 5)
  for (const code of ["EUR", "GBP", "INR", "ZAR", "AED", "CAD", "JPY", "NGN"]) {
    const rate = fx.at("rates", code)
    if (rate !== undefined || isPartial !== true) close(fx.path, code, rate, world.truth(now).fiat(code), 3)
  }
  close(naira.path, "mid", naira.at("mid"), then(naira).p2pMid, 1)
  must(market.text === naira.text, `${market.path} is not ${naira.path}`)
  for (const { fiat, mid, reason, sides, updated } of marketsOf(answers)) {
    if (mid === null)
      must(reason !== null && sides.every((side) => side === null), `${fiat}: no mid, but sides or no reason`)
    else {
      const then = DateTime.makeUnsafe(String(updated)).epochMilliseconds
      close(markets.path, fiat, mid, world.truth(then).street(fiat), 1)
      must(
        sides.every((side) => typeof side === "number"),
        `${fiat}: a mid without sides`
      )
    }
  }
  close(naira.path, "official", naira.at("official"), world.truth(now).official.rate, 3)
  const today = world.truth(now)
  const [btc = 0, usdt = 1, euro = 1] = [today.price("bitcoin"), today.price("tether"), today.fiat("EUR")]
  close(eur.path, "price", eur.at("price"), btc * euro, 4)
  close(ngn.path, "price", ngn.at("price"), (btc / usdt) * today.p2pMid, 4)
  close(convert.path, "rate", convert.at("rate"), today.p2pMid / usdt / euro, 3)
  return faults
}
