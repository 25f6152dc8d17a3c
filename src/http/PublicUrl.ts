// Where clients reach the service: the setting `PUBLIC_URL`. Its path, such as `/crypto` behind a proxy, is put before every address that
// the service emits. Requests are taken with it and without it, so a proxy may pass it on or strip it.
import { Context } from "effect"
import * as Target from "./target/Target.ts"

export interface PublicAddress {
  /** Scheme, host and port, such as `https://example.com`; empty while it is not known. */
  readonly origin: string
  /** What paths begin with, without a slash at the end; empty for none. */
  readonly path: string
}

/** The default is a service at the root of an unknown host. */
export const PublicUrl = Context.Reference<PublicAddress>("crypto-data-api/http/PublicUrl", {
  defaultValue: () => ({ origin: "", path: "" })
})

export const publicAddressOf = (url: URL): PublicAddress => {
  const { path } = Target.parse(url.pathname.replace(/\/+$/, ""))
  return { origin: url.origin, path: path === "/" ? "" : path }
}
