// The token by which the server knows its own page: what refreshes by itself then has a quota of its own. The first view asks without it,
// because it must not wait.

/** Relative to the page's base. */
const PATH = "page/token"

/** Milliseconds before its end at which a token is replaced, and between attempts. */
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
    // Without a token the usual quota counts.
  }
}

/** Drops the token for so many seconds: the page's own quota is used up. */
export const pauseToken = (seconds: number): void => {
  ends = 0
  mayAskAt = Date.now() + 1000 * seconds
}

/** The header of a request of the page; none while there is no token. */
export const tokenHeader = (): Readonly<Record<string, string>> | undefined => {
  void renew()
  return token !== undefined && ends > Date.now() ? { "x-page-token": token } : undefined
}
