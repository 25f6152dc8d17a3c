// Whether any source has answered since the start. Until then `NoSource` says in one line that none does, because a warning of each of
// thirty sources would hide the cause.
import { Context } from "effect"
import type { SourceError } from "../../sources/client/SourceError.ts"

/** Set by the process that serves. The default: failures are logged from the start. */
export const FirstAnswer = Context.Reference<{ hasCome: boolean }>("crypto-data-api/services/refresh/FirstAnswer", {
  defaultValue: () => ({ hasCome: true })
})

/** Whether a failure is the silence of a source, or our budget that silent calls have spent. */
export const isSilence = ({ reason: { _tag } }: SourceError): boolean =>
  _tag === "TimedOut" || _tag === "Unreachable" || _tag === "OverBudget"
