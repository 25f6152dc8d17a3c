// The lines of a panel that users copy into other programs: a shell command, a spreadsheet formula, and the set-up of an AI agent.
import type { ComponentChildren } from "preact"
import { useRef, useState } from "preact/hooks"
import { COINGECKO, usesOf } from "./Elsewhere.ts"
import { Unseen } from "./Pieces.tsx"

const base = document.baseURI

/** The shell command. Single quotes are safe, because the path's apostrophes are written as %27. */
const curl = (path: string): string => {
  const quote = /^[\w/.-]*$/.test(path) ? "" : "'"
  return `curl ${quote}${base}${path}${quote}`
}

/** Google's servers fetch a formula's URL, so it must be public. */
const forGoogle = /^(localhost|127\.|10\.|192\.168\.|\[)/.test(location.hostname)
  ? "Google reaches public addresses only, not this one."
  : null

interface LineOptions {
  readonly program: string
  readonly text: string
  readonly title: string
  readonly children?: ComponentChildren
}

const Line = ({ children, program, text, title }: LineOptions) => {
  const code = useRef<HTMLElement>(null)
  const [label, setLabel] = useState("Copy")
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setLabel("Copied")
    } catch {
      if (code.current !== null) getSelection()?.selectAllChildren(code.current)
      setLabel("Selected: press Copy on the keyboard")
    }
    setTimeout(() => setLabel("Copy"), 2000)
  }
  return (
    <div class="line">
      <p>
        {program}{" "}
        <button type="button" onClick={copy}>
          <span role="status">{label}</span>
          <Unseen>
            {" "}
            the line for {program} of {title}
          </Unseen>
        </button>
      </p>
      <code ref={code}>{text}</code>
      {children && <p class="soft">{children}</p>}
    </div>
  )
}

const Lines = ({ path, title }: { readonly path: string; readonly title: string }) => {
  const uses = usesOf(base, path)
  return (
    <div class="lines">
      <p>
        <a href={path}>
          JSON<Unseen> of {title}</Unseen>
        </a>
      </p>
      <Line program="Shell" text={curl(path)} title={title} />
      {uses !== null && (
        <>
          <Line program={uses.program} text={uses.formula} title={title}>
            {uses.program === "Google Sheets" ? forGoogle : "This answer is JSON; no CSV has it."}
          </Line>
          <Line program="AI agent" text={`claude mcp add --transport http crypto-data ${base}mcp`} title={title}>
            Then the tool <code>{uses.tool}</code>
            {Object.keys(uses.input).length > 0 && (
              <>
                {" "}
                with <code>{JSON.stringify(uses.input)}</code>
              </>
            )}
          </Line>
          {uses.coinGecko !== null && (
            <Line program="Programs made for CoinGecko" text={uses.coinGecko} title={title}>
              Their base address here: <code>{base + COINGECKO}</code>
            </Line>
          )}
        </>
      )}
    </div>
  )
}

/** Renders its lines when it is unfolded. */
export const Uses = ({ path, title }: { readonly path: string; readonly title: string }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="uses" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        API<Unseen>: use {title} elsewhere</Unseen>
      </summary>
      {isOpen && <Lines path={path} title={title} />}
    </details>
  )
}
