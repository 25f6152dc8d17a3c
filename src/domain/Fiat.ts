// Fiat currencies by their codes.
import { retiredCurrencies } from "./RetiredCurrencies.ts"

/** ISO 4217 codes in use, and some recently retired ones that have a history here. Other codes of sources, such as coins, are dropped. */
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

/** Whether a code is in use. Sources still publish rates of codes that were replaced. */
export const isInUse = (code: string): boolean => isoCurrencies.has(code) && !retiredCurrencies.has(code)
