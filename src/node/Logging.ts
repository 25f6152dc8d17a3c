// The log: lines for people on a terminal, one JSON object a line for machines. A line that belongs to a request has its id.
// Nothing logs a secret on purpose; what looks like one is made unreadable all the same, because causes quote what they met.
import { Context, Effect, type Fiber, Formatter, Layer, Logger, Option, References } from "effect"
import { HttpServerRequest } from "effect/http"
import { stderr, stdout } from "node:process"
import * as AccessLog from "../http/gate/AccessLog.ts"
import * as RequestId from "../http/gate/RequestId.ts"
import * as Settings from "./Settings.ts"

/** The text without API keys of ours and without the names and passwords that addresses may hold. */
export const withoutSecrets = (text: string): string =>
  AccessLog.withoutKeys(text).replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, "$1<redacted>@")

/** The id of the request that a fiber works on. */
const requestIdOf = ({ context }: Fiber.Fiber<unknown, unknown>): string | undefined => {
  const request = Context.getOrUndefined(context, HttpServerRequest.HttpServerRequest)
  return request === undefined ? undefined : RequestId.of(request)
}

/** The same logger, to which the id of the request is an annotation like others. */
export const withRequestId = <A>(logger: Logger.Logger<unknown, A>): Logger.Logger<unknown, A> =>
  Logger.make((options) => {
    const request_id = requestIdOf(options.fiber)
    if (request_id === undefined) return logger.log(options)
    // Loggers read annotations from the fiber, and giving each request a context of its own would cost every request.
    const annotated = Context.add(options.fiber.context, References.CurrentLogAnnotations, {
      ...options.fiber.getRef(References.CurrentLogAnnotations),
      request_id
    })
    const fiber = new Proxy(options.fiber, {
      get: (target, name) =>
        name === "getRef" ? <X>(ref: Context.Reference<X>) => Context.get(annotated, ref) : Reflect.get(target, name)
    })
    return logger.log({ ...options, fiber })
  })

/** What is in every line, whatever its format. */
const entry = Logger.make((options) => {
  const { annotations, cause, level, message, timestamp } = Logger.formatStructured.log(options)
  const request_id = requestIdOf(options.fiber)
  return {
    timestamp,
    level,
    message,
    ...(request_id !== undefined && { request_id }),
    ...annotations,
    ...(cause !== undefined && { cause })
  }
})

/** One JSON object a line. */
export const json = Logger.map(entry, (line) => withoutSecrets(Formatter.formatJson(line)))

const COLOURS: Readonly<Record<string, number>> = { FATAL: 31, ERROR: 31, WARN: 33, INFO: 32 }

/** Lines for people: the time, the level, what happened; then what is known of it, and the cause below. */
export const pretty = (isColoured: boolean) =>
  Logger.map(entry, ({ cause, level, message, timestamp, ...details }) => {
    const shown = isColoured ? `\u001b[${COLOURS[level] ?? 90}m${level.padEnd(5)}\u001b[0m` : level.padEnd(5)
    const words = (Array.isArray(message) ? message : [message]).map(inWords)
    const known = Object.entries(details).map(([name, value]) => `${name}=${inWords(value)}`)
    const first = [timestamp, shown, ...words, ...known].join(" ")
    return withoutSecrets(cause === undefined ? first : `${first}\n  ${cause.replaceAll("\n", "\n  ")}`)
  })

const inWords = (value: unknown): string => (typeof value === "string" ? value : Formatter.formatJson(value))

/** The log on a stream, from the wanted level up. Without a wanted format: for people on a terminal, else for machines. */
const on = (stream: { readonly isTTY: boolean }, write: typeof Logger.withConsoleLog) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const isTerminal = stream.isTTY
      const format = Option.getOrElse(yield* Settings.serving.logFormat, () => (isTerminal ? "pretty" : "json"))
      return Layer.mergeAll(
        Logger.layer([write(format === "json" ? json : pretty(isTerminal))]),
        Layer.succeed(References.MinimumLogLevel, yield* Settings.serving.logLevel),
        Layer.succeed(AccessLog.LogsRequests, yield* Settings.serving.logRequests)
      )
    })
  )

/** The log on standard output. */
export const layer = on(stdout, Logger.withConsoleLog)

/** The log on standard error, where standard output is for something else. */
export const layerError = on(stderr, Logger.withConsoleError)
