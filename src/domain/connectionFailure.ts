// Explains in a clause why a server cannot be used. A clause never contains a URL or a password: Node and the drivers name at most the
// host, the port, the database and the role.

const UNKNOWN_HOST = "no machine has that name"
const SILENT = "no answer in time"
const CLOSED = "it closed the connection before it had answered: check the port, and whether it wants TLS"
const UNREACHABLE = "that machine cannot be reached from here"
const TRUST = "NODE_EXTRA_CA_CERTS names a file with further certificates to trust"
const WRONG_PROTOCOL = "what listens there speaks another protocol: check the port"
const NO_TLS = "it speaks no TLS, which the address asks for"
const NO_CHAIN =
  "it sends its certificate without the intermediate one, which its operator must add, or is of no authority that this machine trusts"
const NO_FAMILY =
  "neither its IPv4 nor its IPv6 address connects in time: on a slow line, or where IPv6 does not work, set " +
  "NODE_OPTIONS='--dns-result-order=ipv4first --network-family-autoselection-attempt-timeout=3000'"
const CLIENT_CERTIFICATE = "it asks for a certificate of the client, which the service cannot send"
const NO_SLOT = "it has no free connection: allow it more, or let fewer programs connect"
const COPY = "it is a copy that cannot be written to"

type Clauses = ReadonlyArray<readonly [pattern: RegExp, clause: string]>

/** By the code of Node, of OpenSSL, or of PostgreSQL (SQLSTATE). */
const byCode: Clauses = [
  [/^ECONNREFUSED$/, "nothing listens there"],
  [/^(ENOTFOUND|EAI_\w+)$/, UNKNOWN_HOST],
  [/^(ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/, SILENT],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/, CLOSED],
  [/^(EHOST|ENET)(UNREACH|DOWN)$|^EADDRNOTAVAIL$/, UNREACHABLE],
  [/^ENOENT$/, "there is no such socket"],
  [/^ENOTSOCK$/, "that file is no socket"],
  [/^(EACCES|EPERM)$/, "this user may not connect there"],
  [/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/, `its certificate is self-signed; ${TRUST}`],
  [/^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/, `${NO_CHAIN}; ${TRUST}`],
  [/^(UNABLE_TO_\w+|CERT_UNTRUSTED)$/, `its certificate is of no authority that this machine trusts; ${TRUST}`],
  [/^CERT_HAS_EXPIRED$/, "its certificate has expired, or this machine's clock is wrong"],
  [/^CERT_NOT_YET_VALID$/, "its certificate is not valid yet, or this machine's clock is wrong"],
  [/^CERT_REVOKED$/, "its certificate was revoked"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "its certificate is for another name"],
  [/^ERR_SSL_\w*CERTIFICATE_REQUIRED$/, CLIENT_CERTIFICATE],
  [/^(ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|EPROTO)$/, NO_TLS],
  [/^ERR_SSL_/, "it and this machine agree on no TLS"],
  [/^PROXY_407$/, "the proxy asks for a user and a password: add them to HTTPS_PROXY"],
  [/^PROXY_\d+$/, "the proxy refused the connection"],
  [/^(HPE_\w+|HTTPParserError)$/, "what listens there does not speak HTTP"],
  [/^Z_/, "its body is not compressed as it says"],
  [/^UND_ERR_HEADERS_OVERFLOW$/, "its headers are too long"],
  [/^NO_FAMILY$/, NO_FAMILY],
  [/^BAD_PORT$/, "no HTTP client connects to that port"],
  [/^42501$/, "the role lacks a right: let it create tables in its schema, and read and write them"],
  [/^42P01$/, "it has no history yet, which `serve` creates at its first start"],
  [/^28P01$/, "the role or the password is wrong"],
  [/^53[34]00$/, NO_SLOT],
  [/^25006$/, COPY],
  [/^57P03$/, "it is starting or stopping"]
]

