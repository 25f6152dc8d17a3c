// Written from `package.json` by `npm version` (build/release.ts).

/** The version in `package.json`. */
export const VERSION = "0.2.0"

/** The homepage in `package.json`. */
export const HOMEPAGE = "https://www.npmjs.com/package/crypto-data-api"
