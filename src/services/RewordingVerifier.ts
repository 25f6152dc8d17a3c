// The nine checks of the engine's verifier, as the rules of rewording ask for them. Until the engine has them nothing passes.
import type { Verify } from "./RewordingRules.ts"

export const verify: Verify = () => ["was not verified"]
