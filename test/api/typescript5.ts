// Loaded before openapi-typescript: it is written on the compiler's API, which TypeScript 7 does not have, so that it gets 5.
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, next) => next(specifier === "typescript" ? "typescript-5" : specifier, context)
})
