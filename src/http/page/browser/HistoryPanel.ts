// The past of a P2P market or of a coin, over a day, a month or a year.
import { suggestCoins } from "./CoinSuggestions.ts"
import type { MarketHistory, PriceHistory } from "./Answers.ts"
import { serverNow } from "./Clock.ts"
import { fillIn, find, h, startForm, typed, typedId } from "./Elements.ts"
import { DAY, HOUR } from "./Figures.ts"
import { fiats, STALE_AFTER } from "./Fiats.ts"
import { type Choice, FIRST, pathOf } from "./MarketPanel.ts"
import { makePanel } from "./Panel.ts"
import { pastMarket, pastPrice } from "./Past.ts"
import { pastView, type Span } from "./PastView.ts"

type Data = MarketHistory | PriceHistory

interface NamedSpan extends Span {
  readonly name: string
  readonly query: () => string
}

const YEAR = 365

/** Without a query the service answers 30 days. */
const month: NamedSpan = { name: "30 days", step: DAY, slots: 30, query: () => "" }

const spans: ReadonlyArray<NamedSpan> = [
  { name: "24 hours", step: HOUR, slots: 24, query: () => "?interval=hour" },
  month,
  {
    name: "1 year",
    step: DAY,
    slots: YEAR,
    query: () => `?from=${new Date(serverNow() - (YEAR - 1) * DAY).toISOString().slice(0, 10)}`
  }
]

export type ShowHistory = (id: string) => void

export const startHistory = (market: Choice): ShowHistory => {
  let chosen = month
  const input = find(HTMLInputElement, "#past-id")
  const fiat = find(HTMLSelectElement, "#past-fiat")
  fiat.append(...[...new Set<string>([...fiats, ...market.all])].map((code) => h("option", code)))
  fiat.value = market.fiat

  const past = (data: Data) => ("pair" in data ? pastMarket(data) : pastPrice(data))
  const panel = makePanel<Data>({
    id: "history",
    staleAfter: STALE_AFTER,
    aside: "Only the history is missing: the current figures on this page do not depend on it.",
    isEmpty: ({ points }) => points.length === 0,
    show: (data) => pastView(past(data), chosen),
    choose: (id) => {
      fillIn("past-id", id)
      return go()
    }
  })

  /** USDT in the fiat of a market has a history of its own, with the official rate. */
  const path = (): string => {
    const id = typedId("past-id")
    const code = fiat.value.toLowerCase()
    const isMarket = id === "tether" && market.all.includes(fiat.value)
    return `${isMarket ? pathOf(fiat.value) : `/v1/price/${id}/${code}`}/history${chosen.query()}`
  }

  const go = (): Promise<void> => panel.go(path(), (data) => `${past(data).title}, ${chosen.name}`)
  const form = startForm("#past", go)
  const buttons = spans.map((span) =>
    h("button", { type: "button", "aria-pressed": String(span === chosen) }, span.name)
  )
  for (const [n, span] of spans.entries()) {
    buttons[n]?.addEventListener("click", () => {
      chosen = span
      for (const [m, each] of buttons.entries()) each.ariaPressed = String(m === n)
      form.requestSubmit()
    })
  }
  form.append(h("p", { class: "spans", role: "group", "aria-label": "Span" }, buttons))
  fiat.addEventListener("change", () => form.requestSubmit())
  suggestCoins("past-id", "coin-ids")
  void (market.fiat === FIRST ? panel.load() : go())

  // Where a market's past is shown, it follows the choice.
  market.onChange((code) => {
    if (typed("past-id") !== "tether" || !market.all.includes(fiat.value)) return
    fiat.value = code
    form.requestSubmit()
  })

  return (id) => {
    input.value = id
    find(HTMLElement, "#history").scrollIntoView()
    input.focus({ preventScroll: true })
    form.requestSubmit()
  }
}
