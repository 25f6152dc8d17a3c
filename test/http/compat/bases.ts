// The bases as segments of the paths of Yadio and BTCPay Server; `undefined` for a path without one.
import { type Basis, BASES } from "../../../src/domain/Conversion.ts"

export const bases: ReadonlyArray<Basis | undefined> = [undefined, ...BASES]

export const prefixOf = (base: string, basis: Basis | undefined): string =>
  basis === undefined ? base : `${base}/${basis}`
