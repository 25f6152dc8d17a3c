// The converter: a form, the result in every digit, and the rates used.
import type { Conversion, Problem } from "./Answers.ts"
import { age } from "./Clock.ts"
import { type Content, fillIn, find, h, small, startForm, typed } from "./Elements.ts"
import { suggestCoins } from "./CoinSuggestions.ts"
import { exact } from "./Figures.ts"
import { fiats, STALE_AFTER } from "./Fiats.ts"
import { makePanel } from "./Panel.ts"
import { table } from "./Tables.ts"

const bases = { p2p: "P2P mid", customer: "customer's side", official: "official rate" } as const

const FIELDS = ["from", "to", "amount"] as const

const input = (id: string): HTMLInputElement => find(HTMLInputElement, `#${id}`)

const sum = (data: Conversion): string => `${exact(data.amount)} ${data.from} = ${exact(data.result)} ${data.to}`

const legRow = (leg: Conversion["legs"][number]): ReadonlyArray<Content> => [
  [`1 ${leg.from}`, small(leg.source, leg.basis === undefined ? ", " : `, ${bases[leg.basis]}, `, age(leg.updated))],
  [exact(leg.rate), small(leg.to)]
]

const show = (data: Conversion): Content => [
  h("p", { class: "sum" }, sum(data)),
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

  const panel = makePanel<Conversion>({ id: "convert", staleAfter: STALE_AFTER, show, choose, onResponse })

  const convert = (): Promise<void> => {
    const query = new URLSearchParams({ from: typed("from"), to: typed("to"), amount: typed("amount") })
    const basis = find(HTMLSelectElement, "#basis").value
    if (basis !== "mid") query.set("basis", basis)
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
