// A source that cannot be reached: the error says why, in plain English, with the code to search for. Each cause is a real one.
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Schema, type Scope } from "effect"
import * as Http from "node:http"
import * as Https from "node:https"
import * as Net from "node:net"
import { connectionFailure, explainedCode } from "../../../src/domain/connectionFailure.ts"
import * as SourceClient from "../../../src/sources/client/SourceClient.ts"
import { BadStatus } from "../../../src/sources/client/SourceError.ts"
import { layerRequirements } from "../../../src/sources/client/SourceService.ts"
import { certificate, trusting } from "../../certificates.ts"
import { hasPrograms } from "../../isPresent.ts"
import { source } from "../ScriptedUpstream.ts"

const SECRET = "hunter2"

/** The error of a source at this address. */
const errorAt = (url: string) =>
  Effect.gen(function* () {
    const client = yield* SourceClient.make({ source, retries: 0 })
    return yield* Effect.flip(client.get("/", Schema.Struct({})))
  }).pipe(
    Effect.provide(layerRequirements),
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ TEST_SOURCE_BASE_URL: url })))
  )

type Place = Effect.Effect<string, never, Scope.Scope>

/** Where a server listens until the scope ends. */
const listening = <S extends Net.Server>(server: S, scheme = "http"): Place =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<S>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))),
      (open) => Effect.sync(() => open.close())
    ),
    (open) => {
      const address = open.address()
      return `${scheme}://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
    }
  )

/** A server that answers any bytes with these, and closes. */
const writing = (text: string, scheme?: string): Place =>
  listening(
    Net.createServer((socket) => socket.on("error", () => {}).once("data", () => socket.end(text))),
    scheme
  )

/** A server with a certificate, which this process trusts unless told. */
const secure = (
  options: Parameters<typeof certificate>[0],
  more: Https.ServerOptions & { trusted?: boolean } = {}
): Place =>
  Effect.gen(function* () {
    const { cert, key } = yield* certificate(options)
    if (more.trusted !== false) yield* trusting(cert)
    return yield* listening(Https.createServer({ cert, key, ...more }), "https")
  })

/** Sends everything through a proxy that answers with this status, until the scope ends. */
const behindProxy = (status: number): Place =>
  Effect.gen(function* () {
    const proxy = Http.createServer().on("connect", (_, socket) => socket.end(`HTTP/1.1 ${status} no\r\n\r\n`))
    const url = (yield* listening(proxy)).replace("//", `//user:${SECRET}@`)
    yield* Effect.acquireRelease(
      Effect.sync(() => Http.setGlobalProxyFromEnv({ https_proxy: url })),
      (undo) => Effect.sync(undo)
    )
    return "https://source.example"
  })

const cases: ReadonlyArray<readonly [what: string, place: Place, told: RegExp, code: string]> = [
  [
    "no such name",
    Effect.succeed("https://no-such-machine.invalid"),
    /no machine has that name/,
    "ENOTFOUND|EAI_AGAIN"
  ],
  ["nothing there", Effect.succeed("http://127.0.0.1:9999"), /nothing listens there/, "ECONNREFUSED"],
  ["a port of no web server", Effect.succeed("http://127.0.0.1:6000"), /no HTTP client connects/, "BAD_PORT"],
  [
    "a self-signed certificate",
    secure({}, { trusted: false }),
    /self-signed.*NODE_EXTRA_CA_CERTS/,
    "DEPTH_ZERO_SELF_SIGNED_CERT"
  ],
  [
    "one without its intermediate",
    Effect.flatMap(certificate(), (by) => secure({ by }, { trusted: false })),
    /without the intermediate one.*NODE_EXTRA_CA_CERTS/,
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
  ],
  ["an expired one", secure({ years: [2020, 2021] }), /has expired/, "CERT_HAS_EXPIRED"],
  ["one of the future", secure({ years: [2048, 2049] }), /not valid yet/, "CERT_NOT_YET_VALID"],
  ["one for another name", secure({ name: "DNS:other.example" }), /for another name/, "ERR_TLS_CERT_ALTNAME_INVALID"],
  [
    "other versions of TLS",
    secure({}, { maxVersion: "TLSv1.1", minVersion: "TLSv1" }),
    /agree on no TLS/,
    "ERR_SSL_\\w+"
  ],
  ["no TLS", writing("HTTP/1.1 400 no\r\n\r\n", "https"), /speaks no TLS/, "ERR_SSL_WRONG_VERSION_NUMBER"],
  [
    "TLS where none is asked for",
    Effect.map(secure({}), (url) => url.replace("https", "http")),
    /closed the connection/,
    "UND_ERR_SOCKET"
  ],
  ["a connection that closes", writing(""), /closed the connection/, "UND_ERR_SOCKET"],
  [
    "a body cut short",
    writing("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"),
    /closed the connection/,
    "UND_ERR_SOCKET"
  ],
  ["another protocol", writing("SSH-2.0-OpenSSH\r\n"), /does not speak HTTP/, "HTTPParserError"],
  ["no gzip", writing("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nplain"), /not compressed/, "Z_DATA_ERROR"],
  ["a proxy that wants a user", behindProxy(407), /proxy asks for a user/, "PROXY_407"],
  ["a proxy that refuses", behindProxy(403), /proxy refused/, "PROXY_403"]
]

describe.skipIf(!hasPrograms("openssl"))("a source that cannot be reached", () => {
  it.live.each(cases)("%s", ([, place, told, code]) =>
    Effect.gen(function* () {
      const error = yield* errorAt(yield* place)
      assert.strictEqual(error.reason._tag, "Unreachable", error.message)
      assert.match(error.message, told)
      assert.match(error.message, new RegExp(` \\((${code})\\)$`))
      assert.notMatch(error.message, new RegExp(`127\\.0|${SECRET}`))
    }).pipe(Effect.scoped)
  )

  it("has two addresses: the one that refuses counts, and if neither connects it says what helps", () => {
    const failed = (code: string, address: string) => Object.assign(new Error(), { code, address })
    const [four, six] = [failed("ETIMEDOUT", "192.0.2.1"), failed("ENETUNREACH", "2001:db8::1")]
    const told = (...errors: ReadonlyArray<Error>) =>
      connectionFailure(new Error("", { cause: new AggregateError(errors) }))
    for (const errors of [
      [four, six],
      [six, four]
    ])
      assert.match(told(...errors), /^neither its IPv4 nor its IPv6 .*--dns-result-order=ipv4first /)
    assert.strictEqual(told(six, failed("ECONNREFUSED", "192.0.2.1")), "nothing listens there")
    assert.strictEqual(told(four, four), "no answer in time")
  })

  it("has words for each code that Node's HTTP client can have, in one line each", () => {
    const codes =
      "ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EAI_FAIL EHOSTUNREACH ENETUNREACH ENETDOWN EACCES " +
      "UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT UND_ERR_SOCKET UND_ERR_HEADERS_OVERFLOW HPE_INVALID_VERSION " +
      "EPROTO UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE SELF_SIGNED_CERT_IN_CHAIN CERT_REVOKED CERT_UNTRUSTED"
    for (const code of codes.split(" ")) assert.match(explainedCode(code), new RegExp(`^[a-z][^\\n]+ \\(${code}\\)$`))
  })

  it.effect("says what an HTTP status means", () =>
    Effect.gen(function* () {
      const client = yield* SourceClient.make({ source })
      for (let status = 300; status < 600; status++) {
        const { message } = client.error(new BadStatus({ status }))
        assert.match(message, new RegExp(`HTTP status ${status}: \\w+ \\w+`))
      }
    }).pipe(Effect.provide(layerRequirements))
  )
})
