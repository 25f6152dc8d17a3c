// The page's script as it is sent. It is kept as text, and not as a module of its own, because there is no step that builds pages:
// so it is the same bytes from the sources, from `dist` and from a bundle, and its hash can be told in the page's policy.
import { markets } from "./ScriptMarkets.ts"
import { movers } from "./ScriptMovers.ts"
import { panels } from "./ScriptPanels.ts"
import { values } from "./ScriptValues.ts"

/** One module; the parts build on each other in this order. */
export const script = values + panels + markets + movers
