// Certificates that sign themselves, made by `openssl`.
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { temporaryFolder } from "./resources.ts"

interface Options {
  /** What it is for, as `subjectAltName` has it. */
  readonly name?: string
  /** The first and the last year of it. */
  readonly years?: readonly [first: number, last: number]
  /** Who signs it. Default: itself. */
  readonly by?: { readonly certFile: string; readonly keyFile: string }
}

/** A key and its certificate, by default for 127.0.0.1 now: the files, and what is in them. */
export const certificate = ({ name = "IP:127.0.0.1", years = [2020, 2040], by }: Options = {}) =>
  Effect.map(temporaryFolder, (folder) => {
    const at = (file: string) => join(folder, file)
    const openssl = (...args: ReadonlyArray<string>) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" })
    const authority =
      "database=index\nnew_certs_dir=.\ndefault_md=sha256\npolicy=names\nrand_serial=yes\nx509_extensions=more"
    const more = `subjectAltName=${name}\nbasicConstraints=CA:true`
    writeFileSync(
      at("config"),
      `[ca]\ndefault_ca=own\n[own]\n${authority}\n[names]\ncommonName=supplied\n[more]\n${more}\n`
    )
    writeFileSync(at("index"), "")
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", ...curve, "-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=127.0.0.1")
    const [first, last] = years.map((year) => `${year}0101000000Z`)
    const span = ["-startdate", first ?? "", "-enddate", last ?? ""]
    const files = ["-config", "config", "-in", "request.pem", "-out", "cert.pem"]
    const signer =
      by === undefined ? ["-selfsign", "-keyfile", "key.pem"] : ["-cert", by.certFile, "-keyfile", by.keyFile]
    openssl("ca", "-batch", "-notext", ...signer, ...files, ...span)
    const [keyFile, certFile] = [at("key.pem"), at("cert.pem")]
    return { keyFile, certFile, key: readFileSync(keyFile, "utf8"), cert: readFileSync(certFile, "utf8") }
  })

/** Trusts certificates until the scope ends, as `NODE_EXTRA_CA_CERTS` does for a process. */
export const trusting = (...certs: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = getCACertificates("default")
      setDefaultCACertificates([...before, ...certs])
      return before
    }),
    (before) => Effect.sync(() => setDefaultCACertificates(before))
  )
