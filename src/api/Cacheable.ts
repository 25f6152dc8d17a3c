// Marks answers that are built from snapshots. The snapshots that a handler reads are recorded: the answer is valid until
// one of them is replaced, and `Cache-Control` says when that is expected.
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"

/** Answers from snapshots. None is sent after one of its snapshots was replaced. */
export class Cacheable extends HttpApiMiddleware.Service<Cacheable>()("crypto-data-api/api/Cacheable") {}

/**
 * Marks an endpoint whose answer depends only on snapshots and the URL, and which has few enough URLs to be cached. The
 * plan may only show: a short body that ends with it, in `meta.tier`, is held once for all plans.
 */
export const IsCached = Context.Reference<boolean>("crypto-data-api/api/IsCached", { defaultValue: () => false })
