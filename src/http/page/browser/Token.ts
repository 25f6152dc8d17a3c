// The token that identifies the page to its server, which gives the page's polling its own quota. The first requests go without it, so
// that they do not wait.

/** Relative to the page's base. */
const PATH = "page/token"

/** Milliseconds. A token is renewed this long before it expires, and renewals are this far apart. */
const EARLY = 60_000

let token: string | undefined
let ends = 0
let mayAskAt = 0

const renew = async (): Promise<void> => {
  if (Date.now() < mayAskAt || ends - Date.now() > EARLY) return
  mayAskAt = Date.now() + EARLY
  try {
    const body: unknown = await (await fetch(PATH, { cache: "no-store" })).json()
    if (typeof body !== "object" || body === null || !("token" in body && "seconds" in body)) return
    token = String(body.token)
    ends = Date.now() + 1000 * Number(body.seconds)
  } catch {
    // Without a token the quota of the address counts.
  }
}

/** Drops the token for some seconds, because the page's own quota is used up. */
export const pauseToken = (seconds: number): void => {
  ends = 0
  mayAskAt = Date.now() + 1000 * seconds
}

/** The header of a request of the page; `undefined` without a valid token. */
export const tokenHeader = (): Readonly<Record<string, string>> | undefined => {
  void renew()
  return token !== undefined && ends > Date.now() ? { "x-page-token": token } : undefined
}
