// The finding on the exchanges together.
import { Exit } from "effect"
import { LEAST_EXCHANGES } from "../domain/Consensus.ts"
import type { SourceError } from "../sources/client/SourceError.ts"
import { type Finding, findingIn } from "./DoctorFindings.ts"
import { type FetchedDataSet, refusals, TICKERS } from "./DoctorSources.ts"

const failureOf = ({ exit }: FetchedDataSet): SourceError["reason"] | undefined =>
  Exit.isFailure(exit) ? exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error.reason : undefined

/** The finding on the exchanges: how many answer, and how many a price of theirs needs. */
export const judgeExchanges = (fetched: ReadonlyArray<FetchedDataSet>): Finding => {
  const exchanges = fetched.filter((set) => set.label === TICKERS && failureOf(set)?._tag !== "Disabled")
  const answering = exchanges.filter(({ exit }) => Exit.isSuccess(exit))
  const refusing = exchanges.filter((set) => {
    const reason = failureOf(set)
    return reason?._tag === "BadStatus" && refusals.has(reason.status)
  })
  const [count, all] = [answering.length, exchanges.length]
  const text = `${count} of ${all} exchanges answer from here, and the price of a coin needs ${LEAST_EXCHANGES}`
  const advice =
    refusing.length === 0
      ? ""
      : `. Some refuse this place: SOURCES_DISABLED=${refusing.map(({ id }) => id).join(",")} switches them off`
  return count >= LEAST_EXCHANGES
    ? findingIn("served", "exchanges")("ok", text + advice)
    : findingIn("served", "exchanges")(
        "degraded",
        `${text}: prices come from CoinGecko or CoinPaprika, and are up to ten minutes old${advice}`
      )
}
