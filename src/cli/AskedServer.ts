// A running server that a command asks over HTTP: its address, the key for it, and sentences for what it does not answer.
import { Cause, Effect, FileSystem, Option, Redacted } from "effect"
import { HttpClientError } from "effect/http"
import type { MissingPrice } from "../api/PricesApi.ts"
import { webUrl } from "../domain/webUrl.ts"
import { StartError } from "../node/StartError.ts"

/** A web address without a password, in the flag of this name. The text is not repeated: it may hold one. */
export const webAddress = Effect.fnUntraced(function* (flag: string, text: string) {
  const url = webUrl(text)
  if (url !== null) return url
  const { password = "", username = "" } = URL.parse(text) ?? {}
  return yield* new StartError(
    username + password === ""
      ? `--${flag} must be an address that begins with http:// or https://, such as http://localhost:3000.`
      : `--${flag} must be an address without a user and a password: these are not sent.`
  )
})

/** The options of the client for a server, with the key in a file. */
export const serverAt = Effect.fnUntraced(function* (url: string, keyFile: Option.Option<string>) {
  const baseUrl = yield* webAddress("url", url)
  if (Option.isNone(keyFile)) return { baseUrl }
  const files = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(
    files.readFileString(keyFile.value),
    () => new StartError(`The file of the key, ${keyFile.value}, cannot be read. Name one that this user may read.`)
  )
  return { baseUrl, key: Redacted.make(text.trim()) }
})

export const NO_HISTORY = "The server could not read its history. Try again later."

/** Why the server has no price. */
export const missingOf = ({ code, id, suggestions }: typeof MissingPrice.Type): string => {
  if (code === "no_data") return `Nothing of ${id} was recorded in the 7 days before that time.`
  if (code === "source_unavailable") return NO_HISTORY
  if (code === "no_price") return `The server has no price of ${id}.`
  const meant = suggestions.map((coin) => coin.id).join(", ")
  return `No coin has the id "${id}".${meant === "" ? "" : ` Did you mean ${meant}?`}`
}

export const NO_ANSWER = "The server did not answer. Check --url, and try again."

const TOO_LATE = "The server did not answer in time. Look at its log, and try again."

/** Why the server did not answer, or refused. */
export const failureOf = (failure: unknown): string => {
  if (HttpClientError.isHttpClientError(failure) && Cause.isTimeoutError(failure.cause)) return TOO_LATE
  const detail = failure instanceof Error && "detail" in failure ? failure.detail : undefined
  return typeof detail === "string" ? `The server refused: ${detail}` : NO_ANSWER
}
