// Signatures in bodies of each form.
import { assert, describe, it } from "@effect/vitest"
import { generateKeyPairSync } from "node:crypto"
import { signed, signerOf, verified } from "../../../src/http/response/Signature.ts"

const pemOf = (key: { readonly export: (options: { format: "pem"; type: "pkcs8" }) => string | Buffer }) =>
  key.export({ format: "pem", type: "pkcs8" }).toString()

const newSigner = () => {
  const signer = signerOf(pemOf(generateKeyPairSync("ed25519").privateKey))
  if (signer === undefined) throw new Error("no signer")
  return signer
}

const signer = newSigner()

const bodies: Readonly<Record<string, string>> = {
  json: JSON.stringify({
    data: { rate: 1500.25, note: '},"meta":{ and ,"signature":"x"' },
    meta: { source: "Bybit P2P", tier: "free" }
  }),
  csv: "on,rate,reason\r\n2026-11-20,1500.25,\r\n",
  text: "Rate 1500.25 NGN\nasked again: …\n"
}

describe("a signature", () => {
  for (const [form, body] of Object.entries(bodies)) {
    const file = Buffer.from(signed(signer, form, body))

    it(`in ${form} names its key, and any other byte in the file is found`, () => {
      assert.deepStrictEqual(verified(file), { _tag: "Intact", publicKey: signer.publicKey })
      for (let at = 0; at < file.length; at++) {
        for (const flip of [1, 2, 0x20]) {
          const changed = Buffer.from(file)
          changed[at] = (changed[at] ?? 0) ^ flip
          assert.notStrictEqual(verified(changed)._tag, "Intact", `byte ${at}: ${changed.toString()}`)
        }
        const shortened = Buffer.concat([file.subarray(0, at), file.subarray(at + 1)])
        assert.notStrictEqual(verified(shortened)._tag, "Intact", `without byte ${at}`)
      }
      for (const added of [Buffer.concat([file, Buffer.from("\n")]), Buffer.concat([Buffer.from("\uFEFF"), file])])
        assert.notStrictEqual(verified(added)._tag, "Intact")
    })

    it(`in ${form} is not that of another key, and a second one changes the file`, () => {
      const other = newSigner()
      const forged = file.toString().replace(signer.publicKey, other.publicKey)
      assert.deepStrictEqual(verified(Buffer.from(forged)), { _tag: "Changed" })
      const twice = signed(other, form, file.toString())
      assert.notDeepEqual(verified(Buffer.from(twice)), { _tag: "Intact", publicKey: signer.publicKey })
    })

    it(`is missing in ${form} where nobody signed`, () => {
      assert.deepStrictEqual(verified(Buffer.from(body)), { _tag: "Unsigned" })
    })
  }

  it("leaves JSON and the rows of CSV readable", () => {
    const { data, meta } = JSON.parse(signed(signer, "json", bodies["json"] ?? ""))
    assert.deepStrictEqual([data.rate, typeof data.signature, meta.tier], [1500.25, "string", "free"])
    const rows = signed(signer, "csv", bodies["csv"] ?? "").split("\r\n")
    assert.deepStrictEqual(
      rows.map((row) => row.split(",").length),
      [3, 3, 3, 1]
    )
  })

  it("needs an Ed25519 key in PEM", () => {
    const others = [
      "",
      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
      pemOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey),
      pemOf(generateKeyPairSync("x25519").privateKey),
      generateKeyPairSync("ed25519").publicKey.export({ format: "pem", type: "spki" }).toString()
    ]
    for (const pem of others) assert.isUndefined(signerOf(pem), pem)
  })
})
