// The converter. An amount is multiplied by the rates that the page has, while the user types. If a P2P market is involved, there are
// three: what people get, which depends on the amount and is asked for, the mid, and the official rate. All rows are of one amount.
import { useEffect, useRef, useState } from "preact/hooks"
import { type Amount, amountOf, remarkOn } from "./Amount.ts"
import { quotedFiats } from "./Fiats.ts"
import { type Answer, useAnswer } from "./Answer.ts"
import type { Conversion, Figure } from "./Answers.ts"
import { useAsset, useCoins, useRested } from "./Assets.ts"
import { FIAT_STALE_AFTER } from "./Clock.ts"
import { coins, exact, isCurrency, money, nameOf, product } from "./Figures.ts"
import { rename } from "./Navigation.ts"
import { Panel } from "./Panel.tsx"
import { Num, Table, Unseen } from "./Pieces.tsx"
import { useMarkets } from "./Rate.tsx"
import { type Asset, conversionPath, conversionPaths, plainly } from "./Route.ts"
import { lackOf, onlyOfficial, type Pair } from "./Street.ts"

/** Reads the field after an edit, and keeps the caret after the same digit. */
const readField = (input: HTMLInputElement, before: Amount, typed: InputEvent): Amount => {
  const isEdited = before.fault === undefined && typed.data !== "," && typed.inputType !== "insertFromPaste"
  const amount = amountOf(input.value, isEdited)
  if (amount.text === input.value) return amount
  const digits = input.value.slice(0, input.selectionStart ?? undefined).replaceAll(",", "").length
  let caret = 0
  for (let passed = 0; caret < amount.text.length && passed < digits; caret++) if (amount.text[caret] !== ",") passed++
  input.value = amount.text
  input.setSelectionRange(caret, caret)
  return amount
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
        <button type="button" key={other.asked} onClick={() => setText(plainly(other))}>
          {other.name} ({other.symbol})
        </button>
      ))}
    </p>
  </div>
)

const results = [
  { basis: "customer", label: "You get", remark: "at the rate that people get on P2P markets now" },
  { basis: "mid", label: "Mid-market", remark: "halfway between buy and sell" },
  { basis: "official", label: "Official", remark: "at the published rate of the US dollar" }
] as const

interface ResultOptions extends Pick<(typeof results)[number], "basis" | "label"> {
  readonly remark: string
  readonly answer: Answer<Conversion>
  readonly amount: string | undefined
  readonly pair: Pair
  readonly mid: Figure | undefined
}

const Result = ({ amount, answer: { data, problem }, basis, label, mid, pair, remark }: ResultOptions) => {
  const { to } = pair
  const isFiat = to.asked.startsWith("fiat:")
  const lack = problem === undefined ? "updating…" : lackOf(problem, pair, basis, mid)
  return (
    <div class="result">
      <dt>{label}</dt>
      <dd>
        {data === undefined || amount === undefined ? (
          <span class="soft">{amount === undefined ? "–" : lack}</span>
        ) : (
          <>
            <b>
              <Num of={product(amount, data.rate)} format={isFiat ? money(to.symbol) : coins} /> {!isFiat && to.symbol}
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

/** The conversions of a pair; of the rate that people get, the one of this amount. */
export const useConversions = (from: Asset | undefined, to: Asset | undefined, amount: string | undefined) => {
  const markets = useMarkets().data?.markets ?? []
  const hasMarket = [from, to].some((asset) => markets.some(({ fiat }) => asset?.asked === `fiat:${fiat}`))
  const rested = useRested(amount, 500)
  const paths: Partial<ReturnType<typeof conversionPaths>> =
    from === undefined || to === undefined ? {} : conversionPaths(from.asked, to.asked, rested ?? "1", hasMarket)
  const customer = useAnswer<Conversion>(amount === undefined ? null : (paths.customer ?? null), 45)
  const answers = {
    customer: rested === amount ? customer : { ...customer, data: undefined, problem: undefined },
    mid: useAnswer<Conversion>(paths.mid ?? null, 45),
    official: useAnswer<Conversion>(paths.official ?? null, 45)
  }
  return { answers, hasMarket }
}

interface ConverterOptions {
  readonly from: string
  readonly to: string
  readonly amount: string
  /** Whether the address names the assets. */
  readonly isAddressed: boolean
}

/** Takes the assets of another address, and corrects the address when the user chooses others. */
export const Converter = ({ isAddressed, ...initial }: ConverterOptions) => {
  const [amount, setAmount] = useState<Amount>(() => amountOf(initial.amount))
  const [from, setFrom] = useState(initial.from)
  const [to, setTo] = useState(initial.to)
  // The address of the assets in the fields, so that its correction leaves what the user typed.
  const address = useRef("")
  useEffect(() => {
    const named = conversionPath(initial.from, initial.to)
    if (named === address.current) return
    address.current = named
    setFrom(initial.from)
    setTo(initial.to)
    setAmount(amountOf(initial.amount))
  }, [initial.from, initial.to, initial.amount])
  const [source, target] = [useAsset(from), useAsset(to)]
  const { data: list } = useCoins()
  const { answers, hasMarket } = useConversions(source.asset, target.asset, amount.value)
  const swap = () => {
    setFrom(to)
    setTo(from)
  }
  const answer = answers.mid
  const shown = results.filter(({ basis }) => hasMarket || basis === "mid")
  const pair = source.asset && target.asset && { from: source.asset, to: target.asset }
  const chosen = useRested(pair && conversionPath(plainly(pair.from), plainly(pair.to)), 500)
  useEffect(() => {
    if (!isAddressed || chosen === undefined || chosen === address.current) return
    address.current = chosen
    rename(chosen)
  }, [chosen])
  const areFiats = pair !== undefined && isCurrency(pair.from.symbol) && isCurrency(pair.to.symbol)
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
              value={amount.text}
              aria-invalid={amount.fault === undefined ? undefined : "true"}
              aria-describedby="amount-taken"
              onFocus={({ currentTarget }) => currentTarget.select()}
              onInput={(event) => setAmount(readField(event.currentTarget, amount, event))}
            />
            <p class="soft" id="amount-taken">
              {remarkOn(amount)}
            </p>
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
            {pair !== undefined &&
              shown.map(({ basis, label, remark }) => (
                <Result
                  key={basis}
                  basis={basis}
                  answer={answers[basis]}
                  amount={amount.value}
                  mid={data.rate}
                  pair={pair}
                  label={label}
                  remark={
                    hasMarket ? remark : areFiats ? "at the official rate of the day" : "at the rate of the markets"
                  }
                />
              ))}
          </dl>
          <Legs data={data} />
        </>
      )}
    </Panel>
  )
}
