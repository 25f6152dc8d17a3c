// The mark of answers that are made of snapshots. What such an answer was made of is noted while it is made: until something of
// that changes it is the answer, and its `Cache-Control` says when that is to be expected.
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"

/** Answers from snapshots. No request is given an answer of a snapshot that another has replaced by the time it is sent. */
export class Cacheable extends HttpApiMiddleware.Service<Cacheable>()("crypto-data-api/api/Cacheable") {}

/**
 * Marks an endpoint whose answer depends on snapshots, the caller's plan and the address alone, and whose addresses are few
 * enough: it is produced once for all who ask until something it was made of changes.
 */
export const IsCached = Context.Reference<boolean>("crypto-data-api/api/Kept", { defaultValue: () => false })
