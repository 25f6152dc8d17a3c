// The explanation of a move: a line with the reason, which unfolds to sentences with citations. Headlines and names come from news feeds:
// `<bdi>` isolates them, and only http(s) addresses become links.
import type { Citation, Driver, Mover, WhyOne } from "./Answers.ts"
import { minus, percent, points, words } from "./Figures.ts"
import { Age, Change, Num, Out, Unseen } from "./Pieces.tsx"

type Cited = { readonly citations: ReadonlyArray<Citation> }

const References = ({ citations, ids }: Cited & { readonly ids: ReadonlyArray<string> }) => (
  <>
    {citations
      .filter(({ id }) => ids.includes(id))
      .map(({ id, n, url }) => (
        <sup key={id}>
          <Out to={url}>
            <Unseen>source </Unseen>
            {n}
          </Out>
        </sup>
      ))}
  </>
)

export const SourceList = ({ citations }: Cited) => (
  <ol>
    {citations.map(({ id, n, published_at, publisher, title, type, url }) => (
      <li key={id} value={n}>
        <Out to={url}>
          <bdi>{title}</bdi>
        </Out>
        <small>
          {publisher}, {words(type)}, <Age at={published_at} />
        </small>
      </li>
    ))}
  </ol>
)

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const timing = ({ minutes_after_onset }: Driver): string => {
  if (minutes_after_onset === null) return "timing unknown"
  const minutes = Math.abs(Number(minutes_after_onset))
  const span = minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`
  return `${span} ${Number(minutes_after_onset) < 0 ? "before" : "after"} the move began`
}

const remarksOf = (driver: Driver): string =>
  [
    driver.kind === "other" ? "other news" : words(driver.kind),
    ...(driver.role === "amplifier" ? ["amplifying"] : []),
    driver.direction === "up" ? "upwards" : "downwards",
    counted(Number(driver.publishers), "publisher"),
    `${driver.confidence} confidence`,
    timing(driver)
  ].join(" · ")

export const Drivers = ({ citations, drivers }: Cited & { readonly drivers: ReadonlyArray<Driver> }) => (
  <ul>
    {drivers.map((driver) => (
      <li key={driver.rank}>
        <bdi>{driver.summary}</bdi>
        <References ids={driver.citations} citations={citations} />
        <small>{remarksOf(driver)}</small>
      </li>
    ))}
  </ul>
)

const caveats: Readonly<Partial<Record<Mover["status"], string>>> = {
  unexplained: "No report that fits was found in what was searched. That does not mean that there is no reason.",
  insufficient_coverage: "Too few sources are fresh to say anything."
}

const Split = ({ coin, market, onset_at, sector, sharp }: Mover["decomposition"]) => (
  <p>
    market <Num of={market} format={points} />, sector <Num of={sector} format={points} />, coin{" "}
    <Num of={coin} format={points} />.{" "}
    {onset_at === null ? (
      "The start of the move is unknown."
    ) : (
      <>
        It began <Age at={onset_at} />
        {sharp && ", suddenly"}.
      </>
    )}
  </p>
)

const Coverage = ({ coverage, revised_at }: Mover | WhyOne) => (
  <p class="soft">
    {coverage.items_considered} reports of {coverage.window_hours} hours considered, {coverage.sources_ok} sources fresh
    {coverage.sources_failed.length > 0 && `, not fresh: ${coverage.sources_failed.join(", ")}`}. Revised{" "}
    <Age at={revised_at} />.
  </p>
)

const Details = ({ mover }: { readonly mover: Mover | WhyOne }) => {
  const { citations, confidence, decomposition, drivers, sentences, status } = mover
  return (
    <div class="told">
      <p>
        {sentences.map(({ citations: ids, text }) => (
          <>
            <bdi>{minus(text)}</bdi>
            <References ids={ids} citations={citations} />{" "}
          </>
        ))}
      </p>
      {caveats[status] !== undefined && <p class="reason">{caveats[status]}</p>}
      {drivers.length > 0 && <Drivers drivers={drivers} citations={citations} />}
      {status !== "not_a_mover" && (
        <>
          <h3>The move, split in percentage points</h3>
          <Split {...decomposition} />
          <h3>Support: {confidence.level}</h3>
          <p>{confidence.reasons.join(", ")}</p>
        </>
      )}
      <h3>Sources</h3>
      <SourceList citations={citations} />
      <Coverage {...mover} />
    </div>
  )
}

const statuses: Readonly<Record<Mover["status"], string>> = {
  explained: "reports coincide",
  market_wide: "market-wide",
  sector: "sector-wide",
  unexplained: "unexplained",
  insufficient_coverage: "insufficient coverage",
  not_a_mover: "not a mover"
}

export const Explanation = ({ mover }: { readonly mover: Mover | WhyOne }) => (
  <details class="explanation">
    <summary>
      <span class="headline">
        <Change of={mover.change_24h} /> <bdi>{minus(mover.headline)}</bdi>
      </span>
      <small>
        {statuses[mover.status]}
        {mover.status !== "not_a_mover" && ` · ${mover.confidence.level} confidence`} ·{" "}
        {counted(mover.citations.length, "citation")}
      </small>
    </summary>
    <Details mover={mover} />
  </details>
)

/** Why a coin is not listed as a mover. */
export const notAMover = ({ reason, sigma, threshold_pct }: NonNullable<WhyOne["not_a_mover"]>): string => {
  const usual = sigma === null ? "" : `; its usual daily change is ${percent(sigma)}`
  const texts: Readonly<Record<typeof reason, string>> = {
    below_threshold: `A change of at least ${percent(threshold_pct)} would be listed${usual}.`,
    below_liquidity_floor: "Too little of it is traded for its price to mean much.",
    below_rank_floor: "Only the largest coins are watched, and it is not among them.",
    excluded_category: "Stablecoins and receipts for other coins are not listed.",
    unreliable_price: "Its price is not reliable."
  }
  return texts[reason]
}
