// Classifies the payment methods of ads by the venues' names for them. One list for all venues.
import type { Payment } from "./P2pAd.ts"
import type { P2pMarket } from "./P2pMarket.ts"

const CASH = /^cash$|\bcash (in person|deposit|by mail)\b/i

/** Names of banks and bank transfers, the same in all markets. */
const BANK = /bank|transfer|\bach\b|\b(uba|fcmb|gtb|zenith|wema|alat|vfd|providus|kuda|kcb|absa|fnb|capitec)\b/i

/** `M-Pesa (Kenya)`, `MPesaKenya` and `m pesa` are one name. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

/** The kind of a payment method in a market. Unknown names are `other`. */
export const paymentOf = (name: string, { payments }: Pick<P2pMarket, "payments">): Payment => {
  if (CASH.test(name)) return "cash"
  const known = plain(name)
  return BANK.test(name) || payments.some((counts) => known.includes(plain(counts))) ? "bank_transfer" : "other"
}
