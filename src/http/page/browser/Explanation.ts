// The explanation of a move: sentences with their citations, drivers, and how well supported it is. Headlines and names come from
// news feeds: they are shown by `quoted`, their addresses by `link`.
import type { Citation, Driver, Mover, WhyOne } from "./Answers.ts"
import { age } from "./Clock.ts"
import { changed, type Content, figure, h, link, quoted, small, unseen } from "./Elements.ts"
import { points, words } from "./Figures.ts"

type Citations = ReadonlyArray<Citation>

const references = (ids: ReadonlyArray<string>, citations: Citations): Content =>
  ids.flatMap((id) =>
    citations.filter((citation) => citation.id === id).map(({ n, url }) => h("sup", link(url, unseen("source "), n)))
  )

const sourceItem = ({ n, published_at, publisher, title, type, url }: Citation): HTMLElement =>
  h("li", { value: n }, link(url, quoted(title)), small(` ${publisher}, ${words(type)}, `, age(published_at)))

export const sourceList = (citations: Citations): HTMLElement => h("ol", citations.map(sourceItem))

const timing = ({ minutes_after_onset }: Driver): string => {
  if (minutes_after_onset === null) return "timing unknown"
  const minutes = Math.abs(Number(minutes_after_onset))
  const span = minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`
  return `${span} ${Number(minutes_after_onset) < 0 ? "before" : "after"} the move began`
}

const driverItem = (citations: Citations) => (driver: Driver) => {
  const remarks = [
    (driver.kind === "other" ? "other news" : words(driver.kind)) + (driver.role === "amplifier" ? ", amplifying" : ""),
    driver.direction === "up" ? "upwards" : "downwards",
    `${driver.publishers} ${driver.publishers === "1" ? "publisher" : "publishers"}`,
    `${driver.confidence} confidence`,
    timing(driver)
  ]
  return h("li", quoted(driver.summary), references(driver.citations, citations), small(` ${remarks.join(" · ")}`))
}

export const driverList = (drivers: ReadonlyArray<Driver>, citations: Citations): HTMLElement | null =>
  drivers.length === 0 ? null : h("ul", drivers.map(driverItem(citations)))

const part = (title: string, ...content: ReadonlyArray<Content>) => h("div", h("h4", title), content)

const statuses: Readonly<Record<Mover["status"], string>> = {
  explained: "reports coincide",
  market_wide: "market-wide",
  sector: "sector-wide",
  unexplained: "unexplained",
  insufficient_coverage: "insufficient coverage",
  not_a_mover: "not a mover"
}

const caveats: Readonly<Partial<Record<Mover["status"], string>>> = {
  unexplained: "No report that fits was found in what was searched. That does not mean that there is no reason.",
  insufficient_coverage: "Too few sources are fresh to say anything."
}

const split = ({ coin, market, onset_at, sector, sharp }: Mover["decomposition"]): HTMLElement =>
  h(
    "p",
    ["market ", figure(market, points), ", sector ", figure(sector, points), ", coin ", figure(coin, points)],
    onset_at === null
      ? ". The start of the move is unknown."
      : [". The move began ", age(onset_at), sharp ? ", suddenly." : "."]
  )

const coverageLine = ({ coverage, revised_at }: Mover | WhyOne): HTMLElement => {
  const failed = coverage.sources_failed.length === 0 ? "" : `, not fresh: ${coverage.sources_failed.join(", ")}`
  const searched = `${coverage.items_considered} reports of ${coverage.window_hours} hours considered`
  return h(
    "p",
    { class: "soft" },
    small(`${searched}, ${coverage.sources_ok} sources fresh${failed}. Revised `, age(revised_at), ".")
  )
}

const details = (mover: Mover | WhyOne): HTMLElement => {
  const { citations, confidence, decomposition, drivers, sentences, status, watch } = mover
  const caveat = caveats[status]
  const told = sentences.map((sentence) => [quoted(sentence.text), references(sentence.citations, citations), " "])
  const coming = watch.map(({ citations: cited, date, text }) =>
    h("li", `${date}: `, quoted(text), references(cited, citations))
  )
  return h(
    "div",
    { class: "told" },
    h("p", told),
    caveat === undefined ? null : h("p", { class: "reason" }, caveat),
    drivers.length === 0 ? null : part("Reported", driverList(drivers, citations)),
    coming.length === 0 ? null : part("Coming up", h("ul", coming)),
    status === "not_a_mover"
      ? null
      : [
          part("The move, split in percentage points", split(decomposition)),
          part(`Support: ${confidence.level}`, h("p", confidence.reasons.join(", ")))
        ],
    part("Sources", sourceList(citations)),
    coverageLine(mover)
  )
}

/** One coin's explanation, to be unfolded. */
export const explanation = (mover: Mover | WhyOne, isOpen: boolean): HTMLElement => {
  const { change_24h, confidence, headline, name, status, symbol } = mover
  const support = status === "not_a_mover" ? "" : ` · ${confidence.level} confidence`
  const line = small(quoted(`${name} (${symbol})`), ` · ${statuses[status]}${support}`)
  return h(
    "details",
    { open: isOpen },
    h("summary", h("b", changed(change_24h)), h("h3", quoted(headline), line)),
    details(mover)
  )
}
