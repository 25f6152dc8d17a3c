import { assert, describe, it } from "@effect/vitest"
import { p2pMarkets } from "../../src/domain/P2pMarket.ts"
import { paymentOf } from "../../src/domain/paymentOf.ts"

describe("a payment, by the name that a venue gives it", () => {
  it("is a bank transfer in every market where a bank or a transfer is named, and cash where cash is", () => {
    for (const market of Object.values(p2pMarkets)) {
      for (const name of ["Bank Transfer", "BANK", "BankTransfer", "Access Bank", "EquityBank", "KCB", "UBA", "FNB"]) {
        assert.strictEqual(paymentOf(name, market), "bank_transfer", `${market.fiat} ${name}`)
      }
      for (const name of ["Cash", "CASH", "Cash in Person", "Cash Deposit", "Cash by mail"]) {
        assert.strictEqual(paymentOf(name, market), "cash", `${market.fiat} ${name}`)
      }
      for (const name of ["Airtime", "Gift Card", "", "PayPal"]) {
        assert.strictEqual(paymentOf(name, market), "other", `${market.fiat} ${name}`)
      }
    }
  })

  it("is one where mobile money counts, however venues write it, and only there", () => {
    const { ETB, GHS, KES, NGN } = p2pMarkets
    for (const name of ["M-Pesa (Kenya)", "MPesaKenya", "m pesa", "M-PESA Paybill"]) {
      assert.strictEqual(paymentOf(name, KES), "bank_transfer", name)
      assert.strictEqual(paymentOf(name, NGN), "other", name)
    }
    assert.strictEqual(paymentOf("MTN Mobile Money", GHS), "bank_transfer")
    assert.strictEqual(paymentOf("telebirr", ETB), "bank_transfer")
    for (const name of ["OPay", "PalmPay", "Palm Pay", "Moniepoint"]) {
      assert.strictEqual(paymentOf(name, NGN), "bank_transfer", name)
      assert.strictEqual(paymentOf(name, KES), "other", name)
    }
  })
})
