// The `Link` header to the documents (RFC 8288, with relations of RFC 8631 and RFC 6903). Documents and 404s have it;
// answers under `/v1` do not, to save bytes.
import * as Paths from "../target/Paths.ts"

const link = (to: string, rel: string, type: string): string => `<${to}>; rel="${rel}"; type="${type}"`

export const documentLinks: string = [
  link(Paths.documents.openApi, "service-desc", "application/json"),
  link(Paths.documents.docs, "service-doc", "text/html"),
  link(`${Paths.documents.docs}#terms`, "terms-of-service", "text/html"),
  link(Paths.documents.llms, "describedby", "text/plain"),
  link(Paths.documents.ready, "status", "application/health+json")
].join(", ")

export const linked = { link: documentLinks }