/** By the message of a server or its driver, if the code is not enough. */
const byMessage: Clauses = [
  [/^WRONGPASS|^ERR invalid password/, "the user or the password is wrong"],
  [/^NOAUTH|requested password authentication$/, "it asks for a password"],
  [/^ERR AUTH .*without any password/, "it has no password: leave the password out of the address"],
  [/^NOPERM/, "its ACL does not allow the user what the service does: all commands on keys that begin with cda:"],
  [/^READONLY/, COPY],
  [/^MOVED/, "another node of its cluster has the service's keys now"],
  [/^(ASK|TRYAGAIN)/, "its cluster moves the service's keys to another node"],
  [/^CLUSTERDOWN/, "no node of its cluster has the service's keys"],
  [/^MASTERDOWN/, "it is a copy that has lost its original"],
  [/^MISCONF/, "it cannot write to its disk, and takes nothing until it can"],
  [/^DENIED/, "it is in protected mode: give it a password, or let it listen on the loopback address alone"],
  [/^BUSY/, "another program's script keeps it busy"],
  [/^LOADING/, "it is still loading its data"],
  [/^OOM/, "it is full"],
  [/^ERR max number of clients/, NO_SLOT],
  [/^ERR DB index/, "it has no database of that number"],
  [/^ERR SELECT is not allowed/, "a cluster has no numbered databases: leave the number out of the address"],
  [
    /^ERR unknown command/,
    "it lacks a command that the service needs: a Sentinel, or a Redis that is too old, answers so"
  ],
  [/requires a valid client certificate/, CLIENT_CERTIFICATE],
  [/pg_hba\.conf.* no encryption$/, "its pg_hba.conf refuses this role, database and address without TLS"],
  [/pg_hba\.conf/, "its pg_hba.conf refuses this role, database and address"],
  [/does not support TLS$/, "it offers no TLS, which sslmode asks for"],
  [/^Unrecognized sslmode/, "its sslmode must be disable, allow, prefer, require, verify-ca or verify-full"],
  [/^No username/, "the address names no role"],
  [/^(Invalid URL|Invalid port|Invalid percent|Unsupported connection URL)/, "its address cannot be read"],
  [/^Message length \d+ exceeds|^Received \d+ bytes in response|^Unknown RESP type/, WRONG_PROTOCOL],
  [/^(Unexpected \w+ message|Expected one ErrorResponse)|SslResponse/, WRONG_PROTOCOL],
  [/^(Socket|Connection) closed|socket disconnected before/, CLOSED],
  [/time(d )?out/i, SILENT]
]

const clauseIn = (clauses: Clauses, text: string) => clauses.find(([pattern]) => pattern.test(text))?.[1]

/** The most nested causes that are followed. */
const DEEPEST = 10

const isIPv6 = (error: unknown): boolean =>
  error instanceof Error && "address" in error && String(error.address).includes(":")

/** Of the failures of a machine's addresses that of one which refuses; without one, the whole where the addresses are of both families. */
const causeOfMany = ({ errors }: AggregateError): unknown => {
  const refusal = errors.find((error) => error instanceof Error && codeIn(error) === "ECONNREFUSED")
  return refusal ?? (new Set(errors.map(isIPv6)).size > 1 ? undefined : errors[0])
}

const causeOf = (failure: unknown): unknown => {
  if (failure instanceof AggregateError) return causeOfMany(failure)
  if (typeof failure !== "object" || failure === null) return undefined
  if ("cause" in failure && failure.cause !== undefined) return failure.cause
  // `reason` of OpenSSL's errors is a text.
  return "reason" in failure && typeof failure.reason === "object" ? failure.reason : undefined
}

const innermostOf = (failure: unknown): unknown => {
  let innermost = failure
  for (let depth = 0; depth < DEEPEST; depth++) {
    const cause = causeOf(innermost)
    if (cause === undefined || cause === null) break
    innermost = cause
  }
  return innermost
}

/** The code of an error. Without one: a code of our own if a clause exists for it, else the error's name. */
const codeIn = (error: Error): string => {
  const [, status] = /^Proxy response \((\d{3})\)/.exec(error.message) ?? []
  if (status !== undefined) return `PROXY_${status}`
  if (error instanceof AggregateError) return "NO_FAMILY"
  if ("code" in error && typeof error.code === "string") return error.code
  return error.message === "bad port" ? "BAD_PORT" : error.name
}

/** The code of the innermost cause, such as `ECONNREFUSED`. It is ASCII and contains no text from a server. */
export const failureCode = (failure: unknown): string | undefined => {
  const innermost = innermostOf(failure)
  const code = innermost instanceof Error ? codeIn(innermost) : ""
  return /^\w{3,60}$/.test(code) && code !== "Error" && code !== "TypeError" ? code : undefined
}

/** A code after its clause; the code alone if it has no clause. */
export const explainedCode = (code: string): string => {
  const known = clauseIn(byCode, code)
  return known === undefined ? code : `${known} (${code})`
}

/** The clause for the innermost cause; without one, the first line of its message, at most 200 characters. */
export const connectionFailure = (failure: unknown): string => {
  const innermost = innermostOf(failure)
  if (!(innermost instanceof Error)) return "it does not answer"
  const { message } = innermost
  const code = codeIn(innermost)
  const known = clauseIn(byCode, code) ?? clauseIn(byMessage, message)
  if (known !== undefined) return known
  const line = message.split("\n")[0]?.slice(0, 200) ?? ""
  return line === "" ? code : line
}
