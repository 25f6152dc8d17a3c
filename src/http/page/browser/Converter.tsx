// The converter, which updates while the user types. If a P2P market is involved, it shows three results: at the rate that a customer
// gets, at the mid, and at the official rate.
import { useEffect, useRef, useState } from "preact/hooks"
import { quotedFiats } from "./Fiats.ts"
import { useAnswer } from "./Answer.ts"
import type { Conversion } from "./Answers.ts"
import { type Asset, useAsset, useCoins, useRested } from "./Assets.ts"
import { FIAT_STALE_AFTER } from "./Clock.ts"
import { coins, exact, money, nameOf } from "./Figures.ts"
import { Panel } from "./Panel.tsx"
import { Num, Table, Unseen } from "./Pieces.tsx"
import { useMarkets } from "./Rate.tsx"
import { api } from "./Route.ts"
import { onlyOfficial } from "./Street.ts"

/** Puts commas between the thousands of a number that may be typed in part. */
const grouped = (text: string): string => {
  const [whole = "", ...rest] = text.replaceAll(/[^\d.]/g, "").split(".")
  const commas = whole.replace(/^0+(?=\d)/, "").replaceAll(/\B(?=(\d{3})+$)/g, ",")
  return rest.length === 0 ? commas : `${commas === "" ? "0" : commas}.${rest.join("")}`
}

/** Regroups the number in the field and keeps the caret after the same digit. */
const regroup = (input: HTMLInputElement): string => {
  const before = input.value.slice(0, input.selectionStart ?? undefined).replaceAll(/[^\d.]/g, "").length
  const text = grouped(input.value)
  let caret = 0
  for (let digits = 0; caret < text.length && digits < before; caret++) if (text[caret] !== ",") digits++
  input.value = text
  input.setSelectionRange(caret, caret)
  return text
}

interface FieldOptions {
  readonly id: string
  readonly label: string
  readonly text: string
  readonly found: ReturnType<typeof useAsset>
  readonly setText: (text: string) => void
}

/** A field for a coin or a fiat, with the asset that was found for its text. */
const AssetField = ({ found: { asset, fault, others }, id, label, setText, text }: FieldOptions) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input
      id={id}
      list="assets"
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
      value={text}
      aria-invalid={fault === undefined ? undefined : "true"}
      aria-describedby={`${id}-taken`}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
    <p class="soft" id={`${id}-taken`}>
      {asset === undefined ? (fault ?? "…") : `${asset.name} (${asset.symbol})`}
      {others.slice(0, asset === undefined ? 5 : 2).map((other) => (
        <button type="button" key={other.asked} onClick={() => setText(other.asked.replace("coin:", ""))}>
          {other.name} ({other.symbol})
        </button>
      ))}
    </p>
  </div>
)

const results = [
  { basis: "customer", label: "A customer gets", remark: "at the rate that people get on P2P markets" },
  { basis: "mid", label: "Middle", remark: "halfway between buy and sell" },
  { basis: "official", label: "Official", remark: "at the published rate" }
] as const

/** The answer, or the previous one while the next is loading. */
const useConversion = (path: string | null, isMeant: boolean) => {
  const answer = useAnswer<Conversion>(path, 60)
  const last = useRef<Conversion | undefined>(undefined)
  if (answer.data !== undefined || !isMeant) last.current = answer.data
  const isOld = answer.data === undefined && answer.problem === undefined
  return { ...answer, data: isOld ? last.current : answer.data, isOld }
}

interface ResultOptions {
  readonly label: string
  readonly remark: string
  readonly answer: ReturnType<typeof useConversion>
  readonly to: Asset
}

const Result = ({ answer: { data, isOld, problem }, label, remark, to }: ResultOptions) => {
  const isFiat = to.asked.startsWith("fiat:")
  return (
    <div class={isOld ? "result old" : "result"}>
      <dt>{label}</dt>
      <dd>
        {data === undefined ? (
          <span class="soft">{problem === undefined ? "…" : (problem.detail ?? problem.title)}</span>
        ) : (
          <>
            <b>
              <Num of={data.result} format={isFiat ? money(to.symbol) : coins} /> {!isFiat && to.symbol}
            </b>
            <small>{onlyOfficial(data.legs) ?? remark}</small>
          </>
        )}
      </dd>
    </div>
  )
}

