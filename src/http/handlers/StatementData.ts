// The data of a statement: its rates, what they make of the amount, and where each part can be asked again. Figures are rounded only here, as
// at those addresses.
import { type BigDecimal, DateTime, Result } from "effect"
import { disclaimer } from "../../api/Terms.ts"
import { type Asset, nameOf, textOf } from "../../domain/Asset.ts"
import { plainDecimal } from "../../domain/Decimal.ts"
import { RawJson } from "../../domain/JsonNumber.ts"
import { methods } from "../../domain/Methods.ts"
import { excessOf, ratesOf, type Stated, type StatementPart, worth } from "../../domain/Statement.ts"
import { dayOf, timeOf } from "../../history/model/Interval.ts"
import { computed, figure } from "./figure.ts"

/** What a statement is, and what it is not. */
const information = ["It says what was observed. Nobody is bound to trade or to settle at these rates.", disclaimer]

export type StatementData = ReturnType<typeof statementOf>

interface Given {
  readonly from: Asset
  readonly to: Asset
  readonly amount: BigDecimal.BigDecimal
  readonly on: string
  readonly zone: string
  readonly fiat: string
  /** Before the path of an address. */
  readonly root: string
  readonly parts: ReadonlyArray<StatementPart>
}

const rateIn = (stated: Stated) => (Result.isSuccess(stated) ? figure(stated.success.rate) : null)
const reasonIn = (stated: Result.Result<unknown, string>) => (Result.isFailure(stated) ? stated.failure : null)
const decimal = (value: BigDecimal.BigDecimal) => RawJson.rawJSON(plainDecimal(value))
const instant = (time: number | null) => (time === null ? null : timeOf(time))

export const statementOf = ({ amount, fiat, from, on, parts, root, to, zone }: Given) => {
  const rates = ratesOf(from, to, fiat, parts)
  const excess = excessOf(rates, amount)
  const official = parts.find(({ name, quote }) => name === "official" && quote === fiat)
  const date = official === undefined || official.rate === null ? null : dayOf(official.first)
  const partOf = (name: StatementPart["name"]) => parts.find((part) => part.name === name)
  const street = [partOf("fixing"), partOf("close")].find((part) => part !== undefined && part.sources.length > 0)
  const worthAt = (stated: Stated) => (Result.isSuccess(stated) ? decimal(worth(stated.success, amount)) : null)
  const legsOf = (part: "official" | "street", stated: Stated) =>
    (Result.isSuccess(stated) ? stated.success.legs : []).map(({ from, rate, source, to, updated }) => ({
      part,
      from,
      to,
      rate: figure(rate),
      source,
      updated: DateTime.formatIso(updated)
    }))
  const query = new URLSearchParams({ from: textOf(from), to: textOf(to), amount: plainDecimal(amount), on, tz: zone })
  return {
    from: nameOf(from),
    to: nameOf(to),
    amount: decimal(amount),
    on,
    zone,
    final: parts.every(({ isFinal }) => isFinal),
    official: {
      rate: rateIn(rates.official),
      result: worthAt(rates.official),
      date,
      source: official?.sources.join(" + ") || null,
      carried_forward: date === null ? null : date < on,
      reason: reasonIn(rates.official)
    },
    street: {
      fixing: rateIn(rates.fixing),
      fixing_reason: reasonIn(rates.fixing),
      result: worthAt(rates.fixing),
      close: rateIn(rates.close),
      close_reason: reasonIn(rates.close),
      average: rateIn(rates.average),
      average_reason: reasonIn(rates.average),
      confidence: street?.confidence ?? null,
      kind: street?.kind ?? null,
      venues: street?.sources ?? []
    },
    excess: Result.match(excess, {
      onFailure: (reason) => ({ per_unit: null, of_amount: null, percent: null, reason }),
      onSuccess: ({ ofAmount, perUnit, percent }) => {
        return { per_unit: figure(perUnit), of_amount: decimal(ofAmount), percent: figure(percent), reason: null }
      }
    }),
    legs: [...legsOf("official", rates.official), ...legsOf("street", rates.fixing)],
    method: methods.statement,
    address: `${root}/v1/statement?${query}`,
    evidence: parts.map((part) => evidenceOf(part, root)),
    information
  }
}

/** Where a part is asked again, and where the figure is in the answer. */
const placeOf = ({ base, first, last, name, quote }: StatementPart): readonly [address: string, how: string] => {
  const days = `from=${dayOf(first)}&to=${dayOf(last)}`
  const market = `/v1/p2p/${quote.toLowerCase()}`
  switch (name) {
    case "official":
      return [`/v1/fx/history?quotes=${quote}&${days}`, `rates.${quote} of the last point`]
    case "price":
      return [`/v1/price/${encodeURIComponent(base)}/usd/history?${days}`, "close of the point"]
    case "fixing":
      return [`${market}/fixing?on=${dayOf(first)}`, "rate"]
    case "close":
      return [`${market}?at=${timeOf(last)}`, "mid, if it was observed on that day"]
    case "average":
      return [
        `${market}/history?interval=hour&${days}`,
        `the mean of mid of the points from ${timeOf(first)} to ${timeOf(last)}, without those of an order book if there are others`
      ]
  }
}

const evidenceOf = (part: StatementPart, root: string) => {
  const { base, method, name, observedAt, quote, rate, reason, revisedAt, sources } = part
  const [address, how] = placeOf(part)
  return {
    part: name,
    unit: `${quote} per ${base}`,
    rate: name === "official" || name === "price" ? figure(rate) : computed(rate),
    reason,
    source: sources.join(" + ") || null,
    observed: instant(observedAt),
    revised: instant(revisedAt),
    method,
    address: root + address,
    how
  }
}
