// Errors that are a text alone, `{ "error": … }`, as Yadio and BTCPay Server write them.
import type { Dialect } from "../Dialect.ts"
import type { Texts } from "./CompatDocument.ts"

export const write: Dialect["write"] = ({ detail, status }) => [status, { error: detail }]

export const documentedErrors: Pick<Texts, "errors" | "errorSchemas"> = {
  errors: [
    ["400", "A parameter is missing or not allowed as it is; the text names it", "Error"],
    ["401", "The key is not valid", "Error"],
    ["404", "No rate of this currency is known", "Error"],
    ["405", "The path has no such method", "Error"],
    ["429", "The quota of the minute is used up", "Error"],
    ["500", "An error of this service", "Error"],
    ["503", "Data unavailable", "Error"]
  ],
  errorSchemas: { Error: { type: "object", properties: { error: { type: "string" } }, required: ["error"] } }
}
