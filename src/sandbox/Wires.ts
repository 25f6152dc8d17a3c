// Which upstreams are simulated, and the wire format of each.
import { Record } from "effect"
import type { Wire } from "./Wire.ts"
import { announcements } from "./wire/Announcements.ts"
import { binanceP2p } from "./wire/BinanceP2p.ts"
import { bitgetP2p } from "./wire/BitgetP2p.ts"
import { bybitP2p } from "./wire/BybitP2p.ts"
import { cbn } from "./wire/Cbn.ts"
import { coingecko } from "./wire/CoinGecko.ts"
import { coinpaprika } from "./wire/CoinPaprika.ts"
import { defillama } from "./wire/DefiLlama.ts"
import { exchanges } from "./wire/Exchanges.ts"
import { fiatRates } from "./wire/FiatRates.ts"
import { news } from "./wire/News.ts"
import { orderBooks } from "./wire/OrderBooks.ts"

/** By the prefix of `_BASE_URL` in the settings. */
const upstreams = {
  ...exchanges,
  COINGECKO: coingecko,
  COINPAPRIKA: coinpaprika,
  ...fiatRates,
  BYBIT_P2P: bybitP2p,
  BITGET_P2P: bitgetP2p,
  BINANCE_P2P: binanceP2p,
  ...orderBooks,
  CBN: cbn,
  ...announcements,
  DEFILLAMA: defillama
} satisfies { readonly [name: string]: Wire }

/** Every wire format. The news feeds have addresses of their own instead of a base URL. */
export const wires = { ...upstreams, NEWS: news }

export type UpstreamEnvName = keyof typeof upstreams

export type SimulatedName = keyof typeof wires

export const upstreamNames: ReadonlyArray<UpstreamEnvName> = Record.keys(upstreams)

export const simulatedNames: ReadonlyArray<SimulatedName> = Record.keys(wires)

export type PerUpstream<A> = { readonly [Name in SimulatedName]: A }

export const perUpstream = <A>(value: (name: SimulatedName) => A): PerUpstream<A> =>
  Record.map(wires, (_, name) => value(name))

/** The first segment of an upstream's paths: `bybit-p2p` for `BYBIT_P2P`. */
export const prefixOf = (name: SimulatedName): string => name.toLowerCase().replaceAll("_", "-")
