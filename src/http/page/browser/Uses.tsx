// How to get a panel's data without the page: a link to the JSON, and a shell command to copy.
import { useRef, useState } from "preact/hooks"
import { Unseen } from "./Pieces.tsx"

/** The shell command. Single quotes are safe, because the path's apostrophes are written as %27. */
const curl = (path: string): string => {
  const quote = /^[\w/.-]*$/.test(path) ? "" : "'"
  return `curl ${quote}${document.baseURI}${path}${quote}`
}

export const Uses = ({ path, title }: { readonly path: string; readonly title: string }) => {
  const code = useRef<HTMLElement>(null)
  const [label, setLabel] = useState("Copy")
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(curl(path))
      setLabel("Copied")
    } catch {
      if (code.current !== null) getSelection()?.selectAllChildren(code.current)
      setLabel("Selected: press Copy on the keyboard")
    }
    setTimeout(() => setLabel("Copy"), 2000)
  }
  return (
    <details class="uses">
      <summary>
        API<Unseen>: use {title} elsewhere</Unseen>
      </summary>
      <p class="line">
        <a href={path}>
          JSON<Unseen> of {title}</Unseen>
        </a>{" "}
        <button type="button" onClick={copy}>
          <span role="status">{label}</span>
          <Unseen> the shell command for {title}</Unseen>
        </button>
        <code ref={code}>{curl(path)}</code>
      </p>
    </details>
  )
}
