// Where clients reach the service: the setting `PUBLIC_URL`. Its path, such as `/crypto` behind a proxy, is the prefix of every address
// in responses. Requests may have the prefix or not, so a proxy may pass it on or strip it.
import { Context } from "effect"
import * as Target from "./request/Target.ts"

export interface PublicAddress {
  /** Scheme, host and port, such as `https://example.com`; empty if unknown. */
  readonly origin: string
  /** The prefix of paths, without a trailing slash; empty for none. */
  readonly path: string
}

/** The default is a service at the root of an unknown host. */
export const PublicUrl = Context.Reference<PublicAddress>("crypto-data-api/http/PublicUrl", {
  defaultValue: () => ({ origin: "", path: "" })
})

export const publicAddressOf = (url: URL): PublicAddress => {
  const { path } = Target.normalPath(url.pathname.replace(/\/+$/, ""))
  return { origin: url.origin, path: path === "/" ? "" : path }
}
