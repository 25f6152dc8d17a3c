// The address bar as state. Links of the page change it without a load; back and forward work.
import { useEffect, useState } from "preact/hooks"
import { type Route, routeOf } from "./Route.ts"

const base = new URL(document.baseURI)

/** The path of the address within the base. */
const here = (): string => location.pathname.slice(base.pathname.length)

const isOwn = (path: string): boolean => path === "" || routeOf(path).view !== "home"

const listeners = new Set<() => void>()

/** Shows an address of the page, relative to its base. */
export const go = (path: string): void => {
  history.pushState(null, "", new URL(path, base))
  for (const listener of listeners) listener()
}

/** The link of a plain click that leads to an address of the page, as a path. */
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
addEventListener("popstate", () => {
  for (const listener of listeners) listener()
})

export const useRoute = (): Route => {
  const [path, setPath] = useState(here)
  useEffect(() => {
    const changed = () => setPath(here())
    listeners.add(changed)
    return () => void listeners.delete(changed)
  }, [])
  return routeOf(path)
}
