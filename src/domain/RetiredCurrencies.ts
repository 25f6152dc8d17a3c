// Fiat codes that were replaced by another one. Callers still send them, so errors name the successor and the date.

export interface Retired {
  readonly successor: string
  /** The first day of the successor, `YYYY-MM-DD`. */
  readonly since: string
  /** The URL that documents it. */
  readonly source: string
}

const ISO =
  "https://www.six-group.com/dam/download/financial-information/data-center/iso-currrency/lists/list-three.xml"
const ECB = "https://www.ecb.europa.eu/euro/intro/html/index.en.html"
const ISO_AMENDMENTS =
  "https://www.six-group.com/en/products-services/financial-information/market-reference-data/data-standards.html"

/** Currencies of the euro area by the day on which the euro replaced them. */
const euro: Readonly<Record<string, ReadonlyArray<string>>> = {
  "1999-01-01": ["ADP", "ATS", "BEF", "DEM", "ESP", "FIM", "FRF", "IEP", "ITL", "LUF", "NLG", "PTE", "XEU"],
  "2001-01-01": ["GRD"],
  "2007-01-01": ["SIT"],
  "2008-01-01": ["CYP", "MTL"],
  "2009-01-01": ["SKK"],
  "2011-01-01": ["EEK"],
  "2014-01-01": ["LVL"],
  "2015-01-01": ["LTL"],
  "2023-01-01": ["HRD", "HRK"],
  "2026-01-01": ["BGN"]
}

/** Others, each with the current code and the day of the latest change. */
const others: ReadonlyArray<readonly [code: string, successor: string, since: string, source: string]> = [
  ["AFA", "AFN", "2002-10-07", ISO],
  ["ANG", "XCG", "2025-03-31", ISO_AMENDMENTS],
  ["ARA", "ARS", "1992-01-01", ISO],
  ["AZM", "AZN", "2006-01-01", ISO],
  ["BGL", "EUR", "2026-01-01", ISO],
  ["BRR", "BRL", "1994-07-01", ISO],
  ["BYB", "BYN", "2016-07-01", ISO],
  ["BYR", "BYN", "2016-07-01", ISO],
  ["CSD", "RSD", "2006-10-25", ISO],
  ["CSK", "CZK", "1993-02-08", ISO],
  ["CUC", "CUP", "2021-01-01", ISO],
  ["GHC", "GHS", "2007-07-01", ISO],
  ["ILR", "ILS", "1985-09-04", ISO],
  ["MGF", "MGA", "2005-01-01", ISO],
  ["MRO", "MRU", "2018-01-01", ISO],
  ["MXP", "MXN", "1993-01-01", ISO],
  ["MZM", "MZN", "2006-07-01", ISO],
  ["PEI", "PEN", "1991-07-01", ISO],
  ["PLZ", "PLN", "1995-01-01", ISO],
  ["ROL", "RON", "2005-07-01", ISO],
  ["RUR", "RUB", "1998-01-01", ISO],
  ["SDD", "SDG", "2007-01-10", ISO],
  ["SLL", "SLE", "2022-07-01", ISO_AMENDMENTS],
  ["SRG", "SRD", "2004-01-01", ISO],
  ["STD", "STN", "2018-01-01", ISO],
  ["TJR", "TJS", "2000-10-30", ISO],
  ["TMM", "TMT", "2009-01-01", ISO],
  ["TRL", "TRY", "2005-01-01", ISO],
  ["UAK", "UAH", "1996-09-02", ISO],
  ["UYP", "UYU", "1993-03-01", ISO],
  ["VEB", "VES", "2018-08-20", ISO],
  ["VEF", "VES", "2018-08-20", ISO],
  ["YUM", "RSD", "2006-10-25", ISO],
  ["ZMK", "ZMW", "2013-01-01", ISO],
  ["ZWD", "ZWG", "2024-04-08", ISO_AMENDMENTS],
  ["ZWL", "ZWG", "2024-04-08", ISO_AMENDMENTS],
  ["ZWN", "ZWG", "2024-04-08", ISO_AMENDMENTS],
  ["ZWR", "ZWG", "2024-04-08", ISO_AMENDMENTS]
]

/** By code in upper case. */
export const retiredCurrencies: ReadonlyMap<string, Retired> = new Map([
  ...Object.entries(euro).flatMap(([since, codes]) =>
    codes.map((code): [string, Retired] => [code, { successor: "EUR", since, source: ECB }])
  ),
  ...others.map(([code, successor, since, source]): [string, Retired] => [code, { successor, since, source }])
])
