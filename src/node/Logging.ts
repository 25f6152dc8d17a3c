// The log: readable lines on a terminal, else one JSON object per line. Lines of a request carry its id. API keys and
// the credentials in URLs are redacted in every line: no code logs them on purpose, but error messages quote their
// input.
import { Effect, Formatter, Layer, Logger, Option, References } from "effect"
import { stdout } from "node:process"
import * as AccessLog from "../http/gate/AccessLog.ts"
import { withoutKeys } from "../access/ApiKey.ts"
import * as Settings from "./Settings.ts"

/** Redacts API keys of this service, and user names and passwords in URLs. */
export const withoutSecrets = (text: string): string =>
  withoutKeys(text).replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, "$1<redacted>@")

const entry = Logger.map(Logger.formatStructured, ({ annotations, cause, level, message, timestamp }) => ({
  timestamp,
  level,
  message,
  ...annotations,
  ...(cause !== undefined && { cause })
}))

export const json = Logger.map(entry, (line) => withoutSecrets(Formatter.formatJson(line)))

const COLOURS: Readonly<Record<string, number>> = { FATAL: 31, ERROR: 31, WARN: 33, INFO: 32 }

/** Readable lines: time, level, message, annotations as `name=value`; the cause indented below. */
export const pretty = (isColoured: boolean) =>
  Logger.map(entry, ({ cause, level, message, timestamp, ...details }) => {
    const shown = isColoured ? `\u001b[${COLOURS[level] ?? 90}m${level.padEnd(5)}\u001b[0m` : level.padEnd(5)
    const words = (Array.isArray(message) ? message : [message]).map(asText)
    const annotations = Object.entries(details).map(([name, value]) => `${name}=${asText(value)}`)
    const first = [timestamp, shown, ...words, ...annotations].join(" ")
    return withoutSecrets(cause === undefined ? first : `${first}\n  ${cause.replaceAll("\n", "\n  ")}`)
  })

const asText = (value: unknown): string => (typeof value === "string" ? value : Formatter.formatJson(value))

/** Logs to standard output, by the settings `LOG_LEVEL`, `LOG_FORMAT` and `LOG_REQUESTS`. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const format = Option.getOrElse(yield* Settings.serving.logFormat, () => (stdout.isTTY ? "pretty" : "json"))
    return Layer.mergeAll(
      Logger.layer([Logger.withConsoleLog(format === "json" ? json : pretty(stdout.isTTY))]),
      Layer.succeed(References.MinimumLogLevel, yield* Settings.serving.logLevel),
      Layer.succeed(AccessLog.LogsRequests, yield* Settings.serving.logRequests)
    )
  })
)
