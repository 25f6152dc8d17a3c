// Small components: figures, ages, links, logos. Text from the API is never rendered as markup, because some comes from news feeds.
import type { ComponentChildren, JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { quotedFiats } from "./Fiats.ts"
import type { Coin, Figure, Instant } from "./Answers.ts"
import { absolute, secondsSince, span } from "./Clock.ts"
import { change, exact, type Format, nameOf } from "./Figures.ts"
import { coinPath } from "./Route.ts"

/** Redraws the component every second while the page is visible. */
export const useSeconds = (): void => {
  const [, setSecond] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setSecond((second) => second + 1)
    }, 1000)
    return () => clearInterval(timer)
  }, [])
}

/** Text for screen readers only. */
export const Unseen = ({ children }: { readonly children: ComponentChildren }) => <span class="unseen">{children}</span>

export const Unknown = () => <span class="unknown">unknown</span>

/** The naira's sign is wide, with bars that run into the first digit: it is smaller, with a space after it. */
const withSign = (text: string): ComponentChildren => {
  const [, sign, digits] = /^(−?₦)(.+)$/.exec(text) ?? []
  return sign === undefined ? (
    text
  ) : (
    <>
      <span class="sign">{sign}</span>
      {digits}
    </>
  )
}

/** A figure for reading, with all its digits in the title. */
export const Num = ({ format, of }: { readonly of: Figure | null | undefined; readonly format: Format }) =>
  of === null || of === undefined ? (
    <Unknown />
  ) : (
    <data value={of} title={exact(of)}>
      {withSign(format(of))}
    </data>
  )

/** A change in percent, in the colour of its sign. */
export const Change = ({ of }: { readonly of: Figure | null | undefined }) => {
  if (of === null || of === undefined) return <Unknown />
  const text = change(of)
  const way = text.startsWith("+") ? "up" : text.startsWith("−") ? "down" : "even"
  return (
    <data value={of} title={`${exact(of)}%`} class={way}>
      {text}
    </data>
  )
}

/** The age of an instant, updated every second. */
export const Age = ({ at, staleAfter = Infinity }: { readonly at: Instant | null; readonly staleAfter?: number }) => {
  useSeconds()
  if (at === null) return <Unknown />
  const seconds = secondsSince(at)
  return (
    <time dateTime={at} title={absolute(at)} class={seconds > staleAfter ? "stale" : undefined}>
      {span(seconds)} ago{seconds > staleAfter && " · stale"}
    </time>
  )
}

/** A link if the address is http(s), else only text, because addresses also come from news feeds. */
export const Out = ({ children, to }: { readonly to: string; readonly children: ComponentChildren }) =>
  /^https?:$/.test(URL.canParse(to) ? new URL(to).protocol : "") ? (
    <a href={to} rel="noreferrer">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  )

type Named = Pick<Coin, "id" | "name" | "symbol">

/** A logo made of the ticker, because the page loads no images from other servers. */
export const Logo = ({ size = 28, symbol }: Pick<Named, "symbol"> & { readonly size?: number }) => (
  <svg class="logo" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
    <circle cx="16" cy="16" r="15.5" />
    <text x="16" y="20" text-anchor="middle" font-size={symbol.length > 3 ? 9 : 11}>
      {symbol.slice(0, 4)}
    </text>
  </svg>
)

export const CoinLink = ({ coin: { id, name, symbol } }: { readonly coin: Named }) => (
  <a class="coin" href={coinPath(id)}>
    <Logo symbol={symbol} />
    <span>
      <bdi>{name}</bdi> <small>{symbol}</small>
    </span>
  </a>
)

interface FiatSelectOptions {
  readonly label: string
  readonly fiat: string
  readonly setFiat: (fiat: string) => void
}

/** Chooses one of the fiats that prices are quoted in. */
export const FiatSelect = ({ fiat, label, setFiat }: FiatSelectOptions) => (
  <label class="inline">
    <Unseen>{label}</Unseen>
    <select value={fiat} onChange={({ currentTarget }) => setFiat(currentTarget.value)}>
      {quotedFiats.map((code) => (
        <option key={code} value={code} title={nameOf(code)}>
          {code}
        </option>
      ))}
    </select>
  </label>
)

interface SparklineOptions {
  readonly values: ReadonlyArray<number | null>
  readonly label: string
}

/** A line without axes. It breaks at unknown values. Its place is kept while they are. */
export const Sparkline = ({ label, values }: SparklineOptions) => {
  const known = values.filter((value) => value !== null)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  if (known.length < 2) return <span class="spark" />
  const x = (n: number) => ((n / (values.length - 1)) * 100).toFixed(1)
  const y = (value: number) => (high === low ? 16 : 30 - ((value - low) / (high - low)) * 28).toFixed(1)
  const way = (known.at(-1) ?? 0) < (known[0] ?? 0) ? "down" : "up"
  const path = values
    .map((value, n) => (value === null ? "" : `${(values[n - 1] ?? null) === null ? "M" : "L"}${x(n)} ${y(value)}`))
    .join("")
  return (
    <svg class={`spark ${way}`} viewBox="0 0 100 32" preserveAspectRatio="none" role="img" aria-label={label}>
      <path d={path} fill="none" vector-effect="non-scaling-stroke" />
    </svg>
  )
}

interface Item {
  readonly term: string
  readonly value: ComponentChildren
  readonly remark?: ComponentChildren
}

export const Items = ({ items }: { readonly items: ReadonlyArray<Item> }) => (
  <dl>
    {items.map(({ remark, term, value }) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>
          <b>{value}</b>
          {remark !== undefined && remark !== null && <small>{remark}</small>}
        </dd>
      </div>
    ))}
  </dl>
)

interface Table {
  readonly caption: string
  readonly heads: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<ComponentChildren>>
}

/** A table whose rows become lists on a phone. */
export const Table = ({ caption, heads, rows }: Table): JSX.Element => (
  <table class="stacks">
    <caption class="unseen">{caption}</caption>
    <thead>
      <tr>
        {heads.map((head) => (
          <th scope="col">{head}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(([first, ...cells]) => (
        <tr>
          <th scope="row">{first}</th>
          {cells.map((cell, n) => (
            <td data-head={heads[n + 1]}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
