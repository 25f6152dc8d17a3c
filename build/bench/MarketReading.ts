// What the service knows, read from its own answers, for the peers to serve.
import { Effect } from "effect"
import * as Http from "node:http"
import { fiats, type Leg, type MarketFile, type Price, type Row, type Stamp } from "./peers/Market.ts"
import { ask } from "./Processes.ts"

const AT_ONCE = 48

interface Envelope<A> {
  readonly data: A
  readonly meta: Stamp
}

/** Reads everything, with keys taken in turn; prices and details of the `priced` largest coins. */
export const read = (
  port: number,
  keys: ReadonlyArray<string>,
  priced: number = Number.POSITIVE_INFINITY
): Effect.Effect<MarketFile> =>
  Effect.promise(async () => {
    const agent = new Http.Agent({ keepAlive: true, maxSockets: AT_ONCE })
    let asked = 0
    const get = async <A>(path: string): Promise<Envelope<A> | undefined> => {
      const key = keys[asked++ % keys.length] ?? ""
      const { body, status } = await ask(port, path, { agent, headers: { "x-api-key": key } })
      if (status === 200) return JSON.parse(body.toString())
      if (status === 404) return undefined
      throw new Error(`${path} was answered with ${status}: ${body.toString()}`)
    }
    const need = async <A>(path: string): Promise<Envelope<A>> => {
      const answer = await get<A>(path)
      if (answer === undefined) throw new Error(`${path} was answered with 404`)
      return answer
    }

    // Contracts come with a list of their own, a while after the first coins.
    const platforms = async () => (await need<{ platforms: object | null }>("/v1/coins/bitcoin")).data.platforms
    for (let n = 0; n < 200 && (await platforms()) === null; n++) await new Promise((done) => setTimeout(done, 100))

    const pages = []
    for (const page of [1, 2, 3, 4]) {
      pages.push(await need<{ coins: ReadonlyArray<Row> }>(`/v1/coins?limit=250&page=${page}`))
    }
    const rows = pages.flatMap(({ data }) => data.coins)

    const largest = rows.slice(0, priced)
    const details = await inTurn(largest, ({ id }) => need<Row & { updated: string }>(`/v1/coins/${id}`))
    const pairs = largest.flatMap(({ id }) => fiats.map((fiat) => ({ id, fiat })))
    const quotes = await inTurn(pairs, ({ fiat, id }) => get<Price>(`/v1/price/${id}/${fiat.toLowerCase()}`))
    const prices: Record<string, Record<string, Price>> = {}
    for (const [n, { fiat, id }] of pairs.entries()) {
      const quote = quotes[n]
      if (quote === undefined) continue
      const { change_24h, price } = quote.data
      ;(prices[id] ??= {})[fiat] = { price, change_24h, source: quote.meta.source, updated: quote.meta.updated }
    }
    const crosses: Record<string, ReadonlyArray<Leg>> = {}
    for (const fiat of fiats.slice(1)) {
      crosses[fiat] = (await need<{ legs: ReadonlyArray<Leg> }>(`/v1/convert?from=usd&to=${fiat}`)).data.legs
    }
    agent.destroy()
    return {
      rows,
      listed: pages.map(({ meta: { source, updated } }) => ({ source, updated })),
      details: details.map(({ data }) => data),
      detailSource: details[0]?.meta.source ?? "",
      prices,
      crosses,
      expires: performance.timeOrigin + performance.now() + 60_000
    }
  })

/** Some at once, results in order. */
const inTurn = async <A, B>(items: ReadonlyArray<A>, f: (item: A) => Promise<B>): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  let next = 0
  const worker = async () => {
    for (let n = next++; n < items.length; n = next++) {
      const item = items[n]
      if (item !== undefined) results[n] = await f(item)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}
