// Numbers in bodies: quoted ones keep the digits of their source, computed ones are rounded.
import { derived } from "../../domain/Decimal.ts"
import { jsonFigure, type Written } from "../../domain/JsonNumber.ts"

/** A figure in its source's digits; `null` if unknown. */
export const figure = (value: number | null | undefined): Written | null =>
  value === null || value === undefined || !Number.isFinite(value) ? null : jsonFigure(value)

/** A computed figure, rounded for publication. */
export const computed = (value: number | null | undefined): Written | null =>
  figure(value === null || value === undefined ? null : derived(value))
