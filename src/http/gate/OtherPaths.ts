// Paths that are not this service's, on a router that it shares with a host.
import { Context } from "effect"

/**
 * What happens to a request for a path that is not this service's. `passed`: the host's routes get it untouched, and it is not counted.
 * `counted`: it needs the same keys and costs the same quota as one for this service; its response gets the rate headers and no other
 * change. `refused`: a 404, where no host has routes.
 */
export const OtherPaths = Context.Reference<"passed" | "counted" | "refused">("crypto-data-api/http/gate/OtherPaths", {
  defaultValue: () => "passed"
})
