// A statement as CSV, a row for each member, and as plain text for a file of records.
import { RawJson, type Written } from "../../domain/JsonNumber.ts"
import { csv } from "../response/Csv.ts"
import type { StatementData } from "./StatementData.ts"

type Member = string | boolean | Written | null

const isMember = (value: unknown): value is Member =>
  typeof value !== "object" || value === null || RawJson.isRawJSON(value)

/** The members of a value with their paths, such as `official.rate`. */
const membersOf = (value: unknown, path: string): ReadonlyArray<{ readonly member: string; readonly value: Member }> =>
  isMember(value)
    ? [{ member: path, value }]
    : Object.entries(value ?? {}).flatMap(([name, member]) => membersOf(member, path === "" ? name : `${path}.${name}`))

export const statementCsv = (data: StatementData): string => csv(["member", "value"], membersOf(data, ""))

/** Why there is no figure, in words. */
const reasons: Readonly<Record<string, string>> = {
  not_published: "it was not published by then",
  not_followed: "the market was not observed in the 7 days before",
  not_observed: "nothing was recorded that day",
  not_over: "the day has not ended",
  too_few_hours: "less than three quarters of the day were observed",
  too_few_parts: "less than three quarters of the hour were observed",
  low_confidence: "a part was uncertain",
  no_price: "a coin or another fiat has no rate of that day",
  street_not_followed: "people pay another rate, which this service does not follow",
  no_official_rate: "there is no official rate",
  no_fixing: "there is no fixing"
}

/** A figure with its unit, or why there is none. */
const shown = (value: Written | null, unit: string, reason: string | null): string =>
  value === null ? `unknown: ${reasons[reason ?? ""] ?? reason}` : `${JSON.stringify(value)} ${unit}`

const aligned = (rows: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
}

export const statementText = (data: StatementData): string => {
  const { address, evidence, excess, final, from, information, legs, method, official, on, street, to, zone } = data
  const amount = `${JSON.stringify(data.amount)} ${from}`
  const unit = `${to} for 1 ${from}`
  const published = official.date === null ? "" : `, published by ${official.source} for ${official.date}`
  const carried = official.carried_forward === true ? `, the last one before ${on}` : ""
  return [
    "STATEMENT OF OBSERVED RATES",
    `${amount} in ${to} on ${on} (${zone})`,
    ...(final ? [] : ["Not final: a figure may still change. Ask again in a few days."]),
    "",
    "Official rate",
    ...aligned([
      ["rate", shown(official.rate, unit, official.reason) + published + carried],
      [amount, shown(official.result, to, official.reason)]
    ]),
    "",
    "Street rate",
    ...aligned([
      ["fixing", shown(street.fixing, unit, street.fixing_reason)],
      [amount, shown(street.result, to, street.fixing_reason)],
      ["close", shown(street.close, unit, street.close_reason)],
      ["average", shown(street.average, unit, street.average_reason)],
      ["confidence", street.confidence ?? "unknown"],
      [street.kind === "order_book" ? "order books" : "P2P venues", street.venues.join(", ") || "none"]
    ]),
    "",
    "Excess of the fixing over the official rate",
    ...aligned([
      [`for 1 ${from}`, shown(excess.per_unit, to, excess.reason)],
      [`for ${amount}`, shown(excess.of_amount, to, excess.reason)],
      ["in percent", shown(excess.percent, "%", excess.reason)]
    ]),
    "",
    "Factors of these rates",
    ...legs.map(
      (leg) => `  ${leg.part}: 1 ${leg.from} = ${JSON.stringify(leg.rate)} ${leg.to}, ${leg.source}, ${leg.updated}`
    ),
    "",
    "Evidence, with the addresses that answer it again",
    ...evidence.flatMap((part) => [
      `  ${part.part}: ${shown(part.rate, part.unit, part.reason)}${part.observed === null ? "" : `, observed ${part.observed}`}`,
      ...(part.revised === null ? [] : [`    corrected by its source ${part.revised}`]),
      `    ${part.address}`,
      `    ${part.how}${part.method === null ? "" : `; method ${part.method}`}`
    ]),
    "",
    `Method ${method}. This statement again: ${address}`,
    ...information,
    ""
  ].join("\n")
}
