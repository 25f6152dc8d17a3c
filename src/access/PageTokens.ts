// Tokens by which the page at `/` is known, so that what it refreshes by itself has a small quota of its own. A token is bound to the
// caller's address and is void after some minutes. It is no secret from scripts: one that imitates a browser gets the page's quota of its
// own address, once, and no other's. Scripts of other sites cannot send `Sec-Fetch-Site: same-origin`, which the gate asks for too.
import { Context, Duration } from "effect"
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"

/** Requests of the page from one address in a window, however many people have it open there. */
export const PAGE_LIMIT = 30

/** How long a token is valid. */
export const LIFETIME = Duration.minutes(10)

/** What the quota key of a page begins with, before that of its address. */
export const PAGE = "page:"

export const make = () => {
  const secret = randomBytes(32)

  const signed = (address: string, end: string): string =>
    `${end}.${createHmac("sha256", secret).update(`${end} ${address}`).digest("base64url")}`

  return {
    /** A token for the quota key of an address. `now` in epoch milliseconds. */
    issue: (address: string, now: number): string => signed(address, (now + Duration.toMillis(LIFETIME)).toString(36)),
    isValid: (token: string, address: string, now: number): boolean => {
      const [end = ""] = token.split(".", 1)
      const [given, wanted] = [Buffer.from(token), Buffer.from(signed(address, end))]
      return given.length === wanted.length && timingSafeEqual(given, wanted) && Number.parseInt(end, 36) > now
    }
  }
}

/** Those of this process. A replica does not know the tokens of another: the usual quota counts there. */
export const PageTokens = Context.Reference("crypto-data-api/access/PageTokens", { defaultValue: make })
