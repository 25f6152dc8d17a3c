// Signatures in bodies (Ed25519), so that a saved answer shows who published it. A signature is over the body's own bytes and is added to
// them: in JSON as the last member of `data`, in CSV as the last row, in text as the last line. Verifying needs the saved file alone.
import { Context } from "effect"
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto"

/** Signs bodies. */
export interface Signer {
  /** The `x` of its JSON Web Key (RFC 8037). */
  readonly publicKey: string
  readonly sign: (body: string) => string
}

/** The operator's signer; `undefined` for a service that signs nothing. */
export const Signing = Context.Reference<Signer | undefined>("crypto-data-api/http/response/Signature", {
  defaultValue: () => undefined
})

/** `ed25519:`, the public key and the signature, in base64url. */
const TOKEN = "ed25519:([\\w-]{43}):([\\w-]{86})"

/** A form of bodies: how a token is added, and where it may be in one. */
interface Form {
  readonly added: (body: string, token: string) => string
  readonly place: RegExp
}

/** Between `data` and `meta`. Within a text of JSON its quotes would be escaped. */
const AFTER_DATA = '},"meta":{'

const forms = {
  json: {
    added: (body, token) => {
      const at = body.lastIndexOf(AFTER_DATA)
      return `${body.slice(0, at)},"signature":"${token}"${body.slice(at)}`
    },
    place: new RegExp(`,"signature":"${TOKEN}"`)
  },
  csv: {
    added: (body, token) => {
      const columns = body.slice(0, body.indexOf("\r\n")).split(",").length
      return `${body}signature,${token}${",".repeat(columns - 2)}\r\n`
    },
    place: new RegExp(`signature,${TOKEN},*\r\n$`)
  },
  text: {
    added: (body, token) => `${body}Signature: ${token}\n`,
    place: new RegExp(`Signature: ${TOKEN}\n$`)
  }
} as const satisfies Readonly<Record<string, Form>>

/** The signer with a private key in PEM (PKCS #8); `undefined` if the text is no such Ed25519 key. */
export const signerOf = (pem: string): Signer | undefined => {
  if (!pem.trimStart().startsWith("-----BEGIN PRIVATE KEY-----")) return undefined
  try {
    const key = createPrivateKey(pem)
    const { x } = createPublicKey(pem).export({ format: "jwk" })
    if (key.asymmetricKeyType !== "ed25519" || x === undefined) return undefined
    return { publicKey: x, sign: (body) => sign(null, Buffer.from(body), key).toString("base64url") }
  } catch {
    return undefined
  }
}

/** A body with its signature. */
export const signed = ({ publicKey, sign }: Signer, form: string, body: string): string =>
  (form === "json" || form === "csv" ? forms[form] : forms.text).added(body, `ed25519:${publicKey}:${sign(body)}`)

/** What a file is: without a signature, changed since it was signed, or as it was signed by the holder of a key. */
export type Verified =
  | { readonly _tag: "Unsigned" }
  | { readonly _tag: "Changed" }
  | { readonly _tag: "Intact"; readonly publicKey: string }

const isGenuine = (publicKey: string, signature: string, body: Buffer): boolean => {
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" })
    return verify(null, body, key, Buffer.from(signature, "base64url"))
  } catch {
    return false
  }
}

/** Whether a text is the one form of what it encodes. Others decode to the same bytes. */
const isCanonical = (text: string): boolean => Buffer.from(text, "base64url").toString("base64url") === text

/** Verifies a file with the key that its signature names. */
export const verified = (file: Uint8Array): Verified => {
  // One character for each byte, whatever the bytes are.
  const text = Buffer.from(file).toString("latin1")
  for (const { added, place } of Object.values(forms)) {
    const [whole, publicKey = "", signature = ""] = place.exec(text) ?? []
    if (whole === undefined) continue
    const body = text.replace(whole, () => "")
    const isOurs =
      added(body, `ed25519:${publicKey}:${signature}`) === text && isCanonical(publicKey) && isCanonical(signature)
    return isOurs && isGenuine(publicKey, signature, Buffer.from(body, "latin1"))
      ? { _tag: "Intact", publicKey }
      : { _tag: "Changed" }
  }
  return text.includes("ed25519:") ? { _tag: "Changed" } : { _tag: "Unsigned" }
}
