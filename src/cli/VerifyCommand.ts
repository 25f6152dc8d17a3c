// `verify FILE`: checks the signature of a saved statement or fixing, without a network.
import { Console, Effect, FileSystem, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { verified } from "../http/response/Signature.ts"
import { userError } from "../node/StartError.ts"

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
    yield* Console.log(
      Option.isSome(key)
        ? "It is the key that you expect: its holder published this file."
        : "Its holder published this file. Compare the key with x in /.well-known/jwks.json of the service, or give it with --key."
    )
    yield* Console.log("This does not prove that the figures are true.")
  })
).pipe(Command.withDescription("Check the signature of a saved statement or fixing, offline"))
