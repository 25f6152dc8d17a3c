// The P2P markets of USDT that the service can follow, one record for each fiat. Lists, polling, plausibility and simulation of markets
// derive from these records.
import type { Bounds } from "./Plausibility.ts"

/** P2P venues and exchanges with an order book, by their ids in the catalog of sources. */
export const VENUES = ["BYBIT_P2P", "BITGET_P2P", "BINANCE_P2P"] as const
export const ORDER_BOOKS = ["QUIDAX", "LUNO", "VALR"] as const

export type P2pVenueId = (typeof VENUES)[number]
export type OrderBookId = (typeof ORDER_BOOKS)[number]

export interface P2pMarket {
  /** ISO 4217. */
  readonly fiat: string
  /** The IANA time zone of its fixing; UTC if absent. */
  readonly zone?: string
  /** An ad must be able to fill an order of this many units of the fiat, about 70 USD. Bait usually fills only small orders. */
  readonly orderSize: number
  /** Payments that count as bank transfers, by the venues' names for them. Case, blanks and hyphens do not matter. */
  readonly payments: ReadonlyArray<string>
  /** In display order. */
  readonly venues: ReadonlyArray<P2pVenueId>
  /** Order books: compared with the venues' rate, and used instead of it if no venue has a price. */
  readonly orderBooks: ReadonlyArray<OrderBookId>
  /** The official rate: from the Central Bank of Nigeria, or from `/v1/fx`. */
  readonly official: "cbn" | "fx"
  /** The name of its series in the history, if it is older than the other markets. */
  readonly series?: string
  /** Always followed, and the default rate of its fiat. Other markets must be configured. */
  readonly isUsual?: true
  /**
   * Bounds of plausible prices, fiat per USDT: far outside the range of recent years, and less than a factor of 1,000 apart.
   */
  readonly bounds: Bounds & { readonly least: number }
  /** The polling interval of a venue. */
  readonly every: "1 minute" | "2 minutes" | "5 minutes"
}

const binanceToo = {
  venues: ["BYBIT_P2P", "BITGET_P2P", "BINANCE_P2P"],
  orderBooks: [],
  official: "fx",
  every: "5 minutes"
} as const

