// The conditions of `watch` as a person writes them, such as `naira.mid > 1500` and `price.bitcoin.usd moved 5% 1h`.
import { Duration, Result } from "effect"
import { coinIdOf, isAskable } from "../domain/CoinId.ts"
import { isQuotedFiat, type QuotedFiat, quotedFiats } from "../domain/QuotedFiat.ts"
import { LONGEST_WORD, spelledLike } from "../domain/spelledLike.ts"

const MEMBERS = ["mid", "buy", "sell", "spread", "official", "premium"] as const

/** A figure of a P2P market, or of a coin in a fiat. */
export type Figure =
  | { readonly _tag: "Market"; readonly fiat: string; readonly member: (typeof MEMBERS)[number] }
  | { readonly _tag: "Coin"; readonly id: string; readonly fiat: QuotedFiat; readonly member: "price" | "change_24h" }

export type Test =
  | { readonly _tag: "Level"; readonly isAbove: boolean; readonly level: number }
  | {
      readonly _tag: "Move"
      readonly verb: "moved" | "rose" | "fell"
      readonly percent: number
      readonly millis: number
    }

export interface Condition {
  /** The condition with single spaces. */
  readonly text: string
  /** The name of the figure. */
  readonly name: string
  readonly figure: Figure
  readonly test: Test
}

/** The least and the longest window of a move, in milliseconds. */
const WINDOW = { least: Duration.toMillis("5 minutes"), most: Duration.toMillis("30 days") }

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 }

export const isPercent = ({ member }: Figure): boolean =>
  member === "spread" || member === "premium" || member === "change_24h"

/** ` Did you mean …?` where one of these words differs by at most two typing errors. */
const meant = (word: string, known: ReadonlyArray<string>, wording = (near: string) => near): string => {
  if (word === "" || word.length > LONGEST_WORD) return ""
  const near = known.find(spelledLike(word, 1)) ?? known.find(spelledLike(word, 2))
  return near === undefined ? "" : ` Did you mean ${wording(near)}?`
}

const KINDS = ["naira", "p2p", "price", "change_24h"]

const figureOf = (name: string): Result.Result<Figure, string> => {
  const [kind = "", ...parts] = name.split(".")
  const last = parts.pop() ?? ""
  if (kind === "naira" || kind === "p2p") {
    const fiat = kind === "naira" ? "NGN" : (parts.shift() ?? "").toUpperCase()
    const shape = kind === "naira" ? "naira.mid" : "p2p.KES.mid"
    if (parts.length > 0 || !/^[A-Z]{3}$/.test(fiat))
      return Result.fail(`"${name}" is no figure. Write it like ${shape}.`)
    const member = MEMBERS.find((member) => member === last.toLowerCase())
    if (member !== undefined) return Result.succeed({ _tag: "Market", fiat, member })
    const before = name.slice(0, name.lastIndexOf(".") + 1)
    return Result.fail(
      `"${name}" is no figure: a market has ${MEMBERS.join(", ")}.${meant(last, MEMBERS, (near) => before + near)}`
    )
  }
  if (kind === "price" || kind === "change_24h") {
    const id = coinIdOf(parts.join("."))
    if (!isAskable(id) || id.includes("@"))
      return Result.fail(`"${name}" is no figure. Write it like ${kind}.bitcoin.usd.`)
    const fiat = isQuotedFiat(last) ? quotedFiats.find((fiat) => fiat === last.toUpperCase()) : undefined
    if (fiat !== undefined) return Result.succeed({ _tag: "Coin", id, fiat, member: kind })
    return Result.fail(`"${name}" is no figure: prices are in ${quotedFiats.join(", ")}.`)
  }
  const rest = name.slice(kind.length)
  return Result.fail(
    `"${name}" is no figure.${meant(kind, KINDS, (near) => near + rest)} ` +
      "Figures are like naira.mid, p2p.KES.mid, price.bitcoin.usd and change_24h.bitcoin.usd."
  )
}

const levelOf = (figure: Figure, sign: string, text: string): Result.Result<Test, string> => {
  const digits = isPercent(figure) ? text.replace(/%$/, "") : text
  if (!/^[+-]?\d{1,15}(\.\d{1,18})?$/.test(digits)) {
    return Result.fail(`"${text}" is no level. Write a plain number such as 1500.5, without commas or a currency.`)
  }
  const level = Number(digits)
  if (level <= 0 && !isPercent(figure)) return Result.fail("The level must be above 0.")
  return Result.succeed({ _tag: "Level", isAbove: sign === ">", level })
}

const moveOf = (figure: Figure, verb: "moved" | "rose" | "fell", [much = "", within = ""]: ReadonlyArray<string>) => {
  if (isPercent(figure)) return Result.fail("A percentage has no moves in percent. Compare it with > or <.")
  const percent = /^\d{1,4}(\.\d{1,6})?%$/.test(much) ? Number(much.slice(0, -1)) : 0
  const most = verb === "rose" ? 1000 : 99
  if (percent < 0.5 || percent > most) return Result.fail(`"${much}" must be 0.5% to ${most}%, such as 5%.`)
  const [, count = "", unit = ""] = /^(\d{1,5})([mhd])$/.exec(within) ?? []
  const millis = unit === "m" || unit === "h" || unit === "d" ? Number(count) * UNITS[unit] : 0
  if (millis < WINDOW.least || millis > WINDOW.most)
    return Result.fail(`"${within}" must be 5m to 30d, such as 30m, 1h or 7d.`)
  return Result.succeed<Test>({ _tag: "Move", verb, percent, millis })
}

const SHAPES = 'Write it like "naira.mid > 1500" or "price.bitcoin.usd moved 5% 1h".'

/** A condition, or a sentence on what is wrong with it. */
export const conditionOf = (written: string): Result.Result<Condition, string> => {
  const words = written
    .trim()
    .replaceAll(/[<>]=?/g, " $& ")
    .split(/\s+/)
  const [name = "", verb = "", ...rest] = words
  const text = words.join(" ")
  const found = Result.flatMap(figureOf(name), (figure) => {
    const isMove = verb === "moved" || verb === "rose" || verb === "fell"
    if (verb !== ">" && verb !== "<" && !isMove) {
      const verbs = meant(verb, ["moved", "rose", "fell"])
      return Result.fail(`It has "${verb}" where >, <, moved, rose or fell must be.${verbs} ${SHAPES}`)
    }
    if (rest.length !== (isMove ? 2 : 1)) return Result.fail(SHAPES)
    const test = isMove ? moveOf(figure, verb, rest) : levelOf(figure, verb, rest[0] ?? "")
    return Result.map(test, (test): Condition => ({ text, name, figure, test }))
  })
  return Result.mapError(found, (fault) => `"${written}": ${fault}`)
}
