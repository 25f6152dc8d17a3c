// Figures in a list and in a table.
import { type Content, h } from "./Elements.ts"

type Item = readonly [term: string, value: Content, ...remarks: ReadonlyArray<Content>]

const item = ([term, value, ...remarks]: Item) => {
  const shown = remarks.map((remark) => (remark === null ? null : h("small", remark)))
  return h("div", h("dt", term), h("dd", h("b", value), shown))
}

export const items = (list: ReadonlyArray<Item>): HTMLElement => h("dl", list.map(item))

interface Table {
  readonly caption: string
  readonly heads: ReadonlyArray<string>
  /** Columns with text, which stands left; the first always does. */
  readonly text?: ReadonlyArray<number>
  readonly rows: ReadonlyArray<ReadonlyArray<Content>>
}

/** A table that scrolls sideways where it is wider than the screen, with the keyboard too. */
export const table = ({ caption, heads, rows, text = [] }: Table): HTMLElement => {
  const columnClass = (column: number) => (column === 0 || text.includes(column) ? "text" : null)
  const head = heads.map((title, column) => h("th", { scope: "col", class: columnClass(column) }, title))
  const cellOf = (cell: Content, column: number) =>
    column === 0 ? h("th", { scope: "row" }, cell) : h("td", { class: columnClass(column) }, cell)
  const body = rows.map((cells) => h("tr", cells.map(cellOf)))
  return h(
    "div",
    { class: "wide", role: "region", tabindex: "0", "aria-label": caption },
    h("table", h("caption", caption), h("thead", h("tr", head)), h("tbody", body))
  )
}
