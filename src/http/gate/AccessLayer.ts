// The contract's `Access`. The gate enforces it before routing, so this layer does nothing.
import { Layer } from "effect"
import { Access } from "../../api/Access.ts"

/** Passes every request on. */
export const AccessLayer: Layer.Layer<Access> = Layer.succeed(Access, (handle) => handle)
