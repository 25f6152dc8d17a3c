// The converter: a form, the result in every digit, and the rates used.
import type { Conversion, Problem } from "./Answers.ts"
import { age } from "./Clock.ts"
import { type Content, find, h, small, typed } from "./Elements.ts"
import { exact } from "./Figures.ts"
import { makePanel } from "./Panel.ts"
import { table } from "./Tables.ts"

const STALE_AFTER = 3600
const FIELDS = ["from", "to", "amount"] as const
const FIATS = ["NGN", "USD", "EUR", "GBP", "INR", "ZAR", "AED", "CAD", "JPY"]

const input = (id: string): HTMLInputElement => find(HTMLInputElement, `#${id}`)

const sum = (data: Conversion): string => `${exact(data.amount)} ${data.from} = ${exact(data.result)} ${data.to}`

const legRow = (leg: Conversion["legs"][number]): ReadonlyArray<Content> => [
  [`1 ${leg.from}`, small(leg.source, ", ", age(leg.updated))],
  [exact(leg.rate), small(leg.to)]
]

const show = (data: Conversion): Content => [
  h("p", { class: "sum" }, sum(data)),
  h("p", { class: "soft" }, `1 ${data.from} = ${exact(data.rate)} ${data.to}`),
  data.legs.length === 0
    ? h("p", {}, "Both are the same: no rate is used.")
    : table({ caption: "Rates used, as quoted", heads: ["From", "To"], rows: data.legs.map(legRow) })
]

/** Which field a problem is about. The API names an unknown asset only in its sentence, which begins with it. */
const fieldOf = (problem: Problem): "from" | "to" => {
  const begins = (id: string) => problem.detail?.toLowerCase().startsWith(`"${typed(id).toLowerCase()}"`)
  return begins("to") && !begins("from") ? "to" : "from"
}

export const startConverter = (): void => {
  /** The field that a chosen suggestion goes into. */
  let unknownField: "from" | "to" = "from"

  const onResponse = (problem: Problem | null) => {
    const isUnknown = problem?.code === "unknown_asset"
    if (isUnknown) unknownField = fieldOf(problem)
    for (const id of FIELDS) {
      const isNamed = problem?.errors?.some(({ parameter }) => parameter === id) === true
      input(id).ariaInvalid = isNamed || (isUnknown && id === unknownField) ? "true" : null
    }
  }

  const choose = (id: string): Promise<void> => {
    input(unknownField).value = id
    input(unknownField).focus()
    return convert()
  }

  const panel = makePanel<Conversion>({ id: "convert", staleAfter: STALE_AFTER, show, choose, onResponse })

  const convert = (): Promise<void> => {
    const query = new URLSearchParams({ from: typed("from"), to: typed("to"), amount: typed("amount") })
    return panel.go(`/v1/convert?${query}`, sum)
  }

  const form = find(HTMLFormElement, "#converter")
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void convert()
  })
  find(HTMLButtonElement, "#swap").addEventListener("click", () => {
    const from = input("from").value
    input("from").value = input("to").value
    input("to").value = from
    return convert()
  })
  find(HTMLDataListElement, "#assets").append(...FIATS.map((code) => h("option", { value: code })))
  form.hidden = false
  void panel.load()
}
