// The page's script: draws the page in place of what the server wrote.
import { render } from "preact"
import { App } from "./App.tsx"

const main = document.querySelector("main")
if (main !== null) {
  main.replaceChildren()
  render(<App />, main)
}
