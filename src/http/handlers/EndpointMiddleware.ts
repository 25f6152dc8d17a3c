// The implementation of the middleware that the contracts declare for every endpoint.
import { Layer } from "effect"
import { Access } from "../../api/Access.ts"
import { ValidationLayer } from "../gate/ValidationLayer.ts"

/** The gate enforces `Access` before routing, so this layer passes every request on. */
const AccessLayer = Layer.succeed(Access, (handle) => handle)

export const EndpointMiddleware = Layer.merge(ValidationLayer, AccessLayer)
