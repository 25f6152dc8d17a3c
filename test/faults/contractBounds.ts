// What no answer may say, whatever upstreams say: the bounds of the contract, written down once more, so that a bound that is
// taken out of the product's table is missed here.
import { memberOf } from "./Answers.ts"
import type { Answered } from "./InProcessService.ts"

/** Units per 1 USD about which the simulated currencies move. */
const levels: Readonly<Record<string, number>> = {
  USD: 1,
  NGN: 1370,
  EUR: 0.88,
  GBP: 0.76,
  INR: 96,
  ZAR: 16.4,
  AED: 3.6725,
  CAD: 1.42,
  JPY: 157
}

/** A factor that rounding may add. */
const ROUNDING = 1 + 1e-9

const rowsOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Every way in which an answer is not possible, in words. */
export const violations = ({ body, path, status }: Answered, now: number): ReadonlyArray<string> => {
  const found: Array<string> = []
  const must = (holds: boolean, what: string) => {
    if (!holds) found.push(`${path}: ${what}`)
  }
  const at = (value: unknown, ...names: ReadonlyArray<string>) => memberOf(value, names)
  const figure = (row: unknown, name: string, least: number, most: number) => {
    const value = at(row, name)
    if (value === null || value === undefined) return
    must(typeof value === "number" && value >= least && value <= most, `${name} ${String(value)}`)
  }
  const above0 = Number.MIN_VALUE
  const time = (row: unknown, name: string) => {
    const value = at(row, name)
    if (typeof value === "string") must(Date.parse(value) <= now, `${name} ${value} is to come`)
  }
  const coin = (row: unknown) => {
    for (const name of ["price", "high_24h", "low_24h", "ath"]) figure(row, name, above0, 1e9)
    for (const name of ["circulating_supply", "total_supply", "max_supply"]) figure(row, name, above0, 1e30)
    for (const name of ["change_1h", "change_24h", "change_7d"]) figure(row, name, -100, 1e9)
    figure(row, "market_cap", above0, 1e14)
    figure(row, "volume_24h", 0, 1e14)
    figure(row, "rank", 1, 1e9)
    for (const name of ["updated", "ath_date"]) time(row, name)
    const [cap, price, supply] = [at(row, "market_cap"), at(row, "price"), at(row, "circulating_supply")]
    if (typeof cap === "number" && typeof price === "number" && typeof supply === "number") {
      const factor = cap / (price * supply)
      must(Math.max(factor, 1 / factor) <= 10 * ROUNDING, `cap ${cap}, price ${price}, supply ${supply}`)
    }
    const [high, low] = [at(row, "high_24h"), at(row, "low_24h")]
    if (typeof high === "number" && typeof low === "number") must(high >= low, `high ${high}, low ${low}`)
  }

  if (status !== 200) {
    const code = at(body, "code")
    const isHonest = status === 503 || (status === 404 && code === "no_price")
    must(isHonest, `${status} ${String(code)}`)
    return found
  }
  const data = at(body, "data")
  time(at(body, "meta"), "updated")
  if (path.startsWith("/v1/global")) {
    figure(data, "market_cap", above0, 1e15)
    figure(data, "volume_24h", 0, 1e15)
    figure(data, "market_cap_change_24h", -100, 1e9)
    for (const name of ["btc_dominance", "eth_dominance"]) figure(data, name, 0, 100)
    figure(data, "active_coins", 1, 1e9)
  }
  if (path.startsWith("/v1/coins?")) {
    for (const row of rowsOf(at(data, "coins"))) coin(row)
  } else if (path.startsWith("/v1/coins/")) {
    coin(data)
  }
  if (path.startsWith("/v1/price/")) {
    const most = 1e9 * 20 * ROUNDING * (levels[String(at(data, "fiat"))] ?? Number.NaN)
    figure(data, "price", above0, path.endsWith("/usd") ? 1e9 : most)
    figure(data, "change_24h", -100, 1e9)
  }
  if (path.startsWith("/v1/fx")) {
    const rates = at(data, "rates")
    for (const [code, rate] of Object.entries(typeof rates === "object" && rates !== null ? rates : {})) {
      const level = levels[code]
      const [least, most] = level === undefined ? [above0, 1e7] : [level / 20 / ROUNDING, level * 20 * ROUNDING]
      must(typeof rate === "number" && rate >= least && rate <= most, `${code} ${String(rate)}`)
    }
  }
  if (path.startsWith("/v1/naira")) {
    for (const row of [data, ...rowsOf(at(data, "venues"))]) {
      for (const name of ["buy", "sell", "mid"]) figure(row, name, 300, 10_000)
      time(row, "updated")
    }
    figure(data, "spread", -15, 15)
    figure(data, "official", 1370 / 20, 1370 * 20)
    figure(data, "premium", -100, 1e5)
  }
  if (path === "/v1/convert?from=eur&to=ngn") figure(data, "rate", 1370 / 0.88 / 400, (1370 / 0.88) * 400)
  else if (path.startsWith("/v1/convert")) figure(data, "rate", above0, 1e15)
  return found
}
