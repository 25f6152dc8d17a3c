// Ages and countdowns. Ages are by the server's clock, as its last response tells it: the user's may be wrong.
import type { Instant } from "./Answers.ts"
import { utc } from "./Figures.ts"
import { h, unknown } from "./Elements.ts"

/**
 * The server's clock minus the user's, in milliseconds. Not by `performance.now()`: that stands still while the machine sleeps, and
 * old data would look young.
 */
let skew = 0

/** Takes the server's clock from a response that just arrived: its `Date`, and the seconds that a cache in between has had it (`Age`). */
export const setServerTime = (headers: Headers): void => {
  const now = Date.parse(headers.get("date") ?? "") + 1000 * Number(headers.get("age") ?? 0)
  if (!Number.isNaN(now)) skew = now - Date.now()
}

/** The server's time, epoch milliseconds. */
export const serverNow = (): number => Date.now() + skew

/** Seconds since the instant, by the server's clock; never below 0. */
export const secondsSince = (instant: Instant): number => Math.max(0, (serverNow() - Date.parse(instant)) / 1000)

const UNITS = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"]
] as const

const ago = (seconds: number): string => {
  for (const [size, unit] of UNITS) {
    const count = Math.floor(seconds / size)
    if (count > 0) return `${count} ${unit}${count > 1 ? "s" : ""} ago`
  }
  return `${Math.floor(seconds)} s ago`
}

const toTheSecond = utc({ dateStyle: "medium", timeStyle: "medium" })

/** The UTC day of an instant or of a date, such as 3 Nov 2026. */
export const dayOf = utc({ dateStyle: "medium" })

/** The same with hours and minutes. */
export const hourOf = utc({ dateStyle: "medium", timeStyle: "short" })

export const absolute = (instant: Instant): string => `${toTheSecond(instant)} UTC`

const ticking = new Map<Element, () => void>()

/** Updates the element now and once a second, until it is no longer in the page. */
export const everySecond = <E extends Element>(element: E, update: () => void): E => {
  ticking.set(element, update)
  update()
  return element
}

setInterval(() => {
  if (document.hidden) return
  for (const [element, update] of ticking) {
    if (element.isConnected) update()
    else ticking.delete(element)
  }
}, 1000)

export const age = (instant: Instant | null): HTMLElement => {
  if (instant === null) return unknown()
  const element = h("time", { datetime: instant, title: absolute(instant) })
  return everySecond(element, () => {
    const text = ago(secondsSince(instant))
    if (element.textContent !== text) element.textContent = text
  })
}

const span = (seconds: number): string => (seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`)

/** Counts down, then shows `whenDone` once. */
export const countdown = (seconds: number, whenDone: () => HTMLElement): HTMLElement => {
  const end = performance.now() + seconds * 1000
  const element = h("p")
  return everySecond(element, () => {
    const left = Math.ceil((end - performance.now()) / 1000)
    if (left > 0) element.textContent = `You can try again in ${span(left)}.`
    else if (element.firstElementChild === null) element.replaceChildren(whenDone())
  })
}
