// Whether any source has answered since the start. Until then `NoSource` says in one line that none does, because a warning of each of
// thirty sources would hide the cause.
import { Context } from "effect"
import type { SourceError } from "../../sources/client/SourceError.ts"

/** Set by the process that serves. The default: failures are logged from the start. */
export const FirstAnswer = Context.Reference<{ hasCome: boolean }>("crypto-data-api/services/refresh/FirstAnswer", {
  defaultValue: () => ({ hasCome: true })
})

/** Whether a source is silent, or silent calls have spent its budget. */
export const isSilence = ({ reason: { _tag } }: SourceError): boolean =>
  _tag === "TimedOut" || _tag === "Unreachable" || _tag === "OverBudget"
