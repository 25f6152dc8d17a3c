// Errors that are a text alone, `{ "error": … }`, as Yadio and BTCPay Server write them.
import type { Dialect } from "../Dialect.ts"
import type { Texts } from "./CompatDocument.ts"

export const write: Dialect["write"] = ({ detail, status }) => [status, { error: detail }]

/** The schema of such a body. */
export const errorText = { type: "object", properties: { error: { type: "string" } }, required: ["error"] }

export const documentedErrors: Pick<Texts, "errors" | "errorSchemas"> = {
  errors: {
    400: "A parameter is missing or not allowed as it is; the text names it",
    404: "No rate of this currency is known"
  },
  errorSchemas: { Error: errorText }
}
