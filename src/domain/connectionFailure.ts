// Why a server cannot be used, in a clause for people. Addresses and passwords are never part of it: Node and the drivers name at most
// the host, the port, the database and the role.

const REFUSED = "nothing listens at that host and port"
const UNKNOWN_HOST = "no machine has that name"
const SILENT = "no answer in time"
const UNREACHABLE = "that machine cannot be reached from here"
const UNTRUSTED =
  "its certificate is of no authority that this machine trusts; NODE_EXTRA_CA_CERTS names a file with another"

/** By the code of Node, of OpenSSL, or of PostgreSQL (SQLSTATE). */
const clauses: Readonly<Record<string, string>> = {
  ECONNREFUSED: REFUSED,
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
  ETIMEDOUT: SILENT,
  ECONNRESET: "it closed the connection",
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOENT: "there is no such socket",
  EACCES: "this user may not open that socket",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: "it asks for a certificate of the client, which the service cannot send",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  ERR_SSL_WRONG_VERSION_NUMBER: "it speaks no TLS, which the address asks for",
  EPROTO: "it speaks no TLS, which the address asks for",
  "42501": "the role lacks a right: let it create tables in its schema, and read and write them"
}

/** What a Redis says of itself, by the first word of its error. */
const redisClauses: Readonly<Record<string, string>> = {
  WRONGPASS: "the user or the password is wrong",
  NOAUTH: "it asks for a password",
  NOPERM: "its ACL does not allow the user what the service does: all commands on keys that begin with cda:",
  READONLY: "it is a copy that cannot be written to",
  MOVED: "another node of its cluster has the service's keys now",
  ASK: "its cluster moves the service's keys to another node",
  TRYAGAIN: "its cluster moves the service's keys to another node",
  CLUSTERDOWN: "no node of its cluster has the service's keys",
  MASTERDOWN: "it is a copy that has lost its original",
  MISCONF: "it cannot write to its disk, and takes nothing until it can",
  DENIED: "it is in protected mode: give it a password, or let it listen on the loopback address alone",
  BUSY: "another program's script keeps it busy",
  LOADING: "it is still loading its data",
  OOM: "it is full"
}

/** How deep causes are followed. */
const DEEPEST = 10

const causeOf = (failure: unknown): unknown => {
  if (failure instanceof AggregateError) return failure.errors[0]
  if (typeof failure !== "object" || failure === null) return undefined
  if ("cause" in failure && failure.cause !== undefined) return failure.cause
  return "reason" in failure ? failure.reason : undefined
}

/** The clause for the innermost cause: its own words where none are known for it, in one line of at most 200 characters. */
export const connectionFailure = (failure: unknown): string => {
  let innermost = failure
  for (let depth = 0; depth < DEEPEST; depth++) {
    const cause = causeOf(innermost)
    if (cause === undefined) break
    innermost = cause
  }
  if (!(innermost instanceof Error)) return "it does not answer"
  const { message } = innermost
  const code = "code" in innermost && typeof innermost.code === "string" ? innermost.code : ""
  const known = clauses[code] ?? redisClauses[message.split(" ", 1)[0] ?? ""]
  if (known !== undefined) return known
  if (message.startsWith("ERR SELECT is not allowed in cluster mode"))
    return "a cluster has no numbered databases: leave the number out of the address"
  if (/time(d )?out/i.test(message)) return SILENT
  const line = message.split("\n")[0]?.slice(0, 200) ?? ""
  return line === "" ? (code === "" ? innermost.name : code) : line
}
