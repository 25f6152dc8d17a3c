// A `fetch` for one GET that connects to given IP addresses instead of resolving the host name. So the checked address is the one
// that is used, which prevents DNS rebinding: a name that resolves to another address a moment later.
import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { isIP, type LookupFunction } from "node:net"

/** TLS still verifies the certificate against the host name. Bodies are requested uncompressed; connections are not reused. */
export const pinnedFetch =
  (addresses: ReadonlyArray<string>): typeof fetch =>
  (input, init) =>
    new Promise((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const outgoing = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
        agent: false,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), "accept-encoding": "identity" },
        lookup: lookupOf(addresses),
        ...(init?.signal ? { signal: init.signal } : {})
      })
      outgoing.on("error", reject)
      outgoing.on("response", (incoming) => {
        const status = incoming.statusCode ?? 0
        const hasBody = status !== 204 && status !== 205 && status !== 304
        if (!hasBody) incoming.resume()
        const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value])
        )
        try {
          resolve(new Response(hasBody ? incoming : null, { status, headers }))
        } catch (cause) {
          // A `Response` cannot have some statuses, such as 999. Throwing here would end the process.
          incoming.destroy()
          reject(cause instanceof Error ? cause : new Error(String(cause)))
        }
      })
      outgoing.end()
    })

const lookupOf =
  (addresses: ReadonlyArray<string>): LookupFunction =>
  (_, options, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = found
    if (first === undefined) callback(new Error("no address"), "")
    else if (options.all === true) callback(null, found)
    else callback(null, first.address, first.family)
  }
