// The contract's `Access`: enforced by the gate, before any route is looked for, so nothing is left to do here.
import { Layer } from "effect"
import { Access } from "../../api/Access.ts"

/** Lets every request through that the gate let through. */
export const AccessLayer: Layer.Layer<Access> = Layer.succeed(Access, (handle) => handle)
