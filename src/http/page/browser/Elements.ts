// Elements, made without markup: text from the API is always text, whatever a news feed puts into it.
import type { Figure } from "./Answers.ts"
import { change, exact, type Format } from "./Figures.ts"

/** What an element may contain; nothing is shown for null and for empty text. */
export type Content = Node | string | null | undefined | ReadonlyArray<Content>

/** True is an attribute without a value, false and null none. A number is written to a tenth, as pixels are. */
type Attributes = Readonly<Record<string, string | number | boolean | null>>

const written = (value: string | number | true): string =>
  typeof value === "number" ? String(Math.round(value * 10) / 10) : value === true ? "" : value

export const flat = (content: Content): ReadonlyArray<Node | string> => {
  if (content === null || content === undefined || content === "") return []
  if (typeof content === "string" || content instanceof Node) return [content]
  return content.flatMap(flat)
}

const isAttributes = (part: Attributes | Content): part is Attributes =>
  typeof part === "object" && part !== null && !(part instanceof Node) && !Array.isArray(part)

const filled = <E extends Element>(element: E, parts: ReadonlyArray<Attributes | Content>): E => {
  for (const part of parts) {
    if (!isAttributes(part)) element.append(...flat(part))
    else {
      for (const [name, value] of Object.entries(part)) {
        if (value !== null && value !== false) element.setAttribute(name, written(value))
      }
    }
  }
  return element
}

export const h = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...parts: ReadonlyArray<Attributes | Content>
): HTMLElementTagNameMap[Name] => filled(document.createElement(name), parts)

export const svg = (name: string, ...parts: ReadonlyArray<Attributes | Content>): SVGElement =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", name), parts)

/** A button that does not submit a form. */
export const button = (onClick: () => unknown, ...content: ReadonlyArray<Content>): HTMLButtonElement => {
  const element = h("button", { type: "button" }, content)
  element.addEventListener("click", onClick)
  return element
}

/** The element of this kind in the page's markup; without it the page is broken. */
export const find = <E extends Element>(kind: new () => E, selector: string, within: ParentNode = document): E => {
  const element = within.querySelector(selector)
  if (element instanceof kind) return element
  throw new Error(`The page has no ${selector}`)
}

/** Tells a screen reader. */
export const say = (text: string): void => {
  find(HTMLElement, "#said").textContent = text
}

export const typed = (id: string): string => find(HTMLInputElement, `#${id}`).value.trim()

/** Shows a form, and runs `send` where the browser would send it. */
export const startForm = (selector: string, send: () => unknown): HTMLFormElement => {
  const form = find(HTMLFormElement, selector)
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void send()
  })
  form.hidden = false
  return form
}

/** Puts text into a field, where the user can go on. */
export const fillIn = (id: string, text: string): void => {
  const input = find(HTMLInputElement, `#${id}`)
  input.value = text
  input.focus()
}

/** The coin's id that a user has typed, for a path. Apostrophes are encoded too: the path goes into a command for a shell. */
export const typedId = (id: string): string => encodeURIComponent(typed(id).toLowerCase()).replaceAll("'", "%27")

/** Text for screen readers only. */
export const unseen = (text: string): HTMLElement => h("span", { class: "unseen" }, text)

export const small = (...content: ReadonlyArray<Content>): HTMLElement => h("small", content)

/** Text that others wrote; its direction of writing does not reach beyond it. */
export const quoted = (text: string): HTMLElement => h("bdi", text)

/** A link where the address is http(s), else only its text: addresses come from news feeds too. */
export const link = (address: string, ...text: ReadonlyArray<Content>): HTMLElement => {
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : null
  return url !== null && /^https?:$/.test(url.protocol)
    ? h("a", { href: url.href, rel: "noreferrer" }, text)
    : h("span", text)
}

export const unknown = (): HTMLElement => h("span", { class: "unknown" }, "unknown")

/** A figure for reading, with all its digits in the title. */
export const figure = (value: Figure | null, format: Format): HTMLElement =>
  value === null ? unknown() : h("data", { value, title: exact(value) }, format(value))

const COLOURS: Readonly<Record<string, string>> = { "+": "up", "−": "down" }

/** A change in percent, in the colour of its sign. */
export const changed = (value: Figure | null): HTMLElement => {
  if (value === null) return unknown()
  const text = change(value)
  return h("data", { value, title: exact(value), class: COLOURS[text.charAt(0)] ?? null }, text)
}
