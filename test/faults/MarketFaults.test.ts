// The sources of coins, totals and fiat rates, with every fault.
import { onlyNaira, withoutEvidence, withoutNews } from "../RunningService.ts"
import { type Answers, fiatSource } from "./Answers.ts"
import { afterwards, describeColumns, MEBI, oneSided } from "./FaultMatrix.ts"
import type * as SimulatedTime from "./SimulatedTime.ts"

/** Only Luno makes the naira here, so that minutes pass quickly. */
const onlyLuno = "BYBIT_P2P,BITGET_P2P,QUIDAX"

/** CoinGecko is asked seldom, so that days do. */
const slowly = {
  ...onlyNaira,
  COINGECKO_PLAN: "demo",
  SOURCES_DISABLED: `${onlyLuno},${withoutEvidence.SOURCES_DISABLED}`
}

const market = (answers: Answers) =>
  answers.coins.source === answers.global.source
    ? answers.coins.source
    : `${answers.coins.source}, ${answers.global.source}`

const marketColumn = {
  config: { ...onlyNaira, SOURCES_DISABLED: `${onlyLuno},${withoutNews.SOURCES_DISABLED}` },
  watched: ["coins", "global", "eur"],
  between: "25 hours",
  served: market,
  invisible: [] as ReadonlyArray<string>,
  backWithin: "4 minutes",
  wait: (time: SimulatedTime.SimulatedTime) => time.pass("10 seconds")
} as const

const rateColumn = {
  config: slowly,
  between: "25 hours",
  faults: oneSided(240, 2 * MEBI),
  asked: (time: SimulatedTime.SimulatedTime) => afterwards(time, "73 minutes", "30 seconds"),
  watched: ["fx"],
  served: (answers: Answers) => String(fiatSource(answers)),
  invisible: [] as ReadonlyArray<string>,
  backWithin: "75 minutes",
  isSlow: true,
  wait: (time: SimulatedTime.SimulatedTime) => afterwards(time, "18 minutes", "10 seconds")
} as const

describeColumns([
  {
    ...marketColumn,
    source: "COINGECKO",
    names: ["CoinGecko"],
    out: [],
    faults: oneSided(6, 9 * MEBI),
    asked: (time) => time.pass("150 seconds"),
    // One that answers, but always with the same, gives way: after half an hour for coins, three quarters for the totals.
    givenUp: (time, fault) =>
      fault === "stale" ? afterwards(time, "1 hour", "90 seconds") : afterwards(time, "5 minutes", "2 minutes"),
    well: "CoinGecko",
    fallback: () => "CoinPaprika",
    isBack: (answers, lifted) =>
      market(answers) === "CoinGecko" &&
      answers.coins.updated > lifted - 60_000 &&
      answers.eur.source.startsWith("CoinGecko + ")
  },
  {
    ...marketColumn,
    source: "COINPAPRIKA",
    names: ["CoinPaprika"],
    out: ["COINGECKO"],
    faults: oneSided(6, 17 * MEBI),
    asked: (time) => time.pass("1 minute"),
    givenUp: (time) => afterwards(time, "11 minutes", "2 minutes"),
    well: "CoinPaprika",
    // It is asked every ten minutes, also after it answered with something old.
    backWithin: "13 minutes",
    // It is the last aggregator: what it said last is served for an hour.
    fallback: () => "CoinPaprika",
    isBack: (answers, lifted) => market(answers) === "CoinPaprika" && answers.coins.updated > lifted - 600_000
  },
  {
    ...rateColumn,
    source: "FRANKFURTER",
    names: ["Frankfurter"],
    out: [],
    givenUp: (time) => afterwards(time, "6 hours", "30 seconds"),
    well: "Frankfurter",
    fallback: (fault) => (fault === "stale" ? "Frankfurter" : "currency-api"),
    isBack: (answers) => fiatSource(answers) === "Frankfurter"
  },
  {
    ...rateColumn,
    source: "CURRENCY_API",
    names: ["currency-api"],
    out: ["FRANKFURTER"],
    givenUp: (time) => afterwards(time, "25 hours", "30 seconds"),
    well: "currency-api",
    // It is the last: what it said last stands, for a week.
    fallback: () => "currency-api",
    isBack: (answers, lifted) => answers.fx.updated > lifted - 28 * 3_600_000
  }
])