/** The built-in markets; `P2P_MARKETS` chooses those to follow. */
export const p2pMarkets = {
  NGN: {
    fiat: "NGN",
    zone: "Africa/Lagos",
    orderSize: 100_000,
    payments: ["OPay", "PalmPay", "Moniepoint", "FairMoney", "Carbon", "Paga"],
    // Binance has no NGN ads.
    venues: ["BYBIT_P2P", "BITGET_P2P"],
    orderBooks: ["QUIDAX", "LUNO"],
    official: "cbn",
    series: "naira",
    isUsual: true,
    bounds: { least: 300, most: 10_000 },
    every: "1 minute"
  },
  KES: {
    ...binanceToo,
    fiat: "KES",
    zone: "Africa/Nairobi",
    orderSize: 9000,
    payments: ["M-Pesa", "Airtel Money"],
    bounds: { least: 30, most: 900 },
    every: "2 minutes"
  },
  GHS: {
    ...binanceToo,
    fiat: "GHS",
    zone: "Africa/Accra",
    orderSize: 800,
    payments: ["MTN", "Mobile Money", "MoMo", "Telecel Cash", "AirtelTigo Money"],
    orderBooks: ["QUIDAX"],
    bounds: { least: 3, most: 90 },
    every: "2 minutes"
  },
  ZAR: {
    ...binanceToo,
    fiat: "ZAR",
    zone: "Africa/Johannesburg",
    orderSize: 1200,
    payments: ["Instant EFT", "PayShap"],
    orderBooks: ["VALR", "LUNO"],
    bounds: { least: 4, most: 120 },
    every: "2 minutes"
  },
  UGX: {
    ...binanceToo,
    fiat: "UGX",
    zone: "Africa/Kampala",
    orderSize: 250_000,
    payments: ["MTN", "Mobile Money", "MoMo", "Airtel Money"],
    bounds: { least: 900, most: 25_000 }
  },
  TZS: {
    ...binanceToo,
    fiat: "TZS",
    zone: "Africa/Dar_es_Salaam",
    orderSize: 180_000,
    payments: ["M-Pesa", "Airtel Money", "Tigo Pesa", "Mixx", "HaloPesa"],
    bounds: { least: 600, most: 18_000 }
  },
  RWF: {
    ...binanceToo,
    fiat: "RWF",
    zone: "Africa/Kigali",
    orderSize: 100_000,
    payments: ["MTN", "Mobile Money", "MoMo", "Airtel Money"],
    bounds: { least: 350, most: 10_000 }
  },
  ETB: {
    ...binanceToo,
    fiat: "ETB",
    zone: "Africa/Addis_Ababa",
    orderSize: 10_000,
    payments: ["Telebirr", "CBE Birr"],
    bounds: { least: 35, most: 1100 }
  },
  EGP: {
    ...binanceToo,
    fiat: "EGP",
    zone: "Africa/Cairo",
    orderSize: 3500,
    payments: ["InstaPay", "Vodafone Cash", "Etisalat Cash", "Orange Cash"],
    bounds: { least: 12, most: 350 }
  },
  ZMW: {
    ...binanceToo,
    fiat: "ZMW",
    zone: "Africa/Lusaka",
    orderSize: 1600,
    payments: ["MTN", "Mobile Money", "MoMo", "Airtel Money", "Zamtel"],
    bounds: { least: 5, most: 160 }
  },
  XOF: {
    ...binanceToo,
    fiat: "XOF",
    zone: "Africa/Dakar",
    orderSize: 40_000,
    payments: ["Orange Money", "MTN", "Wave", "Moov", "Mobile Money", "MoMo"],
    bounds: { least: 150, most: 4000 }
  },
  XAF: {
    ...binanceToo,
    fiat: "XAF",
    zone: "Africa/Douala",
    orderSize: 40_000,
    payments: ["Orange Money", "MTN", "Mobile Money", "MoMo", "Airtel Money"],
    bounds: { least: 150, most: 4000 }
  },
  // The payments from here on come from public code of the venues, not from recorded ads.
  VES: {
    ...binanceToo,
    fiat: "VES",
    zone: "America/Caracas",
    orderSize: 20_000,
    payments: ["Pago Móvil", "Pago Movil", "Banco", "Banesco", "Mercantil", "Provincial", "Bancamiga"],
    bounds: { least: 30, most: 25_000 }
  },
  ARS: {
    ...binanceToo,
    fiat: "ARS",
    zone: "America/Argentina/Buenos_Aires",
    orderSize: 100_000,
    payments: ["Mercado Pago", "Transferencia", "Ualá", "Uala", "Lemon Cash", "Naranja X", "Personal Pay"],
    bounds: { least: 100, most: 40_000 }
  },
  BOB: {
    ...binanceToo,
    fiat: "BOB",
    zone: "America/La_Paz",
    orderSize: 700,
    payments: ["Banco", "Transferencia", "Simple QR", "Tigo Money"],
    bounds: { least: 1, most: 200 }
  },
  CUP: {
    ...binanceToo,
    fiat: "CUP",
    zone: "America/Havana",
    orderSize: 30_000,
    payments: ["Transferencia", "EnZona"],
    bounds: { least: 20, most: 15_000 }
  },
  DZD: {
    ...binanceToo,
    fiat: "DZD",
    zone: "Africa/Algiers",
    orderSize: 17_000,
    payments: ["BaridiMob", "CCP"],
    bounds: { least: 15, most: 4000 }
  },
  PKR: {
    ...binanceToo,
    fiat: "PKR",
    zone: "Asia/Karachi",
    orderSize: 20_000,
    payments: ["Easypaisa", "JazzCash", "SadaPay", "NayaPay", "Raast"],
    bounds: { least: 15, most: 5000 }
  },
  BDT: {
    ...binanceToo,
    fiat: "BDT",
    zone: "Asia/Dhaka",
    orderSize: 8500,
    payments: ["bKash", "Nagad", "Rocket", "Upay"],
    bounds: { least: 8, most: 2500 }
  },
  VND: {
    ...binanceToo,
    fiat: "VND",
    zone: "Asia/Ho_Chi_Minh",
    orderSize: 1_800_000,
    payments: ["MoMo", "ZaloPay", "Viettel Money"],
    bounds: { least: 2000, most: 500_000 }
  },
  INR: {
    ...binanceToo,
    fiat: "INR",
    zone: "Asia/Kolkata",
    orderSize: 7000,
    payments: ["UPI", "IMPS", "NEFT", "PhonePe", "Paytm", "Google Pay"],
    bounds: { least: 6, most: 2000 }
  },
  TRY: {
    ...binanceToo,
    fiat: "TRY",
    zone: "Europe/Istanbul",
    orderSize: 3500,
    payments: ["Papara", "Ziraat", "Garanti", "Havale", "FAST"],
    bounds: { least: 3, most: 2000 }
  },
  AOA: {
    ...binanceToo,
    fiat: "AOA",
    zone: "Africa/Luanda",
    orderSize: 80_000,
    payments: ["Multicaixa", "BAI", "BFA"],
    bounds: { least: 60, most: 40_000 }
  },
  MZN: {
    ...binanceToo,
    fiat: "MZN",
    zone: "Africa/Maputo",
    orderSize: 4500,
    payments: ["M-Pesa", "e-Mola", "mKesh", "BCI"],
    bounds: { least: 5, most: 2000 }
  },
  SDG: {
    ...binanceToo,
    fiat: "SDG",
    zone: "Africa/Khartoum",
    orderSize: 200_000,
    payments: ["Bankak", "Fawry", "MyCashi"],
    bounds: { least: 150, most: 100_000 }
  },
  LBP: {
    ...binanceToo,
    fiat: "LBP",
    zone: "Asia/Beirut",
    orderSize: 6_000_000,
    payments: ["Whish", "OMT"],
    bounds: { least: 5000, most: 2_000_000 }
  },
  MMK: {
    ...binanceToo,
    fiat: "MMK",
    zone: "Asia/Yangon",
    orderSize: 300_000,
    payments: ["KBZPay", "KPay", "Wave", "AYA Pay", "CB Pay"],
    bounds: { least: 250, most: 100_000 }
  }
} as const satisfies Readonly<Record<string, P2pMarket>>

/** The market that every service follows. */
export const usualMarket: P2pMarket = p2pMarkets.NGN

/** The code of a built-in market. */
export type P2pFiat = keyof typeof p2pMarkets

/** The built-in markets by code. An operator's file may add others. */
export const builtInMarkets: ReadonlyMap<string, P2pMarket> = new Map(Object.entries(p2pMarkets))

/** The markets that are followed if `P2P_MARKETS` is not set. */
export const defaultMarkets: ReadonlyArray<P2pFiat> = ["NGN", "KES", "GHS", "ZAR"]

/** The usual market first, then the markets with these codes, sorted by code. */
export const inOrder = (known: Iterable<P2pMarket>, codes: Iterable<string>): ReadonlyArray<P2pMarket> => {
  const wanted = new Set(codes)
  const chosen = [...known].filter(({ fiat, isUsual }) => isUsual === true || wanted.has(fiat))
  const rank = ({ fiat, isUsual }: P2pMarket) => (isUsual === true ? "" : fiat)
  return chosen.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** The name of a market's pair: `USDT/KES`. */
export const pairOf = (fiat: string): string => `USDT/${fiat}`
