// Errors that end a command with a sentence, and an exit code that says whether starting again can help.
import { Runtime } from "effect"
import { CliError } from "effect/cli"

/** Ends the command with this sentence. */
export const userError = (userMessage: string) => new CliError.UserError({ cause: new Error(userMessage), userMessage })

/**
 * A start that fails until the operator changes something. Its exit code is 78, EX_CONFIG of sysexits.h, after which
 * `deploy/crypto-data-api.service` does not start the process again.
 */
export class StartError extends CliError.UserError {
  override readonly [Runtime.errorExitCode] = 78

  constructor(userMessage: string) {
    super({ cause: new Error(userMessage), userMessage })
  }
}
