// `npm start` and `npm run sandbox`: runs the bundle that `npm ci` made, which starts in half the time; the sources where they
// were changed since.
import { bundle, isCurrent } from "./current.js"

await import(isCurrent() ? bundle : "../src/main.ts")
