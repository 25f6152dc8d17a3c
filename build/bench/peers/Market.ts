// What a peer knows: the values that the service itself gave out, and the arithmetic of an answer. All peers share this; what
// they do around it (routes, validation, limits, JSON, headers) is each framework's own. No header, no status and no JSON here.

/** The nine fiats, upper case. */
export const fiats = ["USD", "NGN", "EUR", "GBP", "INR", "ZAR", "AED", "CAD", "JPY"] as const

/** What an answer is stamped with. `updated` as RFC 3339. */
export interface Stamp {
  readonly source: string
  readonly updated: string
}

/** A row of the list, as `/v1/coins` shows it. */
export interface Row {
  readonly id: string
  readonly symbol: string
  readonly [figure: string]: string | number | null
}

/** One rate that was walked. */
export interface Leg extends Stamp {
  readonly from: string
  readonly to: string
  readonly rate: number
}

/** A price in a fiat. */
export interface Price extends Stamp {
  readonly price: number
  readonly change_24h: number | null
}

/** The values of one moment, as they are handed over. */
export interface MarketFile {
  /** By market cap. */
  readonly rows: ReadonlyArray<Row>
  /** Of each 250 rows. */
  readonly listed: ReadonlyArray<Stamp>
  /** What `/v1/coins/{id}` has, in the order of `rows`. */
  readonly details: ReadonlyArray<Row & Pick<Stamp, "updated">>
  readonly detailSource: string
  /** By id, then by fiat; missing where nobody quotes. */
  readonly prices: Readonly<Record<string, Readonly<Record<string, Price>>>>
  /** From the dollar to each other fiat. */
  readonly crosses: Readonly<Record<string, ReadonlyArray<Leg>>>
  /** Epoch milliseconds of the next refresh. */
  readonly expires: number
}

/** `data` and its stamp. */
export interface Answer extends Stamp {
  readonly data: object
}

/** The questions that are measured; `undefined`: there is no such thing. */
export interface Market {
  readonly price: (id: string, fiat: string) => Answer | undefined
  readonly coin: (id: string) => Answer | undefined
  readonly page: (limit: number, page: number) => Answer & { readonly more: boolean }
  /** From a coin to one of the nine fiats. */
  readonly convert: (from: string, to: string, amount: number) => Answer | undefined
  /** Whole seconds until the next refresh. */
  readonly secondsLeft: () => number
}

const EVERY = 60_000

const digits12 = (value: number): number => Number(value.toPrecision(12))

/** The market of a file. It counts as refreshed once a minute, as the service's is. */
export const make = (file: MarketFile): Market => {
  const symbols = new Map(file.rows.map(({ id, symbol }) => [id, symbol]))
  const details = new Map(file.details.map((detail) => [detail.id, detail]))
  const prices = new Map(Object.entries(file.prices).map(([id, byFiat]) => [id, new Map(Object.entries(byFiat))]))

  /** The source's own quote where it has one, else through the dollar. */
  const legsOf = (id: string, fiat: string): ReadonlyArray<Leg> | undefined => {
    const own = prices.get(id)?.get(fiat)
    const dollar = prices.get(id)?.get("USD")
    if (own === undefined || dollar === undefined) return undefined
    const leg = (to: string, { price, source, updated }: Price) => ({ from: id, to, rate: price, source, updated })
    return own.source === dollar.source ? [leg(fiat, own)] : [leg("USD", dollar), ...(file.crosses[fiat] ?? [])]
  }

  return {
    price: (id, fiat) => {
      const held = prices.get(id)?.get(fiat)
      if (held === undefined) return undefined
      const { change_24h, price, source, updated } = held
      return { data: { id, symbol: symbols.get(id), fiat, price, change_24h }, source, updated }
    },
    coin: (id) => {
      const data = details.get(id)
      return data === undefined ? undefined : { data, source: file.detailSource, updated: data.updated }
    },
    page: (limit, page) => {
      const start = (page - 1) * limit
      const coins = file.rows.slice(start, start + limit)
      const stamp = file.listed[Math.floor(start / 250)] ?? { source: file.detailSource, updated: "" }
      return { data: { coins, page, limit }, ...stamp, more: start + limit < file.rows.length }
    },
    convert: (from, to, amount) => {
      const legs = legsOf(from, to)
      const held = prices.get(from)?.get(to)
      if (legs === undefined || held === undefined) return undefined
      const product = legs.reduce((rate, leg) => rate * leg.rate, 1)
      const rate = legs.length === 1 ? product : digits12(product)
      const result = digits12(amount * rate)
      return { data: { from, to, amount, rate, result, legs }, source: held.source, updated: held.updated }
    },
    secondsLeft: () => {
      const left = (file.expires - Date.now()) % EVERY
      return Math.ceil((left < 0 ? left + EVERY : left) / 1000)
    }
  }
}

/** RFC 8288 links to the pages around this one. */
export const linksOf = (limit: number, page: number, more: boolean): string => {
  const link = (to: number, rel: string) => `</v1/coins?limit=${limit}&page=${to}>; rel="${rel}"`
  const links = [link(1, "first")]
  if (page > 1) links.push(link(page - 1, "prev"))
  if (more) links.push(link(page + 1, "next"))
  return links.join(", ")
}
