// Whether a caller is a browser that shows a page: it names HTML in `Accept`.
import { headerText, type RequestHeaders } from "./CountedRequest.ts"
import { weightsOf } from "../request/weightsOf.ts"

export const asksForPage = ({ accept }: RequestHeaders): boolean => {
  const text = headerText(accept)
  return text !== undefined && text.includes("text/html") && (weightsOf(text).get("text/html") ?? 0) > 0
}
