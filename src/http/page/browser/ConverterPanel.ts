// The converter: a form, the result in every digit, and the rates used; where a P2P market is among them, what a customer gets.
import type { Conversion, Problem } from "./Answers.ts"
import { age } from "./Clock.ts"
import { type Content, fillIn, find, h, small, startForm, typed } from "./Elements.ts"
import { suggestCoins } from "./CoinSuggestions.ts"
import { exact } from "./Figures.ts"
import { fiats, STALE_AFTER } from "./Fiats.ts"
import { makePanel } from "./Panel.ts"
import { ask } from "./Request.ts"
import { table } from "./Tables.ts"

type Leg = Conversion["legs"][number]

const bases = { p2p: "P2P mid", customer: "customer's side", official: "official rate" } as const

const FIELDS = ["from", "to", "amount"] as const

const input = (id: string): HTMLInputElement => find(HTMLInputElement, `#${id}`)

const sum = (data: Conversion): string => `${exact(data.amount)} ${data.from} = ${exact(data.result)} ${data.to}`

const legRow = (leg: Leg): ReadonlyArray<Content> => [
  [`1 ${leg.from}`, small(leg.source, leg.basis === undefined ? ", " : `, ${bases[leg.basis]}, `, age(leg.updated))],
  [exact(leg.rate), small(leg.to)]
]

const isFiat = (name: string): boolean => /^[A-Z]{3}$/.test(name)

/** Whether a rate is the mid of a P2P market, which a customer does not get. */
const isMid = ({ basis, from, to }: Leg): boolean =>
  (basis === undefined || basis === "p2p") && ((from === "tether" && isFiat(to)) || (isFiat(from) && to === "tether"))

const named = (name: string): string => `${isFiat(name) ? "fiat" : "coin"}:${name}`

/** What a customer gets for the amount, asked for beside the answer that is shown. */
const customerLine = ({ amount, from, legs, to }: Conversion): Content => {
  if (!legs.some(isMid)) return null
  const line = h("p", { class: "customer" })
  const query = new URLSearchParams({ from: named(from), to: named(to), amount, basis: "customer" })
  void ask<Conversion>(`/v1/convert?${query}`).then((found) => {
    if (!found.ok) line.append(`For a customer: ${found.problem.detail ?? found.problem.title}`)
    else {
      const ads = found.data.legs.flatMap((leg) => (leg.ads === undefined ? [] : `${leg.ads} ads`)).join(" and ")
      line.append(
        `A customer gets ${exact(found.data.result)} ${to} `,
        small(`1 ${from} = ${exact(found.data.rate)} ${to}`, ads && `, by ${ads}`)
      )
    }
  })
  return line
}

const shown = (data: Conversion, customer: Content): Content => [
  h("p", { class: "sum" }, sum(data)),
  customer,
  h("p", { class: "soft" }, `1 ${data.from} = ${exact(data.rate)} ${data.to}`),
  data.legs.length === 0
    ? h("p", "Both are the same: no rate is used.")
    : table({ caption: "Rates used, as quoted", heads: ["From", "To"], rows: data.legs.map(legRow) })
]

export const startConverter = (): void => {
  /** The field that a chosen suggestion goes into. */
  let unknownField: "from" | "to" = "from"

  const onResponse = (problem: Problem | null) => {
    for (const id of FIELDS) {
      const isNamed = problem?.errors?.some(({ parameter }) => parameter === id) === true
      input(id).ariaInvalid = isNamed ? "true" : null
      if (isNamed && (id === "from" || id === "to")) unknownField = id
    }
  }

  const choose = (id: string): Promise<void> => {
    fillIn(unknownField, id)
    return convert()
  }

  /** The first view of the page asks for no more than it must. */
  let isFirst = true

  const show = (data: Conversion): Content => shown(data, isFirst ? null : customerLine(data))

  const panel = makePanel<Conversion>({ id: "convert", staleAfter: STALE_AFTER, show, choose, onResponse })

  const convert = (): Promise<void> => {
    const query = new URLSearchParams({ from: typed("from"), to: typed("to"), amount: typed("amount") })
    const basis = find(HTMLSelectElement, "#basis").value
    if (basis !== "mid") query.set("basis", basis)
    isFirst = false
    return panel.go(`/v1/convert?${query}`, sum)
  }

  startForm("#converter", convert)
  find(HTMLButtonElement, "#swap").addEventListener("click", () => {
    const from = input("from").value
    input("from").value = input("to").value
    input("to").value = from
    return convert()
  })
  find(HTMLDataListElement, "#assets").append(...[...fiats].map((code) => h("option", { value: code })))
  suggestCoins("from", "assets")
  suggestCoins("to", "assets")
  void panel.load()
}