const Legs = ({ data }: { readonly data: Conversion }) =>
  data.legs.length === 0 ? (
    <p>Both are the same: no rate is used.</p>
  ) : (
    <details>
      <summary>Rates used</summary>
      <Table
        caption="Rates used, as quoted"
        heads={["From", "To", "Source"]}
        rows={data.legs.map(({ from, rate, source, to }) => [`1 ${from}`, `${exact(rate)} ${to}`, source])}
      />
    </details>
  )

/** The three conversions of one amount. Without a P2P market they are equal, so only one is requested. */
const useConversions = (from: Asset | undefined, to: Asset | undefined, amount: string) => {
  const markets = useMarkets().data?.markets ?? []
  const asked = useRested(`${from?.asked} ${to?.asked} ${amount}`, 350)
  const isRested = asked === `${from?.asked} ${to?.asked} ${amount}`
  const isMeant = from !== undefined && to !== undefined && /^\d+(\.\d+)?$/.test(amount) && Number(amount) > 0
  const hasMarket = [from, to].some((asset) => markets.some(({ fiat }) => asset?.asked === `fiat:${fiat}`))
  const path = (basis: string) => {
    if (!isRested || !isMeant || (basis !== "mid" && !hasMarket)) return null
    const query = { from: from.asked, to: to.asked, amount }
    // With a P2P market, the mid is that of the street rate.
    return api.convert(hasMarket ? { ...query, basis: basis === "mid" ? "p2p" : basis } : query)
  }
  const answers = {
    customer: useConversion(path("customer"), isMeant),
    mid: useConversion(path("mid"), isMeant),
    official: useConversion(path("official"), isMeant)
  }
  return { answers, hasMarket }
}

interface ConverterOptions {
  readonly from: string
  readonly to: string
}

/** Resets its assets when the address names others. */
export const Converter = (initial: ConverterOptions) => {
  const [amount, setAmount] = useState("1")
  const [from, setFrom] = useState(initial.from)
  const [to, setTo] = useState(initial.to)
  useEffect(() => {
    setFrom(initial.from)
    setTo(initial.to)
  }, [initial.from, initial.to])
  const [source, target] = [useAsset(from), useAsset(to)]
  const { data: list } = useCoins()
  const { answers, hasMarket } = useConversions(source.asset, target.asset, amount.replaceAll(",", ""))
  const swap = () => {
    setFrom(to)
    setTo(from)
  }
  const answer = answers.mid
  const shown = results.filter(({ basis }) => hasMarket || basis === "mid")
  return (
    <Panel
      id="convert"
      title="Convert"
      answer={{ ...answer, problem: answer.data === undefined ? answer.problem : undefined }}
      staleAfter={FIAT_STALE_AFTER}
      controls={
        <form onSubmit={(event) => event.preventDefault()} aria-label="Convert">
          <div class="field">
            <label for="amount">Amount</label>
            <input
              id="amount"
              inputMode="decimal"
              autocomplete="off"
              value={amount}
              onFocus={({ currentTarget }) => currentTarget.select()}
              onInput={({ currentTarget }) => setAmount(regroup(currentTarget))}
            />
          </div>
          <AssetField id="from" label="From" text={from} setText={setFrom} found={source} />
          <button type="button" class="swap" onClick={swap} title="Swap">
            <span aria-hidden="true">⇄</span>
            <Unseen>Swap from and to</Unseen>
          </button>
          <AssetField id="to" label="To" text={to} setText={setTo} found={target} />
          <datalist id="assets">
            {quotedFiats.map((code) => (
              <option key={code} value={code}>
                {nameOf(code)}
              </option>
            ))}
            {list?.coins.map(({ id, name, symbol }) => (
              <option key={id} value={id}>{`${name} (${symbol})`}</option>
            ))}
          </datalist>
        </form>
      }
    >
      {(data) => (
        <>
          <dl class="results" aria-live="polite">
            {target.asset !== undefined &&
              shown.map(({ basis, label, remark }) => (
                <Result
                  key={basis}
                  answer={answers[basis]}
                  label={hasMarket ? label : "Result"}
                  remark={hasMarket ? remark : "at the current rate"}
                  to={target.asset ?? { asked: "", name: "", symbol: "" }}
                />
              ))}
          </dl>
          <Legs data={data} />
        </>
      )}
    </Panel>
  )
}
