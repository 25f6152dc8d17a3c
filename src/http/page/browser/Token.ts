// The token by which the server knows its own page: what refreshes by itself then has a quota of its own. The first view asks without it,
// because it must not wait.

/** Relative to the page's base. */
const PATH = "page/token"
const HEADER = "x-page-token"

/** Milliseconds before its end at which a token is replaced, and between attempts. */
const EARLY = 60_000

let token: string | undefined
let ends = 0
let isAsking = false
let mayAskAt = 0
let pausedUntil = 0

const renew = async (): Promise<void> => {
  if (isAsking || Date.now() < mayAskAt || ends - Date.now() > EARLY) return
  isAsking = true
  mayAskAt = Date.now() + EARLY
  try {
    const response = await fetch(PATH, { cache: "no-store" })
    if (response.ok) {
      const body: unknown = await response.json()
      if (typeof body === "object" && body !== null && "token" in body && "seconds" in body) {
        token = String(body.token)
        ends = Date.now() + 1000 * Number(body.seconds)
      }
    }
  } catch {
    // Without a token the usual quota counts.
  }
  isAsking = false
}

/** Leaves the token out for so many seconds: the page's own quota is used up. */
export const pauseToken = (seconds: number): void => {
  pausedUntil = Date.now() + 1000 * seconds
}

/** The header of a request of the page; empty while there is no token. */
export const tokenHeader = (): Readonly<Record<string, string>> => {
  void renew()
  const now = Date.now()
  return token !== undefined && ends > now && pausedUntil < now ? { [HEADER]: token } : {}
}
