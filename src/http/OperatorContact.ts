// How callers reach the operator, who gives out API keys: the setting `OPERATOR_CONTACT`.
import { Context, Schema } from "effect"
import { webUrl } from "../domain/webUrl.ts"

const EMAIL = /^[^\s@<>"',;:/]+@[^\s@<>"',;:/]+\.[^\s@<>"',;:/]+$/

const isWebAddress = (text: string): boolean => !/\s/.test(text) && webUrl(text) !== null

/** An email address, or an `http` or `https` URL without credentials. */
export const Contact = Schema.String.check(Schema.makeFilter((text) => EMAIL.test(text) || isWebAddress(text)))

/** The operator's contact; `null` if none is set. */
export const OperatorContact = Context.Reference<string | null>("crypto-data-api/http/OperatorContact", {
  defaultValue: () => null
})

export const linkTo = (contact: string): string => (EMAIL.test(contact) ? `mailto:${contact}` : contact)

/** `info.contact` of the OpenAPI document. */
export const openApiContact = (contact: string | null) => ({
  name: "Operator of this service",
  ...(contact !== null && (EMAIL.test(contact) ? { email: contact } : { url: contact }))
})
