// The venues of P2P markets, and the official rate of the naira, with every fault.
import type { UpstreamEnvName } from "../../src/sandbox/Wires.ts"
import { onlyNaira, withoutEvidence } from "../RunningService.ts"
import { marketsOf, venuesOf } from "./Answers.ts"
import { afterwards, type Column, describeColumns, faults, MEBI, oneSided } from "./FaultMatrix.ts"

const venueColumn = (
  source: UpstreamEnvName,
  name: string,
  bytes: number,
  invisible: ReadonlyArray<string>
): Column => ({
  source,
  names: [name],
  out: [],
  config: { ...withoutEvidence, ...onlyNaira, COINGECKO_PLAN: "demo" },
  between: "2 hours",
  faults: faults(6, bytes),
  asked: (time) => time.pass("3 minutes"),
  givenUp: (time) => afterwards(time, "13 minutes", "75 seconds"),
  watched: ["naira"],
  served: (answers) => {
    const venue = venuesOf(answers).find((row) => row.name === name)
    return venue === undefined ? "missing" : venue.mid === null ? `without: ${String(venue.reason)}` : name
  },
  well: name,
  fallback: (fault) =>
    invisible.includes(fault)
      ? name
      : fault === "inverted" && name !== "Quidax" && name !== "Luno"
        ? "without: inverted"
        : fault === "inverted"
          ? "without: crossed"
          : fault === "empty" && name.endsWith("P2P")
            ? "without: too_few_ads"
            : "without: stale",
  invisible,
  isBack: (answers, lifted) =>
    venuesOf(answers).some((row) => row.name === name && row.mid !== null && (row.updated ?? 0) > lifted),
  backWithin: "150 seconds",
  wait: (time) => time.pass("10 seconds")
})

/** A venue that has no part in the naira: the other markets are priced without it, too. */
const marketColumn = (source: UpstreamEnvName, fiat: string): Column => ({
  ...venueColumn(source, source, 5 * MEBI, []),
  config: { ...withoutEvidence, P2P_MARKETS: "NGN,GHS,KES,ZAR", COINGECKO_PLAN: "demo" },
  watched: ["markets"],
  served: (answers) => `${marketsOf(answers).filter(({ mid }) => mid !== null).length} markets`,
  well: "4 markets",
  fallback: () => "4 markets",
  isBack: (answers, lifted) =>
    marketsOf(answers).some((row) => row.fiat === fiat && Date.parse(String(row.updated)) > lifted),
  backWithin: "5 minutes"
})

/** Only Luno makes the naira here, and CoinGecko is asked seldom, so that days pass quickly. */
const slowly = {
  ...onlyNaira,
  COINGECKO_PLAN: "demo",
  SOURCES_DISABLED: `BYBIT_P2P,BITGET_P2P,QUIDAX,${withoutEvidence.SOURCES_DISABLED}`
}

describeColumns([
  {
    source: "CBN",
    names: ["CBN"],
    out: [],
    config: slowly,
    between: "25 hours",
    faults: oneSided(240, 36 * MEBI),
    asked: (time) => afterwards(time, "37 minutes", "100 seconds"),
    givenUp: (time) => afterwards(time, "25 hours", "100 seconds"),
    watched: ["naira"],
    served: (answers) => String(answers.naira.at("official_source")).replaceAll(" (sandbox)", ""),
    well: "CBN",
    // Of two that agree the newer day is served: also while CBN answers, but always with the day before.
    fallback: () => "CBN via Frankfurter",
    invisible: [],
    isBack: (answers) => String(answers.naira.at("official_source")) === "CBN (sandbox)",
    backWithin: "40 minutes",
    isSlow: true,
    wait: (time) => afterwards(time, "9 minutes", "10 seconds")
  },
  venueColumn("BYBIT_P2P", "Bybit P2P", 5 * MEBI, []),
  // Bitget sends no time with its book.
  venueColumn("BITGET_P2P", "Bitget P2P", 5 * MEBI, ["stale"]),
  venueColumn("QUIDAX", "Quidax", 131_072, []),
  venueColumn("LUNO", "Luno", 131_072, []),
  marketColumn("BINANCE_P2P", "KES"),
  marketColumn("VALR", "ZAR")
])
