// Fiat currencies: the nine that prices are quoted in, and all codes in use.

/** The fiats `/v1/price` quotes in, in upper case. */
export const quotedFiats = ["USD", "NGN", "EUR", "GBP", "INR", "ZAR", "AED", "CAD", "JPY"] as const

/** One of {@link quotedFiats}. */
export type QuotedFiat = (typeof quotedFiats)[number]

/** Whether a code, in any case of ASCII letters, is one of the nine. */
export const isQuotedFiat = (code: string): boolean =>
  /^[A-Za-z]{3}$/.test(code) && quotedFiats.some((fiat) => fiat === code.toUpperCase())

/** ISO 4217 codes in use. Sources that mix fiat with coins and retired units are reduced to these. */
export const isoCurrencies: ReadonlySet<string> = new Set(
  (
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP " +
    "CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR " +
    "ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT " +
    "MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD " +
    "SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES " +
    "VND VUV WST XAF XCD XCG XDR XOF XPF YER ZAR ZMW ZWG"
  ).split(" ")
)
