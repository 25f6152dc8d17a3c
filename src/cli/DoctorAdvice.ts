// What an operator can do about a failure or about a venue without a rate.
import type { SourceError } from "../sources/client/SourceError.ts"

const network: Readonly<Record<string, string>> = {
  ENOTFOUND: "The DNS does not know its name: check this machine's network and the source's _BASE_URL",
  EAI_AGAIN: "The DNS does not answer: check this machine's network",
  ECONNREFUSED: "Nothing listens there: check firewalls, proxies and the source's _BASE_URL",
  ENETUNREACH: "There is no route to it: check this machine's network",
  EHOSTUNREACH: "There is no route to it: check this machine's network"
}

/** `undefined` where there is nothing to do but wait. */
export const adviceOn = (reason: SourceError["reason"]): string | undefined => {
  switch (reason._tag) {
    case "Unreachable":
      return network[reason.detail]
    case "BadStatus":
      return reason.status === 401 || reason.status === 403
        ? "It refuses this address or the key: check the key, if it has one, and whether it serves your country"
        : undefined
    case "RateLimited":
      return "Others may share this address, or a running service has used its calls"
    case "Undecodable":
      return "A block page looks like this, and so does a format that has changed"
    default:
      return undefined
  }
}

const venueReasons: Readonly<Record<string, string>> = {
  no_answer: "it did not answer",
  stale: "its book is too old",
  too_few_ads: "too few believable ads on a side for a rate",
  inverted: "buy is below sell: its sides are swapped",
  spread_too_wide: "buy and sell are too far apart to be one market",
  crossed: "buy is a little below sell",
  unverified: "no merchant has a record, so anyone could have moved it",
  one_sided: "one side is empty",
  not_positive: "a price of 0 or less",
  out_of_range: "prices that are no naira prices of a dollar"
}

/** The reason that the naira service gives for a venue, in words. */
export const venueReason = (reason: string): string => venueReasons[reason] ?? reason
