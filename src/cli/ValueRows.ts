// A row of a file of transactions: what it asks for, or a sentence on what is wrong with it.
import { BigDecimal, DateTime, Option } from "effect"
import { type Asset, parseAsset } from "../domain/Asset.ts"
import { LONGEST_ID } from "../domain/CoinId.ts"
import { otherUnit } from "../domain/otherUnits.ts"
import { type QuotedFiat, quotedFiats } from "../domain/QuotedFiat.ts"
import { type Moment, startOf } from "../history/model/Moment.ts"
import type { CsvRecord } from "./CsvRecords.ts"
import { LONGEST_RECORD } from "./CsvRecords.ts"

/** The asset of a row: a coin by id, or a fiat that prices are quoted in. */
export type RowAsset =
  | { readonly _tag: "Coin"; readonly id: string }
  | { readonly _tag: "Fiat"; readonly code: QuotedFiat }

/** What a row asks for. `side`: what the customer does with USDT; without it the mid counts. */
export interface Asked {
  readonly asset: RowAsset
  readonly amount: BigDecimal.BigDecimal
  readonly moment: Moment
  readonly side: "buy" | "sell" | undefined
}

/** How texts of the file are read. */
export interface Reading {
  /** The zone of times without one. */
  readonly zone: DateTime.TimeZone | undefined
  readonly hasDecimalComma: boolean
}

/** Where each column is; absent columns are `undefined`. */
export interface Columns {
  readonly count: number
  readonly asset: number
  readonly amount: number
  readonly time: number
  readonly side: number | undefined
}

const REQUIRED = ["asset", "amount", "time"] as const

