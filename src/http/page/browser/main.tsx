// The page's script, which replaces the server's markup by the page.
import { render } from "preact"
import { App } from "./App.tsx"

const main = document.querySelector("main")
if (main !== null) {
  main.replaceChildren()
  render(<App />, main)
}
