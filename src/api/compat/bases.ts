// The first segment of a path, which names the rate of the fiats that have a P2P market.
import { type Basis, BASES } from "../../domain/Conversion.ts"

/** The bases that it may name; `undefined` where a path begins without one. */
export const bases: ReadonlyArray<Basis | undefined> = [undefined, ...BASES]

/** What the paths begin with. */
export const prefixOf = (base: `/${string}`, basis: Basis | undefined): `/${string}` =>
  basis === undefined ? base : `${base}/${basis}`

/** What the documents say of it. */
export const BASIS_TEXT =
  `\`${BASES.join("`, `")}\` may stand as a segment of its own after the base address: which rate of the fiats with a P2P market ` +
  "is used, as `basis` of `/v1/convert` says."