/** The columns that a header names, in any case and order, or what is wrong with it. `added`: the columns that are added. */
export const columnsOf = (header: ReadonlyArray<string>, added: ReadonlyArray<string>): Columns | string => {
  const names = header.map((name) => name.trim().toLowerCase())
  const missing = REQUIRED.filter((name) => !names.includes(name))
  if (missing.length > 0) {
    return `The first line must name the columns id, asset, amount and time. It lacks ${missing.join(", ")}.`
  }
  const twice = [...REQUIRED, "side"].find((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (twice !== undefined) return `The first line names the column ${twice} twice.`
  const taken = names.find((name) => added.includes(name))
  if (taken !== undefined) return `The file already has a column ${taken}, which this command adds.`
  const side = names.indexOf("side")
  const [asset, amount, time] = REQUIRED.map((name) => names.indexOf(name))
  return {
    count: names.length,
    asset: asset ?? 0,
    amount: amount ?? 0,
    time: time ?? 0,
    side: side < 0 ? undefined : side
  }
}

const AMOUNT = /^[+-]?\d{1,16}(\.\d{1,18})?$/

/** Commas that may separate thousands: before a point they do. */
const MAY_BE_THOUSANDS = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/

const shown = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

const amountOf = (text: string, { hasDecimalComma }: Reading): BigDecimal.BigDecimal | string => {
  // From here on the sign of decimals is the point, the other sign the comma.
  const pointed = hasDecimalComma ? text.replace(/[.,]/g, (sign) => (sign === "," ? "." : ",")) : text
  const mayBeThousands = MAY_BE_THOUSANDS.test(pointed)
  if (mayBeThousands && !pointed.includes(".")) {
    const advice = hasDecimalComma ? "Write it without points" : "Write it with a point, or use --decimal-comma"
    return `The amount ${shown(text)} may mean thousands. ${advice}.`
  }
  const isComma = /^[^.,]*,[^.,]*$/.test(pointed)
  const decimal = mayBeThousands ? pointed.replaceAll(",", "") : isComma ? pointed.replace(",", ".") : pointed
  return AMOUNT.test(decimal)
    ? BigDecimal.fromStringUnsafe(decimal.replace("+", ""))
    : `The amount "${shown(text)}" is not a plain decimal with at most 16 digits before the point and 18 after it, such as 1234.56.`
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(Z|UTC|[+-]\d\d:?\d\d))?)?$/i

/** The moment of a text, or what is wrong with it. A day is one of UTC. */
const momentOf = (text: string, { zone }: Reading): Moment | string => {
  const match = TIME.exec(text)
  if (match === null) return `The time "${shown(text)}" is not like 2026-11-20, or 2026-11-20T10:30:00Z.`
  const [, year = "", month = "", day = "", hour, minute = "", second = "00", fraction = "0", offset] = match
  const date = `${year}-${month}-${day}`
  const midnight = DateTime.make(`${date}T00:00:00Z`)
  if (Option.isNone(midnight) || DateTime.formatIsoDateUtc(midnight.value) !== date) {
    return `${date} is not a day of the calendar.`
  }
  if (hour === undefined) return { _tag: "Day", day: midnight.value.epochMilliseconds }
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return `${shown(text)} is not a time of the day.`
  if (offset === undefined && zone === undefined) {
    return "The time has no zone. Add Z or an offset such as +01:00, or use --zone."
  }
  const local = `${date}T${hour}:${minute}:${second}.${fraction.padEnd(3, "0").slice(0, 3)}`
  const time: Option.Option<DateTime.DateTime> =
    offset === undefined
      ? DateTime.makeZoned(`${local}Z`, { timeZone: zone, adjustForTimeZone: true, disambiguation: "reject" })
      : DateTime.make(`${local}${/^(z|utc)$/i.test(offset) ? "Z" : offset.replace(/(\d\d):?(\d\d)$/, "$1:$2")}`)
  return Option.match(time, {
    onNone: () =>
      offset === undefined
        ? "The clocks were changed then: this local time happened twice, or not at all. Add an offset such as +01:00."
        : `The time "${shown(text)}" has an offset that does not exist.`,
    onSome: ({ epochMilliseconds }) => ({ _tag: "Time", time: epochMilliseconds })
  })
}

const fromAsset = (asset: Asset): RowAsset | string => {
  if (asset._tag === "Coin") return asset
  const code = quotedFiats.find((fiat) => fiat === asset.code)
  return code !== undefined
    ? { _tag: "Fiat", code }
    : `${shown(asset.code)} is not one of the fiats that can be valued: ${quotedFiats.join(", ")}.`
}

const assetOf = (text: string): RowAsset | string => {
  if (text === "") return "The row has no asset."
  const unit = otherUnit(text)
  if (unit !== undefined) return unit
  const isName = text.length <= LONGEST_ID && !/[,@\p{C}]/u.test(text)
  return isName ? fromAsset(parseAsset(text)) : `"${shown(text)}" is neither a coin's id nor a fiat's code.`
}

const faults = {
  too_long: `The row has more than ${LONGEST_RECORD} characters.`,
  wrong_quotes: "A quotation mark in the row is not closed, or is in the middle of a cell."
}

/** What a row asks for, or a sentence on what is wrong with it. `now`: epoch milliseconds. */
export const askedIn = (
  { cells, fault }: CsvRecord,
  columns: Columns,
  reading: Reading,
  now: number
): Asked | string => {
  if (fault !== undefined) return faults[fault]
  if (cells.length !== columns.count) {
    return `The row has ${cells.length} cells, and the first line has ${columns.count}.`
  }
  const cell = (column: number | undefined) => (column === undefined ? "" : (cells[column] ?? "").trim())
  const asset = assetOf(cell(columns.asset))
  if (typeof asset === "string") return asset
  const amount = amountOf(cell(columns.amount), reading)
  if (typeof amount === "string") return amount
  const moment = momentOf(cell(columns.time), reading)
  if (typeof moment === "string") return moment
  if (startOf(moment) > now) return "The time is in the future."
  const side = cell(columns.side).toLowerCase()
  if (side !== "" && side !== "buy" && side !== "sell") return `The side "${shown(side)}" is neither buy nor sell.`
  return { asset, amount, moment, side: side === "" ? undefined : side }
}
