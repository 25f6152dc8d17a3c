// `verify FILE`: checks the signature of a saved statement or fixing, without a network.
import { Console, Data, Effect, FileSystem, Option, Runtime } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { verified } from "../http/response/Signature.ts"
import { userError } from "../node/StartError.ts"

/** The signature is right, but nobody said whose it must be. */
class Unpinned extends Data.TaggedError("Unpinned") {
  override readonly [Runtime.errorReported] = false
  override readonly [Runtime.errorExitCode] = 3
}

/** The most bytes of a file. The longest answer, ten years of fixings, has about 2 MB. */
const MOST_BYTES = 16 * 1024 * 1024

const bytesOf = Effect.fnUntraced(
  function* (file: string) {
    const files = yield* FileSystem.FileSystem
    const { size, type } = yield* files.stat(file)
    if (type !== "File") return yield* userError(`${file} is not a regular file. Name a saved statement or fixing.`)
    if (size > MOST_BYTES)
      return yield* userError(
        `${file} has more than ${MOST_BYTES} bytes: no answer is so long. Name a saved statement or fixing.`
      )
    return yield* files.readFile(file)
  },
  (reading, file) =>
    Effect.catchTag(reading, "PlatformError", () =>
      Effect.fail(userError(`${file} cannot be read. Name a file that this user may read.`))
    )
)

export const verify = Command.make(
  "verify",
  {
    file: Argument.String("file").pipe(Argument.withDescription("A statement or fixings, saved as they were sent")),
    key: Flag.String("key").pipe(
      Flag.withDescription("The public key to expect: x in /.well-known/jwks.json of the service"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ file, key }) {
    const found = verified(yield* bytesOf(file))
    if (found._tag === "Unsigned") {
      return yield* userError(`${file} has no signature. A service signs if its operator has set SIGNING_KEY_FILE.`)
    }
    if (found._tag === "Changed") {
      return yield* userError(
        `${file} is not as it was signed: at least one byte differs. Ask for it again, and save it as it is sent.`
      )
    }
    const { publicKey } = found
    if (Option.isSome(key) && key.value !== publicKey) {
      return yield* userError(
        `${file} is signed with another key: ${publicKey}. Do not trust it before its sender explains the change.`
      )
    }
    yield* Console.log(`${file} is as it was signed with the key ${publicKey}.`)
    if (Option.isNone(key)) {
      yield* Console.log(
        "Whose key that is was not checked: anybody can sign a file. Give x in /.well-known/jwks.json of"
      )
      yield* Console.log("the service with --key.")
      return yield* new Unpinned()
    }
    yield* Console.log("It is the key that you expect: its holder published this file.")
    yield* Console.log("This does not prove that the figures are true.")
  })
).pipe(
  Command.withDescription(
    "Check the signature of a saved statement or fixing, offline. Exit code: 0 it is of the key in --key, 1 it is not, 3 it is of a key that nobody checked"
  )
)
