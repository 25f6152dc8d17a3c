// `/.well-known/jwks.json`: the public key of the operator's signatures, as a JSON Web Key Set (RFC 7517, RFC 8037).
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as Paths from "../request/Paths.ts"
import { Signing } from "../response/Signature.ts"

export const PublicKeys = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const signer = yield* Signing
    const key = { kty: "OKP", crv: "Ed25519", use: "sig", alg: "EdDSA", x: signer?.publicKey }
    const response =
      signer === undefined ? HttpServerResponse.empty({ status: 404 }) : HttpServerResponse.jsonUnsafe({ keys: [key] })
    yield* router.add("GET", Paths.otherPaths.publicKeys, Effect.succeed(response))
  })
)
