// What users would get, by what the sources said just now.
import type { DateTime } from "effect"
import { quotedFiats } from "../domain/Fiat.ts"
import type { Finding, Level } from "./DoctorFindings.ts"
import { figure } from "./DoctorFindings.ts"
import { magnitude, toldOf } from "./DoctorJudgement.ts"
import type { Probes, Served } from "./DoctorSources.ts"

/** The findings on all questions. */
export const judgeServed = (probes: Probes, served: Served, now: DateTime.Utc): ReadonlyArray<Finding> => {
  const finding = (name: string, level: Level, text: string): Finding => ({ area: "served", name, level, text })
  const nothing = (name: string, paths: string): Finding =>
    finding(name, "failing", `nothing. What answers 503: ${paths}`)
  const standsIn = (source: string, first: string) =>
    source === first ? (["ok", ""] as const) : (["degraded", `, standing in for ${first}`] as const)

  const coins = () => {
    const told = toldOf(served.coins, now)
    if (told === undefined) return nothing("coins, prices", "/v1/coins, /v1/price and conversions of coins")
    const [level, how] = standsIn(told.source, probes.geckoCoins.source)
    const count = told.value.coins.length
    return finding("coins, prices", level, `${count} coins by ${told.source}, ${told.age} old${how}`)
  }

  const global = () => {
    const told = toldOf(served.global, now)
    if (told === undefined) return nothing("global", "/v1/global")
    const [level, how] = standsIn(told.source, probes.geckoGlobal.source)
    return finding("global", level, `by ${told.source}, ${told.age} old${how}`)
  }

  const fx = () => {
    const told = toldOf(served.fx, now)
    if (told === undefined)
      return nothing("fiat rates", "/v1/fx, conversions of fiats, and prices that need a fiat rate")
    const missing = quotedFiats.filter((fiat) => !(fiat in told.value.rates))
    if (missing.length > 0) return finding("fiat rates", "failing", `by ${told.source}, without ${missing.join(", ")}`)
    const [level, how] = standsIn(told.source, probes.frankfurterFx.source)
    return finding(
      "fiat rates",
      level,
      `${Object.keys(told.value.rates).length} by ${told.source}, ${told.age} old${how}`
    )
  }

  const official = () => {
    if (served.official._tag === "Missing") {
      return finding("official rate", "failing", "none: /v1/naira has neither an official rate nor a premium")
    }
    const { source, value } = served.official.snapshot
    const [level, how] = standsIn(source, probes.nfem.source)
    return finding("official rate", level, `${figure(value.rate)} NGN per USD of ${value.date} by ${source}${how}`)
  }

  const naira = () => {
    const told = toldOf(served.naira, now)
    if (told === undefined) return nothing("naira", "/v1/naira and everything in NGN")
    const { buy, confidence, mid, premium, reason, sell, used, venues } = told.value
    if (buy === null || sell === null || mid === null) {
      return finding("naira", "failing", `no rate (${reason}): /v1/naira is empty, and everything in NGN answers 503`)
    }
    const published = served.official._tag === "Published" ? served.official.snapshot.value.rate : undefined
    const over = premium === null ? "" : `, ${figure(premium)} % over the official rate`
    const text = `buy ${figure(buy)}, sell ${figure(sell)} by ${used.join(" + ")}${over}, confidence ${confidence}`
    const strayed = magnitude(mid, published)
    if (strayed !== undefined) return finding("naira", "failing", `${text}: ${strayed}`)
    const byBooks = !venues.some(({ kind, venue }) => kind === "p2p" && used.includes(venue))
    if (byBooks) return finding("naira", "degraded", `${text}: order books stand in, no P2P venue has a rate`)
    return finding("naira", confidence === "low" ? "degraded" : "ok", text)
  }

  return [coins(), global(), naira(), official(), fx()]
}
