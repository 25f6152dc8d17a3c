// The address bar as state. Links of the page change it without a load; back and forward work.
import { useEffect, useReducer } from "preact/hooks"
import { type Route, routeOf } from "./Route.ts"

const base = new URL(document.baseURI)

const isOwn = (path: string): boolean => path === "" || routeOf(path).view !== "home"

/** Redraws the component at these window events. */
export const useEvents = (...names: ReadonlyArray<keyof WindowEventMap>): void => {
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0)
  useEffect(() => {
    const ended = new AbortController()
    for (const name of names) addEventListener(name, () => redraw(undefined), ended)
    return () => ended.abort()
  }, [])
}

const announce = (): void => {
  dispatchEvent(new PopStateEvent("popstate"))
}

/** Navigates to an address of the page, relative to its base. */
export const go = (path: string): void => {
  history.pushState(null, "", new URL(path, base))
  announce()
}

/** Corrects the address to what the page shows, so that back leads to the page before. */
export const rename = (path: string): void => {
  history.replaceState(null, "", new URL(path + location.search, base))
  announce()
}

/** The path of a plain click on a link to an address of the page; `undefined` for other clicks. */
const pathOfClick = (event: MouseEvent): string | undefined => {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest("a") : null
  if (link === null || link.origin !== base.origin || link.hash !== "") return undefined
  if (!link.pathname.startsWith(base.pathname)) return undefined
  const path = link.pathname.slice(base.pathname.length)
  return isOwn(path) ? path : undefined
}

document.addEventListener("click", (event) => {
  const path = pathOfClick(event)
  if (path === undefined) return
  event.preventDefault()
  go(path)
})

export const useRoute = (): Route => {
  useEvents("popstate")
  return routeOf(location.pathname.slice(base.pathname.length))
}
