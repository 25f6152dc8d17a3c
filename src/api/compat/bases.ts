// The basis as a segment of a path, such as `p2p` in `/compat/yadio.io/p2p/exrates/BTC`. It does what `basis` does in `/v1/convert`.
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
