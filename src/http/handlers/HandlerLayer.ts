// What all groups of handlers have in common: the contract's middleware, and a context with no more than what they use.
import { type Context, Layer } from "effect"
import { Access } from "../../api/Access.ts"
import { Cacheable } from "../../api/Cacheable.ts"
import { Validation } from "../../api/Validation.ts"
import { AccessLayer } from "../gate/AccessLayer.ts"
import { ValidationLayer } from "../gate/ValidationLayer.ts"
import { CacheableLayer } from "../response/CacheableLayer.ts"
import * as ContextSubset from "./ContextSubset.ts"

const middleware = [Validation, Access, Cacheable] as const

/** Completes the layer of a group of handlers that uses these services. */
export const using =
  <S extends ReadonlyArray<Context.Key<unknown, unknown>>>(...services: S) =>
  <A, E>(handlers: Layer.Layer<A, E, Context.Service.Identifier<[...S, ...typeof middleware][number]>>) =>
    handlers.pipe(
      ContextSubset.withContextSubset(...services, ...middleware),
      Layer.provide([ValidationLayer, AccessLayer, CacheableLayer])
    )
