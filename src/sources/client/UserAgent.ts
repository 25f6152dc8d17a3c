// The `User-Agent` of every request to a source. Some hosts leave requests unanswered whose agent does not begin like a
// browser's, so the default has the usual form and says what it is.
import { Config, Schema } from "effect"
import { VERSION } from "../../domain/version.ts"

/** The homepage in `package.json`. */
const HOMEPAGE = "https://www.npmjs.com/package/crypto-data-api"

/** The default of {@link userAgent}. */
export const DEFAULT_USER_AGENT = `Mozilla/5.0 (compatible; crypto-data-api/${VERSION}; +${HOMEPAGE})`

/** `USER_AGENT`: 1 to 300 printable ASCII characters, because anything else cannot be sent in a header. */
export const userAgent: Config.Config<string> = Config.schema(
  Schema.String.check(Schema.isPattern(/^[!-~](?:[ -~]{0,298}[!-~])?$/)),
  "USER_AGENT"
).pipe(Config.withDefault(DEFAULT_USER_AGENT))
