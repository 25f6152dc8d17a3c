// `verify FILE`.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { generateKeyPairSync } from "node:crypto"
import { mkdirSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { verify } from "../../src/cli/VerifyCommand.ts"
import { signed, signerOf } from "../../src/http/response/Signature.ts"
import { temporaryFolder } from "../resources.ts"
import { rule } from "../rulesOf.ts"
import { inProcess } from "./inProcess.ts"

const newSigner = Effect.sync(() =>
  signerOf(generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString())
)

rule(
  "verify says who published a file, and not that it is true; what is wrong with a file is a sentence",
  function* () {
    const [signer, other] = [yield* newSigner, yield* newSigner]
    assert.isDefined(signer)
    const folder = yield* temporaryFolder
    const file = join(folder, "statement.txt")
    const text = signed(signer, "text", "Rate 1500.25 NGN\n")
    const run = (...args: ReadonlyArray<string>) => inProcess(verify, {}, args)
    const saved = (content: string) => Effect.sync(() => writeFileSync(file, content))

    yield* saved(text)
    const alone = yield* run(file)
    assert.isFalse(alone.succeeded, "anybody can sign")
    assert.include(alone.failure, "Unpinned")
    assert.include(alone.out, `is as it was signed with the key ${signer.publicKey}.`)
    assert.include(alone.out, "Whose key that is was not checked")
    const expected = yield* run("--key", signer.publicKey, file)
    assert.isTrue(expected.succeeded, expected.failure)
    assert.include(expected.out, "It is the key that you expect: its holder published this file.")
    assert.include(expected.out, "This does not prove that the figures are true.")

    const refused = Effect.fnUntraced(function* (sentence: string, ...args: ReadonlyArray<string>) {
      const { failure, out, succeeded } = yield* run(...args)
      assert.isFalse(succeeded)
      assert.strictEqual(out, "")
      assert.include(failure, sentence)
    })
    yield* refused(`is signed with another key: ${signer.publicKey}`, "--key", other?.publicKey ?? "", file)
    yield* saved(text.replace("1500.25", "1500.26"))
    yield* refused("is not as it was signed: at least one byte differs", file)
    yield* saved("Rate 1500.25 NGN\n")
    yield* refused("has no signature", file)
    yield* refused("cannot be read. Name a file", join(folder, "nothing.txt"))
    yield* Effect.sync(() => mkdirSync(join(folder, "inner")))
    yield* refused("is not a regular file", join(folder, "inner"))
    yield* Effect.sync(() => truncateSync(file, 17 * 1024 * 1024))
    yield* refused("has more than 16777216 bytes", file)
  }
)
