// Where the documents are, as a header says it (RFC 8288; the relations are those of RFC 8631 and RFC 6903): on the documents
// themselves and where nothing was found. Answers under `/v1` do without: they are many, and each header costs.
import * as Paths from "../Paths.ts"

const link = (to: string, rel: string, type: string): string => `<${to}>; rel="${rel}"; type="${type}"`

/** The value of `Link`. */
export const documentLinks: string = [
  link(Paths.documents.openApi, "service-desc", "application/json"),
  link(Paths.documents.docs, "service-doc", "text/html"),
  link(`${Paths.documents.docs}#terms`, "terms-of-service", "text/html"),
  link(Paths.documents.llms, "describedby", "text/plain"),
  link(Paths.documents.ready, "status", "application/health+json")
].join(", ")

/** The header by itself. */
export const linked = { link: documentLinks }
